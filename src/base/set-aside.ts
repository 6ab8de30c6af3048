import { readdirSync, renameSync, rmSync, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { LocusError } from '../shared/errors.ts';
import { FileLock, ForeignLockFile } from './file-lock.ts';
import { log } from './log.ts';

const SIDE_FILES = ['', '-wal', '-shm'];
const ASIDE = /\.damaged-\d+(-wal|-shm)?$/;
const PATIENCE_MS = 10_000;

/**
 * Runs `work` while no other process opens the database of this lock or moves it aside: SQLite finds side files by
 * name, and must not find those of another database. Who has it open already goes on with the file it has.
 * @throws LocusError `busy` when another process is at it for long.
 */
export function whileOpening<T>(lockPath: string, work: () => T): T {
  using _lock = hold(lockPath);
  return work();
}

/** Null where no file can be made or written: nothing can be moved aside there either. */
function hold(path: string): FileLock | null {
  let lock: FileLock | null = null;
  try {
    lock = new FileLock(path, { waitMs: PATIENCE_MS });
    if (lock.acquire()) return lock;
  } catch (error) {
    lock?.close();
    if (error instanceof ForeignLockFile) throw error;
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
  log('data-damaged', { file: basename(path) === 'app.db' ? 'app' : 'index' });
  return moveFiles(path, `${path}.damaged-${Date.now()}`);
}

/**
 * Moves the side files of a database that a killed process had moved out of the way: SQLite would take them for those of the next
 * database at `path`. Call in `whileOpening`. Returns where the database went.
 */
export function finishSettingAside(path: string): string {
  const asides = filesAside(dirname(path)).map((file) => file.path);
  const moved = asides.findLast((aside) => aside.startsWith(path) && /\d$/.test(aside));
  return moved === undefined ? setAside(path) : moveFiles(path, moved);
}

function moveFiles(path: string, aside: string): string {
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
