/**
 * The names of files of embeddings: `embeddings-<model>-<generation>.rows8`, the model as a digest, since ids may hold
 * what no file system takes. A file that may be open elsewhere is never replaced, which Windows would refuse: what is
 * written anew is a new generation beside it, and the old one is removed, at the next occasion if not at once.
 */
import { createHash } from 'node:crypto';
import { closeSync, readdirSync, readSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { openRegularFile } from '../../base/regular-file.ts';
import { type EmbeddingModel, HEADER_BYTES, modelOfHeader } from './row-format.ts';

/** In an index's folder: rows that models of the second step made. */
export const READ_FOLDER = 'read';

const NAME = /^embeddings-([0-9a-f]{12})-(\d{1,9})\.rows8(\.new)?$/;

export interface Generation {
  path: string;
  /** Of which model; see `digestOf`. */
  digest: string;
  number: number;
  /** Being written; nobody reads it. */
  unfinished: boolean;
}

export function digestOf({ key, dimensions }: EmbeddingModel): string {
  return createHash('sha256').update(`${key}\0${dimensions}`).digest('hex').slice(0, 12);
}

/** All there are in a folder, of all models, the newest of each first. */
export function generationsIn(folder: string): Generation[] {
  return namesIn(folder)
    .flatMap((name) => {
      const [, digest, number, unfinished] = NAME.exec(name) ?? [];
      return digest === undefined
        ? []
        : { path: join(folder, name), digest, number: Number(number), unfinished: !!unfinished };
    })
    .sort((a, b) => b.number - a.number);
}

/** The newest of a model; undefined before there is one. */
export function newest(all: readonly Generation[], digest: string): Generation | undefined {
  return all.find((one) => one.digest === digest && !one.unfinished);
}

/** The models that a folder has files of, but for files whose headers are damaged. */
export function modelsIn(folder: string): EmbeddingModel[] {
  const all = generationsIn(folder);
  return [...new Set(all.map(({ digest }) => digest))].flatMap((digest) => {
    const path = newest(all, digest)?.path;
    const model = path === undefined ? null : modelOfHeader(readHeader(path));
    return model && digestOf(model) === digest ? model : [];
  });
}

/** The header of a file of rows; empty for a file that cannot be read. */
function readHeader(path: string): Buffer {
  const bytes = Buffer.alloc(HEADER_BYTES);
  try {
    const descriptor = openRegularFile(path, 'r');
    try {
      return bytes.subarray(0, readSync(descriptor, bytes, 0, HEADER_BYTES, 0));
    } finally {
      closeSync(descriptor);
    }
  } catch {
    // Without a header it is no generation.
    return bytes.subarray(0, 0);
  }
}

export function generationPath(folder: string, digest: string, number: number): string {
  return join(folder, `embeddings-${digest}-${number}.rows8`);
}

/**
 * Removes files of a model that a newer generation has taken the place of, and what was never finished. Call while
 * holding the writer lock. What Windows keeps because somebody has it open stays until the next time.
 */
export function removeOld(folder: string, digest: string): void {
  const all = generationsIn(folder);
  const current = newest(all, digest);
  for (const one of all)
    if (one.digest === digest && one.path !== current?.path) removeIfPossible(one.path);
}

export function removeIfPossible(path: string): void {
  try {
    rmSync(path, { force: true });
  } catch {
    // Open elsewhere, or not ours to remove: it does no harm.
  }
}

/** Bytes of all of them. */
export const bytesOfRows = (folder: string): number => bytesOf(generationsIn(folder));

/** Bytes of files; one that is not there has none. */
export function bytesOf(files: readonly { path: string }[]): number {
  return files.reduce(
    (sum, { path }) => sum + (statSync(path, { throwIfNoEntry: false })?.size ?? 0),
    0,
  );
}

/** None where the folder is not there yet, or cannot be listed. */
export function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    // It is missing or unreadable.
    return [];
  }
}
