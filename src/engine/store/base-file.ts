/**
 * Files of HNSW indexes over the first rows of a file of embeddings: `embeddings-<model>-<generation>-<rows>.hnsw`, what
 * usearch writes and a trailer behind it, by which a file is checked before it is mapped: usearch believes what it maps.
 * Rows are only added to a generation, so that an index of its first rows stays right as long as there is the generation.
 * A file that may be mapped is never replaced, which Windows would refuse: one over more rows has another name.
 */
import { closeSync, fstatSync, fsyncSync, readSync, statSync } from 'node:fs';
import { appendFile } from 'node:fs/promises';
import { join } from 'node:path';
import { crc32 } from 'node:zlib';
import { openRegularFile } from '../../base/regular-file.ts';
import type { Row } from './row-file.ts';
import { bytesOf, type Generation, namesIn, newest, removeIfPossible } from './row-generations.ts';

const NAME = /^embeddings-([0-9a-f]{12})-(\d{1,9})-(\d{1,9})\.hnsw(\.new)?$/;
const MAGIC = 'LocusHNS';
/** Of the trailer, and of how usearch is told to build: another one counts as damaged, and is made anew. */
const FORMAT = 1;
const TRAILER_BYTES = 40;
const BLOCK_BYTES = 1 << 20;

export interface BaseFile {
  path: string;
  /** Of which model; see `digestOf`. */
  digest: string;
  /** Of the rows. */
  generation: number;
  /** How many of them it is over, damaged ones included. */
  rows: number;
  /** Being written; nobody reads it. */
  unfinished: boolean;
}

export function basePath(folder: string, digest: string, generation: number, rows: number): string {
  return join(folder, `embeddings-${digest}-${generation}-${rows}.hnsw`);
}

/** All there are in a folder; those over the most rows first. */
export function basesIn(folder: string): BaseFile[] {
  return namesIn(folder)
    .flatMap((name) => {
      const [, digest, generation, rows, unfinished] = NAME.exec(name) ?? [];
      return digest === undefined
        ? []
        : {
            path: join(folder, name),
            digest,
            generation: Number(generation),
            rows: Number(rows),
            unfinished: !!unfinished,
          };
    })
    .sort((a, b) => b.rows - a.rows);
}

/** Bytes of all of them. */
export const bytesOfBases = (folder: string): number => bytesOf(basesIn(folder));

/** Removes those over rows that there are no more. What Windows keeps because it is mapped stays until the next time. */
export function removeStrayBases(folder: string, generations: readonly Generation[]): void {
  for (const { path, digest, generation } of basesIn(folder))
    if (newest(generations, digest)?.number !== generation) removeIfPossible(path);
}

/** Which rows an index is over: a checksum of the numbers and keys of those that are whole. */
export class RowsSum {
  #sum = 0;
  readonly #number = Buffer.alloc(4);

  add({ row, key }: Row): void {
    this.#number.writeUInt32LE(row);
    this.#sum = crc32(key, crc32(this.#number, this.#sum));
  }

  get value(): number {
    return this.#sum;
  }
}

/** Puts the trailer behind what usearch wrote, and returns when the disk has all of it. */
export async function seal(path: string, rows: number, rowsSum: number): Promise<void> {
  const { size, sum } = contentOf(path, statSync(path).size);
  await appendFile(path, trailer({ size, sum, rows, rowsSum }));
  const descriptor = openRegularFile(path, 'r+');
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

/** Whether a file is, to the last byte, one that was sealed over these rows. False as well for one that cannot be read. */
export function isSealed(path: string, rows: number, rowsSum: number): boolean {
  try {
    const { size, sum, rest } = contentOf(path, statSync(path).size - TRAILER_BYTES);
    return rest.equals(trailer({ size, sum, rows, rowsSum }));
  } catch {
    // It cannot be read, and is made again.
    return false;
  }
}

interface Content {
  size: number;
  sum: number;
}

/** The checksum of the first `size` bytes, and what comes behind them. */
function contentOf(path: string, size: number): Content & { rest: Buffer } {
  const descriptor = openRegularFile(path, 'r');
  try {
    const block = Buffer.alloc(BLOCK_BYTES);
    let sum = 0;
    for (let at = 0; at < size; ) {
      const read = readSync(descriptor, block, 0, Math.min(block.length, size - at), at);
      if (read === 0) throw new Error(`${path} was cut off`);
      sum = crc32(block.subarray(0, read), sum);
      at += read;
    }
    const rest = Buffer.alloc(Math.max(0, fstatSync(descriptor).size - size));
    readSync(descriptor, rest, 0, rest.length, Math.max(0, size));
    return { size, sum, rest };
  } finally {
    closeSync(descriptor);
  }
}

function trailer({
  size,
  sum,
  rows,
  rowsSum,
}: Content & { rows: number; rowsSum: number }): Buffer {
  const bytes = Buffer.alloc(TRAILER_BYTES);
  bytes.write(MAGIC, 'latin1');
  bytes.writeUInt32LE(FORMAT, 8);
  bytes.writeUInt32LE(rows, 12);
  bytes.writeBigUInt64LE(BigInt(size), 16);
  bytes.writeUInt32LE(sum, 24);
  bytes.writeUInt32LE(rowsSum, 28);
  bytes.writeUInt32LE(crc32(bytes.subarray(0, 36)), 36);
  return bytes;
}
