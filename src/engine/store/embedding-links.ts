import { BLOCK_CHUNKS, checkBlock, getBlock, getChunkIds, groupByBlock } from './blocks.ts';
import type { Database } from './database.ts';
import { KEY_BYTES } from './row-format.ts';
import { getTuples, getValue, getValues, iterate, run } from './statements.ts';
import { computeBlockSum } from './sums.ts';

/** Chunk, and the key of its embedding. */
export interface EmbeddingLink {
  chunkId: number;
  key: Buffer;
}

/** Links of the chunks of a block: keys by chunk. */
type Block = Map<number, Buffer>;

type BlockRow = [block: number, keys: Buffer, sum: number];

/** Size of a link: the chunk's position in its block, and the key. */
const LINK_BYTES = 1 + KEY_BYTES;

const BLOCKS = 'SELECT block, keys, sum FROM chunk_embeddings WHERE snapshot_id = ? AND model = ?';

/** Links from chunks to the keys of their embeddings, in one row for the chunks of a block. */
export class EmbeddingLinks {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  /** @throws Damage */
  put(snapshotId: number, model: string, links: readonly EmbeddingLink[]): void {
    for (const [number, some] of groupByBlock(links, ({ chunkId }) => chunkId)) {
      const block = this.#readBlock(snapshotId, model, number);
      for (const { chunkId, key } of some) block.set(chunkId, key);
      this.#writeBlock(snapshotId, model, number, block);
    }
  }

  /** Copies the links of another snapshot, except those of the chunks of `omitted` file versions. Call inside a transaction. */
  copy(snapshotId: number, from: number, omitted: readonly number[]): void {
    run(
      this.#database,
      `INSERT INTO chunk_embeddings (snapshot_id, model, block, keys, sum)
       SELECT @snapshotId, model, block, keys, sum FROM chunk_embeddings WHERE snapshot_id = @from`,
      { snapshotId, from },
    );
    this.remove(snapshotId, getChunkIds(this.#database, omitted));
  }

  /** Removes the links of these chunks, because their encoder inputs changed. Writes nothing if there are none. */
  remove(snapshotId: number, chunkIds: Iterable<number>): void {
    const models = this.getModels(snapshotId);
    if (models.length === 0) return;
    for (const [number, some] of groupByBlock(chunkIds, (id) => id))
      for (const model of models) {
        const block = this.#readBlock(snapshotId, model, number);
        const removed = some.filter((id) => block.delete(id));
        if (removed.length > 0) this.#writeBlock(snapshotId, model, number, block);
      }
  }

  getModels(snapshotId: number): string[] {
    const models = 'SELECT DISTINCT model FROM chunk_embeddings WHERE snapshot_id = ?';
    return getValues(this.#database, models, [snapshotId]);
  }

  count(snapshotId: number, model: string): number {
    const count =
      'SELECT SUM(length(keys)) FROM chunk_embeddings WHERE snapshot_id = ? AND model = ?';
    return (getValue<number | null>(this.#database, count, [snapshotId, model]) ?? 0) / LINK_BYTES;
  }

  /** @throws Damage */
  *readAll(snapshotId: number, model: string): IterableIterator<EmbeddingLink> {
    const rows = iterate<BlockRow>(this.#database, `${BLOCKS} ORDER BY block`, [snapshotId, model]);
    for (const row of rows) yield* unpackLinks(...row);
  }

  /**
   * Returns the next links in order of chunk id, at most `count`, for work that pauses between pages.
   * @param after last chunk id of the previous page; -1 for the first page.
   */
  getPage(snapshotId: number, model: string, after: number, count: number): EmbeddingLink[] {
    const page: EmbeddingLink[] = [];
    const rows = iterate<BlockRow>(this.#database, `${BLOCKS} AND block >= ? ORDER BY block`, [
      snapshotId,
      model,
      getBlock(after + 1),
    ]);
    for (const row of rows) {
      page.push(...unpackLinks(...row).filter(({ chunkId }) => chunkId > after));
      if (page.length >= count) break;
    }
    return page.slice(0, count);
  }

  /** Returns the keys of a model that any chunk uses, in uppercase hex. */
  getKeys(model: string): Set<string> {
    const all = 'SELECT block, keys, sum FROM chunk_embeddings WHERE model = ?';
    const keys = new Set<string>();
    for (const row of iterate<BlockRow>(this.#database, all, [model]))
      for (const { key } of unpackLinks(...row)) keys.add(key.toString('hex').toUpperCase());
    return keys;
  }

  #readBlock(snapshotId: number, model: string, number: number): Block {
    const [row] = getTuples<BlockRow>(this.#database, `${BLOCKS} AND block = ?`, [
      snapshotId,
      model,
      number,
    ]);
    return new Map(row && unpackLinks(...row).map(({ chunkId, key }) => [chunkId, key]));
  }

  #writeBlock(snapshotId: number, model: string, number: number, block: Block): void {
    if (block.size === 0) {
      const remove =
        'DELETE FROM chunk_embeddings WHERE snapshot_id = ? AND model = ? AND block = ?';
      run(this.#database, remove, [snapshotId, model, number]);
      return;
    }
    const keys = packLinks(number, block);
    run(
      this.#database,
      'INSERT OR REPLACE INTO chunk_embeddings (snapshot_id, model, block, keys, sum) VALUES (?, ?, ?, ?, ?)',
      [snapshotId, model, number, keys, computeBlockSum(number, keys)],
    );
  }
}

function packLinks(number: number, block: Block): Buffer {
  const links = [...block].sort(([a], [b]) => a - b);
  const bytes = Buffer.alloc(links.length * LINK_BYTES);
  for (const [i, [chunkId, key]] of links.entries()) {
    bytes[i * LINK_BYTES] = chunkId - number * BLOCK_CHUNKS;
    bytes.set(key, i * LINK_BYTES + 1);
  }
  return bytes;
}

function unpackLinks(number: number, keys: Buffer, sum: number): EmbeddingLink[] {
  checkBlock(number, keys, sum);
  return Array.from({ length: keys.length / LINK_BYTES }, (_, i) => ({
    chunkId: number * BLOCK_CHUNKS + keys.readUInt8(i * LINK_BYTES),
    key: keys.subarray(i * LINK_BYTES + 1, (i + 1) * LINK_BYTES),
  }));
}
