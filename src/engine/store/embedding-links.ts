import { Damage } from '../../base/damage.ts';
import type { Database } from './database.ts';
import { linkSum } from './sums.ts';

/** Which chunk of a snapshot has the embedding of which key. */
export class EmbeddingLinks {
  readonly #database: Database;
  readonly #put;

  constructor(database: Database) {
    this.#database = database;
    this.#put = database.prepare<[number, string, number, Buffer, number]>(
      `INSERT OR REPLACE INTO chunk_embeddings (snapshot_id, model, chunk_id, key, sum)
       VALUES (?, ?, ?, ?, ?)`,
    );
  }

  put(snapshotId: number, model: string, chunkId: number, key: Buffer): void {
    this.#put.run(snapshotId, model, chunkId, key, linkSum(chunkId, key));
  }

  /** Forgets which embedding these chunks have, because what the encoder is told about them changed. */
  remove(snapshotId: number, chunkIds: Iterable<number>): void {
    const remove = this.#database.prepare(
      'DELETE FROM chunk_embeddings WHERE snapshot_id = ? AND model = ? AND chunk_id = ?',
    );
    const models = this.models(snapshotId);
    for (const id of chunkIds) for (const model of models) remove.run(snapshotId, model, id);
  }

  /** The models that a snapshot has embeddings of. */
  models(snapshotId: number): string[] {
    return this.#database
      .prepare<[number], string>(
        'SELECT DISTINCT model FROM chunk_embeddings WHERE snapshot_id = ?',
      )
      .pluck()
      .all(snapshotId);
  }

  /** How many chunks of a snapshot have an embedding of a model. */
  count(snapshotId: number, model: string): number {
    return this.#database
      .prepare('SELECT COUNT(*) FROM chunk_embeddings WHERE snapshot_id = ? AND model = ?')
      .pluck()
      .get(snapshotId, model) as number;
  }

  /** @throws Damage */
  *ofSnapshot(
    snapshotId: number,
    model: string,
  ): IterableIterator<{ chunkId: number; key: Buffer }> {
    const rows = this.#database
      .prepare<[number, string]>(
        'SELECT chunk_id, key, sum FROM chunk_embeddings WHERE snapshot_id = ? AND model = ?',
      )
      .raw()
      .iterate(snapshotId, model) as IterableIterator<[number, Buffer, number]>;
    for (const [chunkId, key, sum] of rows) {
      if (linkSum(chunkId, key) !== sum) throw new Damage(`the embedding of chunk ${chunkId}`);
      yield { chunkId, key };
    }
  }

  /**
   * The next of them in order of chunk, at most `count`: for work that others may get in between.
   * @param after the last chunk of before; -1 at first.
   */
  page(
    snapshotId: number,
    model: string,
    after: number,
    count: number,
  ): { chunkId: number; key: Buffer }[] {
    return this.#database
      .prepare<[number, string, number, number], { chunkId: number; key: Buffer }>(
        `SELECT chunk_id AS chunkId, key FROM chunk_embeddings
         WHERE snapshot_id = ? AND model = ? AND chunk_id > ? ORDER BY chunk_id LIMIT ?`,
      )
      .all(snapshotId, model, after, count);
  }

  /** The keys of a model that some chunk has, in hex. */
  keys(model: string): Set<string> {
    const keys = this.#database
      .prepare<[string], string>('SELECT DISTINCT hex(key) FROM chunk_embeddings WHERE model = ?')
      .pluck()
      .all(model);
    return new Set(keys);
  }
}
