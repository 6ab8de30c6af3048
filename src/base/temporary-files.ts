/**
 * Temporary files, which are renamed to their final path once they are complete. A killed process leaves one behind, so later writes to
 * the same folder remove those older than a day.
 */
import { randomBytes } from 'node:crypto';
import { lstatSync, readdirSync, rmSync, type Stats } from 'node:fs';
import { lstat, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';

/** Pattern of their names. They are short, so that they are valid wherever the final name is. */
const NAME = /^\.locus-[0-9a-f]{12}\.tmp$/;

/** Age from which a file counts as abandoned. No write takes that long, even if the clock of a drive is wrong by hours. */
const ABANDONED_MS = 24 * 3600_000;

/** Returns a new path for a temporary file in a folder. */
export function createTemporaryPath(folder: string): string {
  return join(folder, `.locus-${randomBytes(6).toString('hex')}.tmp`);
}

/** Removes temporary files of killed processes from a folder, if possible. */
export function removeAbandonedFiles(folder: string): void {
  try {
    for (const path of readdirSync(folder).flatMap((name) => toTemporaryPaths(folder, name)))
      if (isAbandoned(lstatSync(path))) rmSync(path, { force: true });
  } catch {
    // The folder is missing or read-only, or another process has already removed the file.
  }
}

/** Does the same without blocking the thread, for folders on a network drive. */
export async function removeAbandonedFilesAsync(folder: string): Promise<void> {
  try {
    for (const path of (await readdir(folder)).flatMap((name) => toTemporaryPaths(folder, name)))
      if (isAbandoned(await lstat(path))) await rm(path, { force: true });
  } catch {
    // As above.
  }
}

const toTemporaryPaths = (folder: string, name: string): string[] =>
  NAME.test(name) ? [join(folder, name)] : [];

const isAbandoned = (found: Stats): boolean =>
  found.isFile() && Date.now() - found.mtimeMs > ABANDONED_MS;
