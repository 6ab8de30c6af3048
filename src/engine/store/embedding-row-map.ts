/**
 * Row map: which row of a file holds the embedding of which slot of a snapshot. With it, the file is read directly into the
 * memory where vectors are compared. Looking up keys, links and the checksums of rows would take four times as long.
 */
import { basename } from 'node:path';
import { crc32 } from 'node:zlib';
import { SCALE_BYTES } from '../vectors/quantized.ts';
import { RowMemory } from '../vectors/row-memory.ts';
import type { VectorTable } from '../vectors/vector-table.ts';
import type { EmbeddingRows } from './embedding-rows.ts';
import { RowFile } from './row-file.ts';
import { type EmbeddingModel, getRowBytes, KEY_BYTES, RowLayout } from './row-format.ts';
import { findNewest, hashModel, listGenerations } from './row-generations.ts';

/** Rows per block; the last block may have fewer. */
const BLOCK_ROWS = 1_000;

/** Rows of a snapshot's embeddings. Valid until the snapshot's links change: rows never change, and file names are never reused. */
export interface EmbeddingRowMap {
  model: EmbeddingModel;
  file: string;
  /** Number of rows from the start of the file up to the last one used. */
  length: number;
  /** CRC-32 of each block of rows. */
  sums: Uint32Array;
  /** Rows in ascending order; `rows[i]` holds the embedding of `slots[i]`. */
  rows: Uint32Array;
  slots: Uint32Array;
}

/**
 * Creates the row map of a snapshot, with checksums of the rows.
 * @param rowOfSlot in any order; several slots may share a row.
 * @returns null if a row is damaged.
 */
export function createRowMap(
  rows: EmbeddingRows,
  model: EmbeddingModel,
  rowOfSlot: readonly { row: number; slot: number }[],
): EmbeddingRowMap | null {
  const file = rows.openFile();
  if (!file) return null;
  const sorted = rowOfSlot.toSorted((a, b) => a.row - b.row);
  const length = (sorted.at(-1)?.row ?? -1) + 1;
  const layout = new RowLayout(model);
  const sums: number[] = [];
  let place = 0;
  const blocks = splitIntoBlocks(length);
  const memory = Buffer.alloc((blocks[0]?.count ?? 0) * layout.bytes);
  for (const { first, count } of blocks) {
    const block = memory.subarray(0, count * layout.bytes);
    if (!file.readBlock(first, block)) return null;
    sums.push(crc32(block));
    for (let one = sorted[place]; one && one.row < first + count; one = sorted[++place])
      if (!layout.isIntact(block, (one.row - first) * layout.bytes)) return null;
  }
  return {
    model,
    file: basename(file.path),
    length,
    sums: Uint32Array.from(sums),
    rows: Uint32Array.from(sorted, ({ row }) => row),
    slots: Uint32Array.from(sorted, ({ slot }) => slot),
  };
}

/** Rows of a file that are read before it is known which of them are needed. */
export interface PrefetchedRows {
  file: string;
  count: number;
  memory: RowMemory;
  /** Resolves at the end of reading, to true if all rows were read. */
  finished: Promise<boolean>;
}

/** Starts reading all rows of a model's file in other threads. Returns null if there is no file. */
export function prefetchRows(folder: string, model: EmbeddingModel): PrefetchedRows | null {
  try {
    const path = findNewest(listGenerations(folder), hashModel(model))?.path;
    if (path === undefined) return null;
    const file = RowFile.open(path, model, true);
    const count = file.length;
    const memory = allocateRows(model, count);
    const read = file.prefetch(memory.getBytes(0, count)).finally(() => file.close());
    return { file: basename(path), count, memory, finished: read.catch(() => false) };
  } catch {
    // The later regular read reports the error.
    return null;
  }
}

/** Returns true if a file with this name and length holds all rows of a row map. */
export function coversRowMap(
  { file, count }: Pick<PrefetchedRows, 'file' | 'count'>,
  model: EmbeddingModel,
  rowMap: EmbeddingRowMap,
): boolean {
  const isSame = model.key === rowMap.model.key && model.dimensions === rowMap.model.dimensions;
  return isSame && file === rowMap.file && count >= rowMap.length;
}

/**
 * Fills an empty table with the embeddings of a row map.
 * @param prefetched the rows, if they were prefetched.
 * @returns false if the map belongs to another model or file, or if the file is damaged. The table is then incomplete.
 */
export function loadMappedRows(
  rows: EmbeddingRows,
  model: EmbeddingModel,
  rowMap: EmbeddingRowMap,
  table: VectorTable,
  prefetched: PrefetchedRows | null,
): boolean {
  const file = rows.openFile();
  if (!file || !coversRowMap({ file: basename(file.path), count: file.length }, model, rowMap))
    return false;
  const { length, slots, sums } = rowMap;
  const memory = prefetched?.memory ?? allocateRows(model, length);
  table.adoptRows(memory, length);
  let place = 0;
  for (const [at, { first, count }] of splitIntoBlocks(length).entries()) {
    const block = memory.getBytes(first, count);
    if (!prefetched && !file.readBlock(first, block)) return false;
    if (crc32(block) !== sums[at]) return false;
    for (; place < slots.length; place++) {
      const row = rowMap.rows[place] ?? 0;
      if (row >= first + count) break;
      table.assignRow(slots[place] ?? 0, row);
    }
  }
  return true;
}

function allocateRows(model: EmbeddingModel, count: number): RowMemory {
  const shape = { bytes: getRowBytes(model), numbersAt: KEY_BYTES + SCALE_BYTES };
  return new RowMemory(model.dimensions, count, shape);
}

function splitIntoBlocks(length: number): { first: number; count: number }[] {
  return Array.from({ length: Math.ceil(length / BLOCK_ROWS) }, (_, at) => {
    const first = at * BLOCK_ROWS;
    return { first, count: Math.min(BLOCK_ROWS, length - first) };
  });
}
