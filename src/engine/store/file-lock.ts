import { truncateSync } from 'node:fs';
import type Sqlite from 'better-sqlite3';
import { LocusError } from '../../shared/errors.ts';
import { isDamage } from './damage.ts';
import { openSqlite } from './failures.ts';
import { createPrivateFile } from './private.ts';

/**
 * A lock between processes: an exclusive transaction on an empty database file of its own. The operating system lets
 * go of it when its holder dies, however it dies.
 */
export class FileLock {
  readonly #path: string;
  readonly #database: Sqlite.Database;
  readonly #onDamage: (note: string) => void;

  /**
   * @param waitMs how long `acquire` waits for another holder, doing nothing else.
   * @param onDamage told when the file held something, which is thrown away.
   * @throws the system's or SQLite's error when the file cannot be opened or made.
   */
  constructor(path: string, waitMs = 0, onDamage: (note: string) => void = () => {}) {
    this.#path = path;
    this.#onDamage = onDamage;
    createPrivateFile(path);
    this.#database = openSqlite(path, { timeout: waitMs });
  }

  /** Whether it is held now by the caller; false when another one holds it. */
  acquire(): boolean {
    try {
      return this.#begin();
    } catch (error) {
      if (!isDamage(error)) throw error;
      // Emptied in place, not replaced: all processes go on locking the same file, whoever empties it first or again.
      // SQLite looked into it with a lock of its own, so nobody holds it by way of what was in there.
      truncateSync(this.#path);
      this.#onDamage(`the lock file ${this.#path} was damaged and was emptied`);
      return this.#begin();
    }
  }

  release(): void {
    // An error of the disk has rolled it back already.
    if (this.#database.inTransaction) this.#database.exec('ROLLBACK');
  }

  close(): void {
    this.#database.close();
  }

  #begin(): boolean {
    try {
      // A journal on disk would need space there, and nothing is ever written that it could restore.
      this.#database.exec('PRAGMA journal_mode = MEMORY; BEGIN EXCLUSIVE');
      return true;
    } catch (error) {
      if (error instanceof LocusError && error.code === 'busy') return false;
      throw error;
    }
  }
}

/** Runs `work` while holding the lock of a file, which it may make; null, and nothing is run, where another one holds it. */
export async function whileFree<T>(path: string, work: () => Promise<T>): Promise<T | null> {
  const lock = new FileLock(path);
  try {
    if (!lock.acquire()) return null;
    return await work();
  } finally {
    lock.release();
    lock.close();
  }
}
