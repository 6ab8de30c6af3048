import { setTimeout as sleep } from 'node:timers/promises';
import type Sqlite from 'better-sqlite3';
import { LocusError } from '../../shared/errors.ts';
import { openSqlite } from './failures.ts';

/** In an index's folder. */
export const LOCK_FILE = 'writer.lock';

/**
 * One writer per index, across processes. The lock is an exclusive transaction on a database file of its
 * own: the operating system lets go of it when its holder dies, however it dies.
 */
export class WriterLock {
  readonly #database: Sqlite.Database;

  constructor(path: string) {
    this.#database = openSqlite(path, { timeout: 0 });
  }

  /**
   * Runs `work` while holding the lock, waiting for another holder first.
   * @throws LocusError `busy` after `waitMs`, `cancelled` when `signal` aborts while waiting.
   */
  async hold<T>(work: () => Promise<T>, waitMs = 600_000, signal?: AbortSignal): Promise<T> {
    const deadline = Date.now() + waitMs;
    while (!this.#tryAcquire()) {
      if (signal?.aborted)
        throw new LocusError('cancelled', 'indexing was cancelled', 'start it again to go on');
      if (Date.now() > deadline) {
        throw new LocusError(
          'busy',
          'another Locus process has been indexing this repository for a long time',
          'wait for it, or stop it and try again',
        );
      }
      await sleep(50);
    }
    try {
      return await work();
    } finally {
      // An error of the disk has rolled it back already.
      if (this.#database.inTransaction) this.#database.exec('ROLLBACK');
    }
  }

  close(): void {
    this.#database.close();
  }

  #tryAcquire(): boolean {
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
