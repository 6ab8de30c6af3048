import { existsSync } from 'node:fs';
import { readdir, rm } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { FileLock } from '../../base/file-lock.ts';
import { LocusError } from '../../shared/errors.ts';
import { noteWriter, readWriter } from './writer-note.ts';

const REMOVE = { recursive: true, force: true, maxRetries: 3 };

/**
 * Deletes the folder of an index, if it exists.
 * @throws LocusError `busy` if another process is writing it, or if the system doesn't allow it to be removed.
 */
export async function deleteIndex(folder: string): Promise<void> {
  if (!existsSync(folder)) return;
  const lock = new WriterLock(join(folder, LOCK_FILE));
  try {
    await lock.hold(() => deleteContents(folder), 0).finally(() => lock.close());
    await rm(folder, REMOVE);
  } catch (error) {
    if (error instanceof LocusError) {
      throw new LocusError(
        'busy',
        `The index of ${basename(folder)} is being written by another Locus process.`,
        'Wait until it has finished, or stop it, and clear the index again.',
        { cause: error },
      );
    }
    throw new LocusError(
      'busy',
      `${folder} cannot be removed: ${(error as Error).message}.`,
      'Close other programs that use it and try again.',
      { cause: error },
    );
  }
}

/** Deletes everything except the lock, which is held meanwhile. */
async function deleteContents(folder: string): Promise<void> {
  const names = await readdir(folder);
  const others = names.filter((name) => !name.startsWith(LOCK_FILE));
  await Promise.all(others.map((name) => rm(join(folder, name), REMOVE)));
}

export const LOCK_FILE = 'writer.lock';

/** Lock that allows one writer per index, across processes. */
export class WriterLock {
  readonly #path: string;
  readonly #lock: FileLock;

  /** @param onRepair called with a note if the lock file was damaged and had to be repaired. */
  constructor(path: string, onRepair?: (note: string) => void) {
    this.#path = path;
    this.#lock = new FileLock(path, { onRepair });
  }

  /**
   * Runs `work` while holding the lock. Waits for another holder first, and calls `onWait` with the id of its
   * process, if known, if that takes unusually long.
   * @throws LocusError `busy` after `waitMs`; `cancelled` if `signal` aborts while waiting.
   */
  async hold<T>(
    work: () => Promise<T>,
    waitMs = 600_000,
    signal?: AbortSignal,
    onWait?: (writer: number | null) => void,
  ): Promise<T> {
    const onLongWait = () => onWait?.(readWriter(this.#path));
    const options = { waitMs, signal, onWait: onLongWait, work: 'Indexing' };
    if (!(await this.#lock.waitAndAcquire(options))) {
      const writer = readWriter(this.#path);
      throw new LocusError(
        'busy',
        `Another Locus process${writer === null ? '' : `, ${writer},`} has been indexing this repository for a long time.`,
        'Wait until it has finished, or stop it and try again.',
      );
    }
    try {
      noteWriter(this.#path);
      return await work();
    } finally {
      this.#lock.release();
    }
  }

  close(): void {
    this.#lock.close();
  }
}
