/**
 * Blocks of chunks with neighboring ids, whose edges or embedding keys share a row. A row for each would take twenty times as
 * long to write, and several times the space.
 */
import { Damage } from '../../base/damage.ts';
import type { Database } from './database.ts';
import { getTuples } from './statements.ts';
import { computeBlockSum } from './sums.ts';

/** With so many chunks, the links to embeddings of three blocks fill a page of the database. With 64, a third of it stays empty. */
export const BLOCK_CHUNKS = 60;

export function getBlock(chunkId: number): number {
  return Math.floor(chunkId / BLOCK_CHUNKS);
}

/** Groups chunks by their blocks. */
export function groupByBlock<T>(items: Iterable<T>, idOf: (item: T) => number): Map<number, T[]> {
  return Map.groupBy(items, (item) => getBlock(idOf(item)));
}

/** @throws Damage */
export function checkBlock(block: number, bytes: Uint8Array, sum: number): void {
  if (computeBlockSum(block, bytes) !== sum) throw new Damage(`block ${block} of functions`);
}

/** Returns the ids of all chunks of these file versions. */
export function getChunkIds(database: Database, versionIds: readonly number[]): number[] {
  const select = `SELECT id, count FROM file_versions WHERE id IN (SELECT value FROM json_each(?))`;
  const versions = getTuples<[number, number]>(database, select, [JSON.stringify(versionIds)]);
  return versions.flatMap(([id, count]) =>
    Array.from({ length: count }, (_, position) => id - count + 1 + position),
  );
}
