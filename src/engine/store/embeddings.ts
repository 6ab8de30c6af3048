import type { Database } from './database.ts';

/** Embeddings by the hash of what was encoded, and which chunk of a snapshot has which. */
export class Embeddings {
  readonly #database: Database;
  readonly #find;
  readonly #insert;
  readonly #link;

  constructor(database: Database) {
    this.#database = database;
    this.#find = database
      .prepare<[Buffer], number>('SELECT id FROM embeddings WHERE key = ?')
      .pluck();
    this.#insert = database.prepare<[Buffer, Buffer]>(
      'INSERT OR IGNORE INTO embeddings (key, vector) VALUES (?, ?)',
    );
    this.#link = database.prepare<[number, string, number, number]>(
      'INSERT OR REPLACE INTO chunk_embeddings (snapshot_id, model, chunk_id, embedding_id) VALUES (?, ?, ?, ?)',
    );
  }

  /** Which of these keys (hex) are stored. */
  has(keys: readonly string[]): boolean[] {
    return keys.map((key) => this.#find.get(Buffer.from(key, 'hex')) !== undefined);
  }

  /** Stores new vectors and says which chunk has which; call inside a transaction. Returns the vectors of all of them. */
  put(
    snapshotId: number,
    model: string,
    chunks: readonly { id: number; key: string }[],
    vectors: ReadonlyMap<string, Float32Array>,
  ): Float32Array[] {
    return chunks.map(({ id, key }) => {
      const keyBytes = Buffer.from(key, 'hex');
      const fresh = vectors.get(key);
      if (fresh)
        this.#insert.run(keyBytes, Buffer.from(fresh.buffer, fresh.byteOffset, fresh.byteLength));
      const embeddingId = this.#find.get(keyBytes);
      if (embeddingId === undefined) throw new Error(`no embedding for key ${key}`);
      this.#link.run(snapshotId, model, id, embeddingId);
      return fresh ?? this.#vector(embeddingId);
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

  *ofSnapshot(
    snapshotId: number,
    model: string,
  ): IterableIterator<{ chunkId: number; vector: Float32Array }> {
    const rows = this.#database
      .prepare<[number, string]>(
        `SELECT c.chunk_id, e.vector FROM chunk_embeddings c JOIN embeddings e ON e.id = c.embedding_id
         WHERE c.snapshot_id = ? AND c.model = ?`,
      )
      .raw()
      .iterate(snapshotId, model) as IterableIterator<[number, Buffer]>;
    for (const [chunkId, blob] of rows) yield { chunkId, vector: floatsOf(blob) };
  }

  #vector(id: number): Float32Array {
    return floatsOf(
      this.#database
        .prepare('SELECT vector FROM embeddings WHERE id = ?')
        .pluck()
        .get(id) as Buffer,
    );
  }
}

/** Copies, because a blob from SQLite need not be aligned. */
function floatsOf(bytes: Buffer): Float32Array {
  return new Float32Array(
    bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength),
  );
}
