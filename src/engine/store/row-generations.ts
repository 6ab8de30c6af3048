/**
 * Lists and removes files of embeddings: `embeddings-<model>-<generation>.rows8`. The model is a digest, since model ids may
 * contain characters that file systems reject. Windows doesn't allow a file that is open elsewhere to be replaced. A rewrite
 * therefore creates a new generation next to the old one, which is removed as soon as possible.
 */
import { createHash } from 'node:crypto';
import { closeSync, readdirSync, readSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { openRegularFile } from '../../base/regular-file.ts';
import { type EmbeddingModel, HEADER_BYTES, parseHeader } from './row-format.ts';

/** Folder inside an index's folder, for the rows of rerankers. */
export const RERANKER_FOLDER = 'reranker';

const NAME = /^embeddings-([0-9a-f]{12})-(\d{1,9})\.rows8(\.new)?$/;

export interface RowFileGeneration {
  path: string;
  /** Digest of the model; see `hashModel`. */
  digest: string;
  number: number;
  /** True if the file is still being written. Nobody reads it then. */
  isUnfinished: boolean;
}

export function hashModel({ key, dimensions }: EmbeddingModel): string {
  return createHash('sha256').update(`${key}\0${dimensions}`).digest('hex').slice(0, 12);
}

/** Returns all files of embeddings in a folder, for all models, newest first. */
export function listGenerations(folder: string): RowFileGeneration[] {
  return listFolder(folder)
    .flatMap((name): RowFileGeneration[] => {
      const [, digest, number, unfinished] = NAME.exec(name) ?? [];
      return digest === undefined
        ? []
        : [
            {
              path: join(folder, name),
              digest,
              number: Number(number),
              isUnfinished: !!unfinished,
            },
          ];
    })
    .sort((a, b) => b.number - a.number);
}

/** Returns the newest finished generation of a model, or undefined. */
export function findNewest(
  all: readonly RowFileGeneration[],
  digest: string,
): RowFileGeneration | undefined {
  return all.find((one) => one.digest === digest && !one.isUnfinished);
}

/** Returns the models that have files in a folder. Files with damaged headers are skipped. */
export function listModels(folder: string): EmbeddingModel[] {
  const all = listGenerations(folder);
  return [...new Set(all.map(({ digest }) => digest))].flatMap((digest) => {
    const path = findNewest(all, digest)?.path;
    const model = path === undefined ? null : parseHeader(readHeader(path));
    return model && hashModel(model) === digest ? model : [];
  });
}

/** Returns the header of a file of rows; empty if the file is unreadable. */
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
    // An empty header is skipped like a damaged one.
    return bytes.subarray(0, 0);
  }
}

export function getGenerationPath(folder: string, digest: string, number: number): string {
  return join(folder, `embeddings-${digest}-${number}.rows8`);
}

/**
 * Removes old generations and unfinished files of a model. Call while holding the writer lock. On Windows, a file that is open
 * elsewhere stays until the next call.
 */
export function removeOldGenerations(folder: string, digest: string): void {
  const all = listGenerations(folder);
  const current = findNewest(all, digest);
  for (const one of all)
    if (one.digest === digest && one.path !== current?.path) removeIfPossible(one.path);
}

export function removeIfPossible(path: string): void {
  try {
    rmSync(path, { force: true });
  } catch {
    // It is open elsewhere or belongs to another user. Leaving it does no harm.
  }
}

/** Returns the total size of the files of embeddings in a folder, in bytes. */
export const sumRowBytes = (folder: string): number => sumFileSizes(listGenerations(folder));

/** Returns the total size of files in bytes. Missing files count as empty. */
export function sumFileSizes(files: readonly { path: string }[]): number {
  return files.reduce(
    (sum, { path }) => sum + (statSync(path, { throwIfNoEntry: false })?.size ?? 0),
    0,
  );
}

/** Returns the names in a folder; none if it is missing or unreadable. */
export function listFolder(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    // Missing or unreadable.
    return [];
  }
}
