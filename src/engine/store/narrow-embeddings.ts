/**
 * Files of embeddings as they were before a number took eight bits: `embeddings-<model>-<generation>.rows`, each row a key,
 * numbers of 16 bits, and a checksum, behind the header that there still is.
 */
import { closeSync, fstatSync, openSync, readdirSync, readSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Database } from 'better-sqlite3';
import { LocusError } from '../../shared/errors.ts';
import { quantize } from '../vectors/quantized.ts';
import { checksum } from './checksum.ts';
import { EmbeddingRows } from './embedding-rows.ts';
import type { NewRow } from './row-file.ts';
import { type EmbeddingModel, HEADER_BYTES, KEY_BYTES, modelOfHeader } from './row-format.ts';
import { headerOf, removeIfPossible } from './row-generations.ts';

const NAME = /^embeddings-([0-9a-f]{12})-(\d{1,9})\.rows(\.new)?$/;
/** What a number was for 1. */
const SCALE = 32767;
const SUM_BYTES = 4;
const READ_AT_ONCE = 1_000;

/**
 * Writes files of rows anew with eight bits a number, as part of the step that brings these. Where there is no room for one,
 * its embeddings go, and are made again when the index is next brought up to date.
 */
export function narrowEmbeddings(database: Database): void {
  if (database.memory) return;
  const folder = dirname(database.name);
  const done = new Set<string>();
  for (const { path, digest, unfinished } of olderFiles(folder)) {
    // Of several generations the newest counts.
    if (!unfinished && !done.has(digest)) narrowIfPossible(folder, path);
    done.add(digest);
    removeIfPossible(path);
  }
}

/** The newest first. */
function olderFiles(folder: string): { path: string; digest: string; unfinished: boolean }[] {
  return readdirSync(folder)
    .flatMap((name) => {
      const [, digest, number, unfinished] = NAME.exec(name) ?? [];
      if (digest === undefined) return [];
      return { path: join(folder, name), digest, number: Number(number), unfinished: !!unfinished };
    })
    .sort((a, b) => b.number - a.number);
}

function narrowIfPossible(folder: string, path: string): void {
  try {
    narrow(folder, path);
  } catch (error) {
    // No room, no permission, or the system's word for a file that cannot be read: what was written so far counts.
    if (!(error instanceof LocusError) && !(error as NodeJS.ErrnoException).code) throw error;
  }
}

function narrow(folder: string, path: string): void {
  const model = modelOfHeader(headerOf(path));
  if (!model) return;
  const descriptor = openSync(path, 'r');
  try {
    copyRows(descriptor, model, folder);
  } finally {
    closeSync(descriptor);
  }
}

function copyRows(descriptor: number, model: EmbeddingModel, folder: string): void {
  const rows = new EmbeddingRows(folder, model, false);
  try {
    rows.refresh();
    for (const batch of olderRows(descriptor, model))
      rows.append(batch.filter(({ key }) => !rows.has(key)));
  } finally {
    rows.close();
  }
}

/** The whole rows, some at a time. */
function* olderRows(
  descriptor: number,
  { key: name, dimensions }: EmbeddingModel,
): Generator<NewRow[], void> {
  const numberBytes = dimensions * Int16Array.BYTES_PER_ELEMENT;
  const rowBytes = KEY_BYTES + numberBytes + SUM_BYTES;
  const seed = checksum([name, dimensions]);
  const block = Buffer.alloc(READ_AT_ONCE * rowBytes);
  const { size } = fstatSync(descriptor);
  for (let position = HEADER_BYTES; position < size; position += block.length) {
    const read = readSync(descriptor, block, 0, block.length, position);
    const batch: NewRow[] = [];
    for (let at = 0; at + rowBytes <= read; at += rowBytes) {
      const sumAt = at + rowBytes - SUM_BYTES;
      if (checksum([block.subarray(at, sumAt)], seed) !== block.readUInt32LE(sumAt)) continue;
      const key = Buffer.from(block.subarray(at, at + KEY_BYTES));
      const numbers = new Int16Array(block.buffer, block.byteOffset + at + KEY_BYTES, dimensions);
      batch.push({ key, vector: quantize(Float32Array.from(numbers, (x) => x / SCALE)) });
    }
    yield batch;
  }
}
