import { FileLock } from '../../base/file-lock.ts';
import { LocusError } from '../../shared/errors.ts';

export const LOCK_FILE = 'writer.lock';

/** One writer per index, across processes. */
export class WriterLock {
  readonly #lock: FileLock;

  /** @param onRepair is told if the lock file was damaged and had to be repaired. */
  constructor(path: string, onRepair?: (note: string) => void) {
    this.#lock = new FileLock(path, { onRepair });
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
    const options = { waitMs, signal, onWait, work: 'Indexing' };
    if (!(await this.#lock.acquireLater(options)))
      throw new LocusError(
        'busy',
        'another Locus process has been indexing this repository for a long time',
        'wait for it, or stop it and try again',
      );
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
