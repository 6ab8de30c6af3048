import { setTimeout as sleep } from 'node:timers/promises';
import { LocusError } from '../../shared/errors.ts';
import { FileLock } from './file-lock.ts';

/** In an index's folder. */
export const LOCK_FILE = 'writer.lock';

/** Milliseconds; most writers are done by then. */
const TELL_AFTER = 2_000;

/** One writer per index, across processes. */
export class WriterLock {
  readonly #lock: FileLock;

  /** @param onDamage told when the lock's file had to be mended. */
  constructor(path: string, onDamage?: (note: string) => void) {
    this.#lock = new FileLock(path, 0, onDamage);
  }

  /**
   * Runs `work` while holding the lock, waiting for another holder first; one that takes longer than most is told of by `onWait`.
   * @throws LocusError `busy` after `waitMs`, `cancelled` when `signal` aborts while waiting.
   */
  async hold<T>(
    work: () => Promise<T>,
    waitMs = 600_000,
    signal?: AbortSignal,
    onWait?: () => void,
  ): Promise<T> {
    const start = Date.now();
    const deadline = start + waitMs;
    let isTold = false;
    while (!this.#lock.acquire()) {
      if (signal?.aborted)
        throw new LocusError('cancelled', 'indexing was cancelled', 'start it again to go on');
      if (Date.now() > deadline) {
        throw new LocusError(
          'busy',
          'another Locus process has been indexing this repository for a long time',
          'wait for it, or stop it and try again',
        );
      }
      if (!isTold && Date.now() - start > TELL_AFTER) {
        isTold = true;
        onWait?.();
      }
      await sleep(50);
    }
    try {
      return await work();
    } finally {
      this.#lock.release();
    }
  }

  close(): void {
    this.#lock.close();
  }
}
