/**
 * Where in a file of rows the embeddings of a snapshot are: with that they are read in blocks, straight to where they are
 * compared, without a look at keys, links or the checksums of rows, which takes four times as long.
 */
import { basename } from 'node:path';
import { crc32 } from 'node:zlib';
import type { EmbeddingRows } from './embedding-rows.ts';
import { type EmbeddingModel, KEY_BYTES, RowLayout, rowBytes } from './row-format.ts';

/** Rows of a block, but for the last. */
const BLOCK_ROWS = 1_000;

/** Good for as long as the snapshot's links are what they were: rows of a file never change, nor does a name get another file. */
export interface EmbeddingPlaces {
  model: EmbeddingModel;
  /** Name of the file. */
  file: string;
  /** Rows that there were. */
  length: number;
  /** CRC-32 of each block of rows. */
  sums: Uint32Array;
  /** Which row each of `slots` has, in order. */
  rows: Uint32Array;
  slots: Uint32Array;
}

/** Where vectors go: memory to read rows into, from which each is taken to its slot. */
export interface VectorSink {
  reserve(slots: number): void;
  staging(bytes: number): Uint8Array;
  take(slot: number, from: number): void;
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

/**
 * Reads the embeddings of these places.
 * @returns false where they are of another model or file, or where that is damaged; `sink` then has some of them.
 */
export function readPlaces(
  rows: EmbeddingRows,
  model: EmbeddingModel,
  places: EmbeddingPlaces,
  sink: VectorSink,
): boolean {
  const file = rows.file();
  if (!file || basename(file.path) !== places.file || file.length < places.length) return false;
  if (model.key !== places.model.key || model.dimensions !== places.model.dimensions) return false;
  const bytes = rowBytes(model);
  sink.reserve(places.slots.length);
  let place = 0;
  for (const [at, { first, count }] of blocksOf(places.length).entries()) {
    const block = sink.staging(count * bytes);
    if (!file.readBlock(first, block) || crc32(block) !== places.sums[at]) return false;
    for (; place < places.rows.length; place++) {
      const row = places.rows[place] ?? 0;
      if (row >= first + count) break;
      sink.take(places.slots[place] ?? 0, (row - first) * bytes + KEY_BYTES);
    }
  }
  return true;
}

function blocksOf(length: number): { first: number; count: number }[] {
  return Array.from({ length: Math.ceil(length / BLOCK_ROWS) }, (_, at) => {
    const first = at * BLOCK_ROWS;
    return { first, count: Math.min(BLOCK_ROWS, length - first) };
  });
}
