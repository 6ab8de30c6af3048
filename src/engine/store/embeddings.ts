import { Damage } from './damage.ts';
import type { Database } from './database.ts';
import { linkSum, vectorSum } from './sums.ts';

/** Embeddings by the hash of what was encoded, and which chunk of a snapshot has which. */
export class Embeddings {
  readonly #database: Database;
  readonly #find;
  readonly #insert;
  readonly #link;
  readonly #read;

  constructor(database: Database) {
    this.#database = database;
    this.#find = database
      .prepare<[Buffer], number>('SELECT id FROM embeddings WHERE key = ?')
      .pluck();
    this.#read = database.prepare<[number], StoredEmbedding>(
      'SELECT id, key, vector, sum FROM embeddings WHERE id = ?',
    );
    this.#insert = database.prepare<[Buffer, Buffer, number]>(
      'INSERT OR IGNORE INTO embeddings (key, vector, sum) VALUES (?, ?, ?)',
    );
    this.#link = database.prepare<[number, string, number, number, number]>(
      `INSERT OR REPLACE INTO chunk_embeddings (snapshot_id, model, chunk_id, embedding_id, sum)
       VALUES (?, ?, ?, ?, ?)`,
    );
  }

  /** Which of these keys (hex) are stored. */
  has(keys: readonly string[]): boolean[] {
    return keys.map((key) => this.#find.get(Buffer.from(key, 'hex')) !== undefined);
  }

  /**
   * Stores new vectors and says which chunk has which; call inside a transaction. Returns the vectors of all of them.
   * @throws Damage
   */
  put(
    snapshotId: number,
    model: string,
    chunks: readonly { id: number; key: string }[],
    vectors: ReadonlyMap<string, Float32Array>,
  ): Float32Array[] {
    return chunks.map(({ id, key }) => {
      const keyBytes = Buffer.from(key, 'hex');
      const fresh = vectors.get(key);
      const stored = (fresh && this.#add(keyBytes, fresh)) ?? this.#known(keyBytes);
      this.#link.run(snapshotId, model, id, stored.id, linkSum(id, stored.id, stored.sum));
      return fresh ?? floatsOf(stored.vector);
    });
  }

  /** Forgets which embedding these chunks have, because what the encoder is told about them changed. */
  unlink(snapshotId: number, chunkIds: Iterable<number>): void {
    const models = this.#database
      .prepare<[number], string>(
        'SELECT DISTINCT model FROM chunk_embeddings WHERE snapshot_id = ?',
      )
      .pluck()
      .all(snapshotId);
    const remove = this.#database.prepare(
      'DELETE FROM chunk_embeddings WHERE snapshot_id = ? AND model = ? AND chunk_id = ?',
    );
    for (const id of chunkIds) for (const model of models) remove.run(snapshotId, model, id);
  }

  /** @throws Damage */
  *ofSnapshot(
    snapshotId: number,
    model: string,
  ): IterableIterator<{ chunkId: number; vector: Float32Array }> {
    const rows = this.#database
      .prepare<[number, string]>(
        `SELECT c.chunk_id, c.embedding_id, c.sum, e.vector
         FROM chunk_embeddings c JOIN embeddings e ON e.id = c.embedding_id
         WHERE c.snapshot_id = ? AND c.model = ?`,
      )
      .raw()
      .iterate(snapshotId, model) as IterableIterator<[number, number, number, Buffer]>;
    for (const [chunkId, embeddingId, sum, blob] of rows) {
      if (linkSum(chunkId, embeddingId, vectorSum(blob)) !== sum)
        throw new Damage(`the embedding of chunk ${chunkId}`);
      yield { chunkId, vector: floatsOf(blob) };
    }
  }

  /** Null when there is one with this key already. */
  #add(key: Buffer, { buffer, byteOffset, byteLength }: Float32Array): StoredEmbedding | null {
    const vector = Buffer.from(buffer, byteOffset, byteLength);
    const sum = vectorSum(vector);
    const { changes, lastInsertRowid } = this.#insert.run(key, vector, sum);
    return changes === 0 ? null : { id: Number(lastInsertRowid), key, vector, sum };
  }

  #known(key: Buffer): StoredEmbedding {
    const id = this.#find.get(key);
    const row = id === undefined ? undefined : this.#read.get(id);
    if (!row?.key.equals(key) || vectorSum(row.vector) !== row.sum)
      throw new Damage(`the embedding with the key ${key.toString('hex')}`);
    return row;
  }
}

interface StoredEmbedding {
  id: number;
  key: Buffer;
  vector: Buffer;
  sum: number;
}

/** Copies a blob that is not aligned; SQLite promises nothing. */
function floatsOf(bytes: Buffer): Float32Array {
  if (bytes.byteOffset % Float32Array.BYTES_PER_ELEMENT === 0)
    return new Float32Array(bytes.buffer, bytes.byteOffset, bytes.byteLength / 4);
  return new Float32Array(
    bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength),
  );
}
