import { readdirSync, renameSync, rmSync, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { LocusError } from '../shared/errors.ts';
import { FileLock, ForeignLockFile } from './file-lock.ts';
import { log } from './log.ts';

const SIDE_FILES = ['', '-wal', '-shm'];
const QUARANTINED = /\.damaged-\d+(-wal|-shm)?$/;
const MAX_WAIT_MS = 10_000;

/**
 * Runs `work` while no other process opens or quarantines the database of this lock: SQLite finds side files by name, and must not find
 * those of another database. Processes that already have the database open continue with their file.
 * @throws LocusError `busy` if another process holds the lock for a long time.
 */
export function runWhileOpening<T>(lockPath: string, work: () => T): T {
  using _lock = acquireLock(lockPath);
  return work();
}

/** Acquires the lock. Returns null if files cannot be created or written there, since nothing can be quarantined then either. */
function acquireLock(path: string): FileLock | null {
  let lock: FileLock | null = null;
  try {
    lock = new FileLock(path, { waitMs: MAX_WAIT_MS });
    if (lock.acquire()) return lock;
  } catch (error) {
    lock?.close();
    if (error instanceof ForeignLockFile) throw error;
    return null;
  }
  lock.close();
  throw new LocusError(
    'busy',
    `Another Locus process has been opening ${dirname(path)} for a long time.`,
    'Wait until it has finished, or stop it and try again.',
  );
}

/** Moves a damaged database and its side files away, and returns its new path. Call inside `runWhileOpening`. */
export function quarantine(path: string): string {
  log('data-damaged', { file: basename(path) === 'app.db' ? 'app' : 'index' });
  return moveFiles(path, `${path}.damaged-${Date.now()}`);
}

/**
 * Moves the side files of a database that a process quarantined before it was killed: SQLite would use them for the next database at
 * `path`. Returns the path of the quarantined database. Call inside `runWhileOpening`.
 */
export function finishQuarantine(path: string): string {
  const asides = listQuarantined(dirname(path)).map((file) => file.path);
  const moved = asides.findLast((aside) => aside.startsWith(path) && /\d$/.test(aside));
  return moved === undefined ? quarantine(path) : moveFiles(path, moved);
}

function moveFiles(path: string, aside: string): string {
  for (const suffix of SIDE_FILES) {
    // The database is moved first. If that fails, as on Windows while another process has it open, nothing has been moved.
    if (statSync(path + suffix, { throwIfNoEntry: false }))
      renameSync(path + suffix, aside + suffix);
  }
  return aside;
}

/** Removes a database and its side files. Call inside `runWhileOpening`. */
export function removeDatabase(path: string): void {
  for (const suffix of SIDE_FILES) rmSync(path + suffix, { force: true });
}

/** Returns the quarantined files in a folder with their sizes, newest last. */
export function listQuarantined(folder: string): { path: string; bytes: number }[] {
  return readdirSync(folder)
    .filter((name) => QUARANTINED.test(name))
    .sort()
    .map((name) => ({ path: join(folder, name), bytes: statSync(join(folder, name)).size }));
}

/** Removes the quarantined files of a database, except for `kept` and its side files. */
export function removeOlderQuarantined(path: string, kept: string): void {
  for (const { path: aside } of listQuarantined(dirname(path)))
    if (basename(aside).startsWith(`${basename(path)}.damaged-`) && !aside.startsWith(kept))
      rmSync(aside, { force: true });
}

/** Returns the identity of a file on disk, to distinguish it from another file of the same name. */
export function getFileIdentity(path: string): string {
  const { dev, ino } = statSync(path, { bigint: true });
  return `${dev}:${ino}`;
}
