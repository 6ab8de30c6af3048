/** Object storage in a folder, which may be on a shared drive. */
import { hash } from 'node:crypto';
import { mkdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { throwIfCancelled } from '../../base/cancel.ts';
import type { Semaphore } from '../../base/semaphore.ts';
import { UntrustedFolder } from '../../base/untrusted-folder.ts';
import { LocusError } from '../../shared/errors.ts';
import {
  checkedKey,
  type GetOptions,
  MAX_OBJECT_BYTES,
  type ObjectStore,
  objectFailure,
  type StoredObject,
} from './objects.ts';

const LOCK = '.lock';
const PATIENCE_MS = 30_000;

export interface FolderOptions {
  /** True if a missing folder is a failure, even for objects that are missing anyway. */
  expected?: boolean;
  /** Limits the calls at work. They are not cancelled then but left behind, so that stuck ones are counted. */
  turns?: Semaphore;
}

/**
 * Objects as files. An object that is replaced is compared and moved under a lock of the folder, which the system releases when its holder
 * dies. Other people write to the folder: see `UntrustedFolder` for what is refused.
 */
export class FolderObjects implements ObjectStore {
  readonly name: string;
  readonly #folder: UntrustedFolder;
  readonly #options: FolderOptions;

  constructor(folder: string, options: FolderOptions = {}) {
    this.name = folder;
    this.#folder = new UntrustedFolder(folder, 'bad-objects');
    this.#options = options;
  }

  async get(key: string, { signal, ...options }: GetOptions = {}): Promise<StoredObject | null> {
    return this.#run(key, signal, async (within) => {
      const limits = { maxBytes: MAX_OBJECT_BYTES, ...options, signal: within };
      const bytes = await this.#folder.read(key, limits);
      return bytes ? { bytes, tag: tagOf(bytes) } : this.#missing();
    });
  }

  async size(key: string, signal?: AbortSignal): Promise<number | null> {
    return this.#run(
      key,
      signal,
      async (within) => (await this.#folder.size(key, within)) ?? (await this.#missing()),
    );
  }

  async put(key: string, bytes: Uint8Array, expected: string | null, signal?: AbortSignal) {
    return this.#run(key, signal, async (within) => {
      throwIfCancelled(within, `Writing ${key}`);
      const isWritten =
        expected === null
          ? await this.#folder.write(key, bytes, { replace: false })
          : await this.#replace(key, bytes, expected, within);
      return isWritten ? tagOf(bytes) : null;
    });
  }

  async delete(key: string, signal?: AbortSignal): Promise<void> {
    await this.#run(key, signal, () => this.#folder.remove(key));
  }

  close(): void {}

  /** Writers take turns: a rename alone would not notice what another process wrote meanwhile. */
  async #replace(
    name: string,
    bytes: Uint8Array,
    expected: string,
    signal: AbortSignal | undefined,
  ): Promise<boolean> {
    // Readers need no lock, and start faster without SQLite.
    const { FileLock } = await import('../../base/file-lock.ts');
    await mkdir(this.name, { recursive: true });
    using lock = new FileLock(join(this.name, LOCK), { shared: true });
    const options = { waitMs: PATIENCE_MS, signal, work: `Waiting for ${this.name}` };
    if (!(await lock.acquireLater(options)))
      throw objectFailure(
        `Another process has been writing to ${this.name} for a long time.`,
        'Wait for it, or stop it and try again.',
      );
    const found = await this.#folder.read(name, { maxBytes: MAX_OBJECT_BYTES, signal });
    if (!found || tagOf(found) !== expected) return false;
    return await this.#folder.write(name, bytes, { replace: true });
  }

  /** A drive that is not connected says nothing about what is missing there. */
  async #missing(): Promise<null> {
    if (this.#options.expected) await stat(this.name);
    return null;
  }

  async #run<T>(
    key: string,
    signal: AbortSignal | undefined,
    work: (signal?: AbortSignal) => Promise<T>,
  ): Promise<T> {
    checkedKey(key);
    const { turns } = this.#options;
    try {
      if (!turns) return await work(signal);
      return await turns.run(signal, `The transfer of ${key}`, () => work());
    } catch (error) {
      throw this.#explain(error);
    }
  }

  #explain(error: unknown): unknown {
    if (error instanceof LocusError && error.code === 'bad-store')
      return objectFailure(
        error.message,
        error.name === 'ForeignLockFile'
          ? error.remedy
          : 'Check that the lock file may be written, or give another folder.',
        error,
      );
    const { code, message = '' } = error as NodeJS.ErrnoException;
    if (code === undefined || !/^E[A-Z]+$/.test(code)) return error;
    const remedy =
      code === 'ENOSPC' || code === 'EDQUOT'
        ? 'Free some space there, or give another place.'
        : 'Check that the folder is there and may be read and written, or give another one.';
    return objectFailure(`${this.name}: ${message.split(', ')[0]}.`, remedy, error);
  }
}

const tagOf = (bytes: Uint8Array): string => hash('sha256', bytes);
