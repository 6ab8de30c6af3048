/**
 * Where in a file of rows the embeddings of a snapshot are: with that the file is read straight to where they are compared,
 * without a look at keys, links or the checksums of rows, which takes four times as long.
 */
import { basename } from 'node:path';
import { crc32 } from 'node:zlib';
import { SCALE_BYTES } from '../vectors/quantized.ts';
import { RowMemory } from '../vectors/row-memory.ts';
import type { VectorTable } from '../vectors/vector-table.ts';
import type { EmbeddingRows } from './embedding-rows.ts';
import { RowFile } from './row-file.ts';
import { type EmbeddingModel, KEY_BYTES, RowLayout, rowBytes } from './row-format.ts';
import { digestOf, generationsIn, newest } from './row-generations.ts';

/** Rows of a block, but for the last. */
const BLOCK_ROWS = 1_000;

/** Good for as long as the snapshot's links are what they were: rows of a file never change, nor does a name get another file. */
export interface EmbeddingPlaces {
  model: EmbeddingModel;
  file: string;
  /** Rows that there were. */
  length: number;
  /** CRC-32 of each block of rows. */
  sums: Uint32Array;
  /** Which row each of `slots` has, in order. */
  rows: Uint32Array;
  slots: Uint32Array;
}

/**
 * Notes the places, and the checksums of what is there.
 * @param rowOfSlot in any order; a row may be that of several slots.
 * @returns null where a row is not whole (any more).
 */
export function placesIn(
  rows: EmbeddingRows,
  model: EmbeddingModel,
  rowOfSlot: readonly { row: number; slot: number }[],
): EmbeddingPlaces | null {
  const file = rows.file();
  if (!file) return null;
  const sorted = rowOfSlot.toSorted((a, b) => a.row - b.row);
  const length = (sorted.at(-1)?.row ?? -1) + 1;
  const layout = new RowLayout(model);
  const sums: number[] = [];
  let place = 0;
  const blocks = blocksOf(length);
  const memory = Buffer.alloc((blocks[0]?.count ?? 0) * layout.bytes);
  for (const { first, count } of blocks) {
    const block = memory.subarray(0, count * layout.bytes);
    if (!file.readBlock(first, block)) return null;
    sums.push(crc32(block));
    for (let one = sorted[place]; one && one.row < first + count; one = sorted[++place])
      if (!layout.isWhole(block, (one.row - first) * layout.bytes)) return null;
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

/** Rows of a file, from the first on, that were read before it was known which of them are wanted. */
export interface RowsAhead {
  file: string;
  count: number;
  memory: RowMemory;
  /** Resolves when that has ended, to whether all were read. */
  read: Promise<boolean>;
}

/** Reads all rows of a file in other threads; null where there is none. */
export function readRowsAhead(folder: string, model: EmbeddingModel): RowsAhead | null {
  try {
    const path = newest(generationsIn(folder), digestOf(model))?.path;
    if (path === undefined) return null;
    const file = RowFile.open(path, model, true);
    const count = file.length;
    const memory = memoryOf(model, count);
    const read = file.readAhead(memory.bytes(0, count)).finally(() => file.close());
    return { file: basename(path), count, memory, read: read.catch(() => false) };
  } catch {
    // Who asks for it finds out why.
    return null;
  }
}

/** Whether these rows, once they are read, have all of the places. */
export function areOf(
  { file, count }: Pick<RowsAhead, 'file' | 'count'>,
  model: EmbeddingModel,
  places: EmbeddingPlaces,
): boolean {
  const isSame = model.key === places.model.key && model.dimensions === places.model.dimensions;
  return isSame && file === places.file && count >= places.length;
}

/**
 * Gives a table, which is empty, the embeddings of these places.
 * @param ahead their rows, where they were read
 * @returns false where they are of another model or file, or where that is damaged; the table then has some of them
 */
export function readPlaces(
  rows: EmbeddingRows,
  model: EmbeddingModel,
  places: EmbeddingPlaces,
  table: VectorTable,
  ahead: RowsAhead | null,
): boolean {
  const file = rows.file();
  if (!file || !areOf({ file: basename(file.path), count: file.length }, model, places))
    return false;
  const { length, slots, sums } = places;
  const memory = ahead?.memory ?? memoryOf(model, length);
  table.adopt(memory, length);
  let place = 0;
  for (const [at, { first, count }] of blocksOf(length).entries()) {
    const block = memory.bytes(first, count);
    if (!ahead && !file.readBlock(first, block)) return false;
    if (crc32(block) !== sums[at]) return false;
    for (; place < slots.length; place++) {
      const row = places.rows[place] ?? 0;
      if (row >= first + count) break;
      table.take(slots[place] ?? 0, row);
    }
  }
  return true;
}

function memoryOf(model: EmbeddingModel, count: number): RowMemory {
  const shape = { bytes: rowBytes(model), numbersAt: KEY_BYTES + SCALE_BYTES };
  return new RowMemory(model.dimensions, count, shape);
}

function blocksOf(length: number): { first: number; count: number }[] {
  return Array.from({ length: Math.ceil(length / BLOCK_ROWS) }, (_, at) => {
    const first = at * BLOCK_ROWS;
    return { first, count: Math.min(BLOCK_ROWS, length - first) };
  });
}
