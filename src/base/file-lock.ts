import {
  closeSync,
  constants,
  fstatSync,
  ftruncateSync,
  lstatSync,
  openSync,
  rmSync,
  statSync,
  writeSync,
} from 'node:fs';
import { dirname } from 'node:path';
import Sqlite from 'better-sqlite3';
import { LocusError } from '../shared/errors.ts';
import { pause, throwIfCancelled } from './cancel.ts';
import { isDamage } from './damage.ts';
import { defer } from './defer.ts';
import { PRIVATE_FILE } from './private.ts';
import { openSqlite } from './sqlite.ts';
import { removeAbandoned } from './temporary-files.ts';
import { describeKind, FILE_BITS, NO_FOLLOW } from './untrusted-folder.ts';
import { createFile } from './write-file.ts';

/** Marks a lock file as one of Locus: "LCLK", in the header that SQLite keeps for it. */
const APPLICATION_ID = 0x4c434c4b;

/** Files that SQLite would take for parts of the lock file. Locus makes none. */
const SIDE_FILES = ['-journal', '-wal', '-shm'];

const POLL_MS = 20;
const TELL_AFTER_MS = 2_000;

export interface FileLockOptions {
  /** Milliseconds that `acquire` waits for another holder, blocking the thread. Default 0. */
  waitMs?: number;
  /**
   * True in a folder that other people write to. A file there that is no lock of Locus is refused, and whoever may write to the folder may
   * take the lock. Otherwise such a file is damage, and is repaired.
   */
  shared?: boolean;
  onRepair?: (note: string) => void;
}

/** The path of a lock is taken by something else. Nothing was changed. */
export class ForeignLockFile extends LocusError {
  constructor(path: string, what: string) {
    super(
      'bad-store',
      `${path} is ${what}, not a lock file of Locus.`,
      'Move it away; Locus makes the lock file that belongs there.',
    );
    this.name = 'ForeignLockFile';
  }
}

/**
 * A lock between processes: an exclusive transaction on a small SQLite database of its own, which is never written to. The operating
 * system releases it when its holder dies, however it dies. No link is followed and no file of another program is changed.
 */
export class FileLock {
  readonly #path: string;
  readonly #options: FileLockOptions;
  readonly #database: Sqlite.Database;

  /** @throws ForeignLockFile, or the system's or SQLite's error if the file cannot be opened or made. */
  constructor(path: string, options: FileLockOptions = {}) {
    this.#path = path;
    this.#options = options;
    removeAbandoned(dirname(path));
    if (!lstatSync(path, { throwIfNoEntry: false })) createLockFile(path, options.shared ?? false);
    const problem = findProblem(path);
    if (problem !== null) this.#repair(problem);
    this.#database = openSqlite(path, { timeout: options.waitMs ?? 0, fileMustExist: true });
  }

  /**
   * Takes the lock. Returns false while another holder has it.
   * @throws ForeignLockFile
   */
  acquire(): boolean {
    try {
      return this.#begin();
    } catch (error) {
      if (!isDamage(error)) throw error;
      this.#repair('a file of another program');
      return this.#begin();
    }
  }

  /**
   * Takes the lock as soon as no other holder has it, without blocking the thread.
   * @param options.work what waits, as "Indexing"
   * @param options.onWait runs once, after 2 seconds: most holders are done by then
   * @returns false if another holder has it after `waitMs`
   * @throws ForeignLockFile; LocusError `cancelled`
   */
  async acquireLater(options: {
    waitMs: number;
    work: string;
    signal?: AbortSignal | undefined;
    onWait?: (() => void) | undefined;
  }): Promise<boolean> {
    const { waitMs, work, signal, onWait } = options;
    const start = performance.now();
    let isTold = false;
    while (!this.acquire()) {
      throwIfCancelled(signal, work);
      const waited = performance.now() - start;
      if (waited > waitMs) return false;
      if (!isTold && waited > TELL_AFTER_MS) {
        isTold = true;
        onWait?.();
      }
      await pause(POLL_MS, signal, work);
    }
    return true;
  }

  release(): void {
    // A failing disk has rolled it back already.
    if (this.#database.inTransaction) this.#database.exec('ROLLBACK');
  }

  close(): void {
    this.#database.close();
  }

  [Symbol.dispose](): void {
    this.release();
    this.close();
  }

  #begin(): boolean {
    try {
      // A journal on disk would need space there, and nothing is ever written that it could restore.
      this.#database.exec('PRAGMA journal_mode = MEMORY; BEGIN EXCLUSIVE');
    } catch (error) {
      if (error instanceof LocusError && error.code === 'busy') return false;
      throw error;
    }
    if (this.#database.pragma('application_id', { simple: true }) === APPLICATION_ID) return true;
    this.release();
    throw new ForeignLockFile(this.#path, 'a database of another program');
  }

  /**
   * Writes the lock file's content in place, so that all processes go on locking the same file, whoever repairs it first or again. SQLite
   * found no lock in what was there, so nobody holds one.
   */
  #repair(problem: string): void {
    const { shared = false, onRepair } = this.#options;
    if (shared) throw new ForeignLockFile(this.#path, problem);
    for (const suffix of SIDE_FILES) rmSync(this.#path + suffix, { force: true });
    rewriteLockFile(this.#path);
    onRepair?.(`The lock file ${this.#path} was damaged and was repaired.`);
  }
}

/** Runs `work` while holding the lock of a file, which it may make. Returns null, and runs nothing, while another holder has it. */
export async function whileFree<T>(path: string, work: () => Promise<T>): Promise<T | null> {
  using lock = new FileLock(path);
  return lock.acquire() ? await work() : null;
}

/** The content of a lock file: an empty database of one page. */
const lockFileContent = (() => {
  let content: Buffer | null = null;
  return (): Buffer => {
    if (content) return content;
    const database = new Sqlite(':memory:');
    database.pragma('page_size = 512');
    database.pragma(`application_id = ${APPLICATION_ID}`);
    content = database.serialize();
    database.close();
    return content;
  };
})();

/** Creates a lock file, unless another process is faster. */
function createLockFile(path: string, shared: boolean): void {
  const mode = shared ? statSync(dirname(path)).mode & FILE_BITS : PRIVATE_FILE;
  createFile(path, lockFileContent(), mode);
}

/** Says what is wrong with a lock file, as far as that shows without opening it; null for nothing. */
function findProblem(path: string): string | null {
  const found = lstatSync(path);
  if (!found.isFile()) return describeKind(found);
  if (found.size !== lockFileContent().length) return 'a file of another program';
  const side = SIDE_FILES.find((suffix) => lstatSync(path + suffix, { throwIfNoEntry: false }));
  return side === undefined ? null : `a file with ${side} beside it`;
}

/** @throws ForeignLockFile for anything but a regular file. */
function rewriteLockFile(path: string): void {
  const found = lstatSync(path);
  if (!found.isFile()) throw new ForeignLockFile(path, describeKind(found));
  const file = openSync(path, constants.O_RDWR | NO_FOLLOW);
  using _end = defer(() => closeSync(file));
  if (fstatSync(file).ino !== found.ino) throw new ForeignLockFile(path, 'replaced');
  const content = lockFileContent();
  writeSync(file, content, 0, content.length, 0);
  ftruncateSync(file, content.length);
}
