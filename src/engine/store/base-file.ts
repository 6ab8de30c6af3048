/**
 * Files of HNSW indexes over the first rows of a file of embeddings: `embeddings-<model>-<generation>-<rows>.hnsw`.
 *
 * A file is what usearch writes, followed by a trailer. The trailer is checked before the file is mapped, because usearch
 * trusts the files that it maps. Rows are only ever added to a generation, so an index over its first rows stays valid as
 * long as the generation exists. Windows doesn't allow a mapped file to be replaced, so an index over more rows gets a new name.
 */
import { closeSync, fstatSync, fsyncSync, readSync, statSync } from 'node:fs';
import { appendFile } from 'node:fs/promises';
import { join } from 'node:path';
import { crc32 } from 'node:zlib';
import { openRegularFile } from '../../base/regular-file.ts';
import type { EmbeddingRow } from './row-file.ts';
import {
  findNewest,
  listFolder,
  type RowFileGeneration,
  removeIfPossible,
  sumFileSizes,
} from './row-generations.ts';

const NAME = /^embeddings-([0-9a-f]{12})-(\d{1,9})-(\d{1,9})\.hnsw(\.new)?$/;
const MAGIC = 'LocusHNS';
/** Version of the trailer and of usearch's build options. A file with another version counts as damaged and is rebuilt. */
const FORMAT = 1;
const TRAILER_BYTES = 40;
const BLOCK_BYTES = 1 << 20;

export interface BaseIndexFile {
  path: string;
  /** Digest of the model; see `hashModel`. */
  digest: string;
  /** Generation of the file of embeddings that it indexes. */
  generation: number;
  /** Number of rows that it covers, damaged ones included. */
  rows: number;
  /** True if the file is still being written. Nobody reads it then. */
  unfinished: boolean;
}

export function getBasePath(
  folder: string,
  digest: string,
  generation: number,
  rows: number,
): string {
  return join(folder, `embeddings-${digest}-${generation}-${rows}.hnsw`);
}

/** Returns all base index files in a folder, those with the most rows first. */
export function listBaseFiles(folder: string): BaseIndexFile[] {
  return listFolder(folder)
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

/** Returns the total size of the base index files in a folder, in bytes. */
export const sumBaseBytes = (folder: string): number => sumFileSizes(listBaseFiles(folder));

/** Removes base index files of generations that no longer exist. On Windows, a file that is still mapped stays until the next call. */
export function removeStrayBases(folder: string, generations: readonly RowFileGeneration[]): void {
  for (const { path, digest, generation } of listBaseFiles(folder))
    if (findNewest(generations, digest)?.number !== generation) removeIfPossible(path);
}

/** Checksum of the rows that an index covers: of the numbers and keys of those that are intact. */
export class RowsChecksum {
  #sum = 0;
  readonly #number = Buffer.alloc(4);

  add({ row, key }: EmbeddingRow): void {
    this.#number.writeUInt32LE(row);
    this.#sum = crc32(key, crc32(this.#number, this.#sum));
  }

  get value(): number {
    return this.#sum;
  }
}

/** Appends the trailer to a file that usearch wrote, and flushes the file to disk. */
export async function sealBaseFile(path: string, rows: number, rowsSum: number): Promise<void> {
  const { size, sum } = readContent(path, statSync(path).size);
  await appendFile(path, createTrailer({ size, sum, rows, rowsSum }));
  const descriptor = openRegularFile(path, 'r+');
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

/** Returns true if a file is, to the last byte, one that was sealed over these rows. Returns false for an unreadable file. */
export function isSealedBaseFile(path: string, rows: number, rowsSum: number): boolean {
  try {
    const { size, sum, rest } = readContent(path, statSync(path).size - TRAILER_BYTES);
    return rest.equals(createTrailer({ size, sum, rows, rowsSum }));
  } catch {
    // An unreadable file is rebuilt.
    return false;
  }
}

interface Content {
  size: number;
  sum: number;
}

/** Returns the checksum of the first `size` bytes, and the bytes that follow them. */
function readContent(path: string, size: number): Content & { rest: Buffer } {
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

function createTrailer({
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
