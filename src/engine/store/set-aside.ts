import { readdirSync, renameSync, rmSync, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { LocusError } from '../../shared/errors.ts';
import { FileLock } from './file-lock.ts';

const SIDE_FILES = ['', '-wal', '-shm'];
const ASIDE = /\.damaged-\d+(-wal|-shm)?$/;
const PATIENCE_MS = 10_000;

/**
 * Runs `work` while no other process opens the database of this lock or moves it aside: SQLite finds side files by
 * name, and must not find those of another database. Who has it open already goes on with the file it has.
 * @throws LocusError `busy` when another process is at it for long.
 */
export function whileOpening<T>(lockPath: string, work: () => T): T {
  const lock = hold(lockPath);
  try {
    return work();
  } finally {
    lock?.release();
    lock?.close();
  }
}

/** Null where no file can be made or written: nothing can be moved aside there either. */
function hold(path: string): FileLock | null {
  let lock: FileLock | null = null;
  try {
    lock = new FileLock(path, PATIENCE_MS);
    if (lock.acquire()) return lock;
  } catch {
    lock?.close();
    return null;
  }
  lock.close();
  throw new LocusError(
    'busy',
    `another Locus process has been opening ${dirname(path)} for a long time`,
    'wait for it, or stop it and try again',
  );
}

/** Moves a damaged database and its side files out of the way; call in `whileOpening`. Returns where it went. */
export function setAside(path: string): string {
  const aside = `${path}.damaged-${Date.now()}`;
  for (const suffix of SIDE_FILES) {
    // The database first: when that fails, as it does on Windows while another process has it open, nothing was moved.
    if (statSync(path + suffix, { throwIfNoEntry: false }))
      renameSync(path + suffix, aside + suffix);
  }
  return aside;
}

/** Removes a database and its side files; call in `whileOpening`. */
export function remove(path: string): void {
  for (const suffix of SIDE_FILES) rmSync(path + suffix, { force: true });
}

/** The files in a folder that were set aside, with their sizes, the newest last. */
export function filesAside(folder: string): { path: string; bytes: number }[] {
  return readdirSync(folder)
    .filter((name) => ASIDE.test(name))
    .sort()
    .map((name) => ({ path: join(folder, name), bytes: statSync(join(folder, name)).size }));
}

/** Removes what was set aside of this database, but for the file that is `kept`. */
export function removeOlderAside(path: string, kept: string): void {
  for (const { path: aside } of filesAside(dirname(path)))
    if (basename(aside).startsWith(`${basename(path)}.damaged-`) && !aside.startsWith(kept))
      rmSync(aside, { force: true });
}

/** What tells a file from another one of the same name. */
export function identityOf(path: string): string {
  const { dev, ino } = statSync(path, { bigint: true });
  return `${dev}:${ino}`;
}
