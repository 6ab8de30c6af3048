/**
 * Files that are written beside their place and moved there once they are whole. A killed process leaves one behind, so whoever writes to
 * the same folder a day later removes it.
 */
import { randomBytes } from 'node:crypto';
import { lstatSync, readdirSync, rmSync, type Stats } from 'node:fs';
import { lstat, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';

/** Short, since the name of the file that takes its place may be as long as names can be. */
const NAME = /^\.locus-[0-9a-f]{12}\.tmp$/;

/** No file takes as long to write, on a drive whose clock is wrong by hours too. */
const ABANDONED_MS = 24 * 3600_000;

/** Returns a path in a folder for a file that is to get another name there: a new one each time. */
export function temporaryPath(folder: string): string {
  return join(folder, `.locus-${randomBytes(6).toString('hex')}.tmp`);
}

/** Removes temporary files of killed processes from a folder, as far as that is possible. */
export function removeAbandoned(folder: string): void {
  try {
    for (const path of readdirSync(folder).flatMap((name) => pathOf(folder, name)))
      if (isAbandoned(lstatSync(path))) rmSync(path, { force: true });
  } catch {
    // The folder is missing or may not be changed, or another process was faster.
  }
}

/** Does the same without blocking the thread, for folders on a network drive. */
export async function removeAbandonedAsync(folder: string): Promise<void> {
  try {
    for (const path of (await readdir(folder)).flatMap((name) => pathOf(folder, name)))
      if (isAbandoned(await lstat(path))) await rm(path, { force: true });
  } catch {
    // As above.
  }
}

const pathOf = (folder: string, name: string): string[] =>
  NAME.test(name) ? [join(folder, name)] : [];

const isAbandoned = (found: Stats): boolean =>
  found.isFile() && Date.now() - found.mtimeMs > ABANDONED_MS;
