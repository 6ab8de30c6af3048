import { Damage } from '../../base/damage.ts';
import type { Database } from './database.ts';
import { getRows, getValue, getValues, iterate, run } from './statements.ts';
import { computeLinkSum } from './sums.ts';

/** Chunk, and the key of its embedding. */
interface EmbeddingLink {
  chunkId: number;
  key: Buffer;
}

export class EmbeddingLinks {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  put(snapshotId: number, model: string, chunkId: number, key: Buffer): void {
    run(
      this.#database,
      'INSERT OR REPLACE INTO chunk_embeddings (snapshot_id, model, chunk_id, key, sum) VALUES (?, ?, ?, ?, ?)',
      [snapshotId, model, chunkId, key, computeLinkSum(chunkId, key)],
    );
  }

  /** Copies the links of another snapshot, except those of the chunks of `omitted` file versions. Call inside a transaction. */
  copy(snapshotId: number, from: number, omitted: readonly number[]): void {
    run(
      this.#database,
      `INSERT INTO chunk_embeddings (snapshot_id, model, chunk_id, key, sum)
       SELECT @snapshotId, model, chunk_id, key, sum FROM chunk_embeddings
       WHERE snapshot_id = @from AND chunk_id NOT IN (
         SELECT id FROM chunks WHERE version_id IN (SELECT value FROM json_each(@omitted)))`,
      { snapshotId, from, omitted: JSON.stringify(omitted) },
    );
  }

  /** Removes the links of these chunks, because their encoder inputs changed. */
  remove(snapshotId: number, chunkIds: Iterable<number>): void {
    const remove =
      'DELETE FROM chunk_embeddings WHERE snapshot_id = ? AND model = ? AND chunk_id = ?';
    const models = this.getModels(snapshotId);
    for (const id of chunkIds)
      for (const model of models) run(this.#database, remove, [snapshotId, model, id]);
  }

  getModels(snapshotId: number): string[] {
    const models = 'SELECT DISTINCT model FROM chunk_embeddings WHERE snapshot_id = ?';
    return getValues(this.#database, models, [snapshotId]);
  }

  count(snapshotId: number, model: string): number {
    const count = 'SELECT COUNT(*) FROM chunk_embeddings WHERE snapshot_id = ? AND model = ?';
    return getValue(this.#database, count, [snapshotId, model]) ?? 0;
  }

  /** @throws Damage */
  *readAll(snapshotId: number, model: string): IterableIterator<EmbeddingLink> {
    const rows = iterate<[number, Buffer, number]>(
      this.#database,
      'SELECT chunk_id, key, sum FROM chunk_embeddings WHERE snapshot_id = ? AND model = ?',
      [snapshotId, model],
    );
    for (const [chunkId, key, sum] of rows) {
      if (computeLinkSum(chunkId, key) !== sum)
        throw new Damage(`the embedding of chunk ${chunkId}`);
      yield { chunkId, key };
    }
  }

  /**
   * Returns the next links in order of chunk id, at most `count`, for work that pauses between pages.
   * @param after last chunk id of the previous page; -1 for the first page.
   */
  getPage(snapshotId: number, model: string, after: number, count: number): EmbeddingLink[] {
    return getRows(
      this.#database,
      `SELECT chunk_id AS chunkId, key FROM chunk_embeddings
       WHERE snapshot_id = ? AND model = ? AND chunk_id > ? ORDER BY chunk_id LIMIT ?`,
      [snapshotId, model, after, count],
    );
  }

  /** Returns the keys of a model that any chunk uses, in uppercase hex. */
  getKeys(model: string): Set<string> {
    const keys = 'SELECT DISTINCT hex(key) FROM chunk_embeddings WHERE model = ?';
    return new Set(getValues<string>(this.#database, keys, [model]));
  }
}
