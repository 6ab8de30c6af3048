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
import { removeAbandonedFiles } from './temporary-files.ts';
import { describeKind, FILE_BITS, NO_FOLLOW } from './untrusted-folder.ts';
import { createFile } from './write-file.ts';

/** SQLite application id that marks a lock file of Locus: "LCLK". */
const APPLICATION_ID = 0x4c434c4b;

/** Suffixes of files that SQLite would treat as parts of the lock file. Locus creates none. */
const SIDE_FILES = ['-journal', '-wal', '-shm'];

const POLL_MS = 20;
const NOTIFY_AFTER_MS = 2_000;

export interface FileLockOptions {
  /** Milliseconds that `acquire` waits for another holder, blocking the thread. Default 0. */
  waitMs?: number;
  /**
   * True in a folder that other users write to. A file there that is not a lock of Locus is refused, and anyone who may write to the
   * folder may acquire the lock. If false, such a file counts as damaged and is repaired.
   */
  shared?: boolean;
  onRepair?: (note: string) => void;
}

/** Error for a lock path that another file occupies. Nothing was changed. */
export class ForeignLockFile extends LocusError {
  constructor(path: string, what: string) {
    super(
      'bad-store',
      `${path} is ${what}, not a lock file of Locus.`,
      'Move it away. Locus then creates its lock file.',
    );
    this.name = 'ForeignLockFile';
  }
}

/**
 * Lock between processes: an exclusive transaction on a small SQLite database, which is never written to. The operating system
 * releases the lock when its holder ends in any way. No link is followed, and no file of another program is changed.
 */
export class FileLock {
  readonly #path: string;
  readonly #options: FileLockOptions;
  readonly #database: Sqlite.Database;

  /** @throws ForeignLockFile; the system's or SQLite's error if the file cannot be opened or created */
  constructor(path: string, options: FileLockOptions = {}) {
    this.#path = path;
    this.#options = options;
    removeAbandonedFiles(dirname(path));
    if (!lstatSync(path, { throwIfNoEntry: false })) createLockFile(path, options.shared ?? false);
    const problem = findProblem(path);
    if (problem !== null) this.#repair(problem);
    this.#database = openSqlite(path, { timeout: options.waitMs ?? 0, fileMustExist: true });
  }

  /**
   * Acquires the lock. Returns false while another holder has it.
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
   * Acquires the lock as soon as no other holder has it, without blocking the thread.
   * @param options.work name of the work that waits, such as "Indexing"
   * @param options.onWait called once after 2 seconds, since most holders have finished by then
   * @returns false if another holder still has it after `waitMs`
   * @throws ForeignLockFile; LocusError `cancelled`
   */
  async waitAndAcquire(options: {
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
      if (!isTold && waited > NOTIFY_AFTER_MS) {
        isTold = true;
        onWait?.();
      }
      await pause(POLL_MS, signal, work);
    }
    return true;
  }

  release(): void {
    // A disk failure has already rolled it back.
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
      // A journal on disk would need space, and there is nothing to restore, since nothing is ever written.
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
   * Rewrites the lock file in place, so that all processes keep locking the same file even if several repair it. Nobody holds the lock,
   * since SQLite could not read the file.
   */
  #repair(problem: string): void {
    const { shared = false, onRepair } = this.#options;
    if (shared) throw new ForeignLockFile(this.#path, problem);
    for (const suffix of SIDE_FILES) rmSync(this.#path + suffix, { force: true });
    rewriteLockFile(this.#path);
    onRepair?.(`The lock file ${this.#path} was damaged and was repaired.`);
  }
}

/** Runs `work` while holding a lock, whose file it may create. Returns null without running it if another holder has the lock. */
export async function runIfFree<T>(path: string, work: () => Promise<T>): Promise<T | null> {
  using lock = new FileLock(path);
  return lock.acquire() ? await work() : null;
}

/** Returns the content of a lock file: an empty database of one page. */
const getLockFileContent = (() => {
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

/** Creates a lock file, unless another process does so first. */
function createLockFile(path: string, shared: boolean): void {
  const mode = shared ? statSync(dirname(path)).mode & FILE_BITS : PRIVATE_FILE;
  createFile(path, getLockFileContent(), mode);
}

/** Returns what is wrong with a lock file, as far as can be seen without opening it; null if nothing is. */
function findProblem(path: string): string | null {
  const found = lstatSync(path);
  if (!found.isFile()) return describeKind(found);
  if (found.size !== getLockFileContent().length) return 'a file of another program';
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
  const content = getLockFileContent();
  writeSync(file, content, 0, content.length, 0);
  ftruncateSync(file, content.length);
}
