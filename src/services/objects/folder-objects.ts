/** Object storage in a folder, which may be on a shared drive. */
import { hash } from 'node:crypto';
import { mkdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { throwIfCancelled } from '../../base/cancel.ts';
import type { Semaphore } from '../../base/semaphore.ts';
import { UntrustedFolder } from '../../base/untrusted-folder.ts';
import { LocusError } from '../../shared/errors.ts';
import {
  checkKey,
  createObjectError,
  type GetOptions,
  MAX_OBJECT_BYTES,
  type ObjectStore,
  type StoredObject,
} from './objects.ts';

const LOCK_FILE = '.lock';
const LOCK_MS = 30_000;

export interface FolderObjectsOptions {
  /** True if a missing folder is an error, even when the object may be missing. */
  expected?: boolean;
  /** Limits the number of calls at a time. With it, calls are abandoned rather than cancelled, so that stuck ones still count. */
  slots?: Semaphore;
}

/**
 * Objects as files in a folder. Replacing one compares and renames under a lock of the folder, which the system releases when its
 * holder ends. Other people can write to the folder: see `UntrustedFolder` for what is refused.
 */
export class FolderObjects implements ObjectStore {
  readonly name: string;
  readonly #folder: UntrustedFolder;
  readonly #options: FolderObjectsOptions;

  constructor(folder: string, options: FolderObjectsOptions = {}) {
    this.name = folder;
    this.#folder = new UntrustedFolder(folder, 'bad-objects');
    this.#options = options;
  }

  async get(key: string, { signal, ...options }: GetOptions = {}): Promise<StoredObject | null> {
    return this.#run(key, signal, async (within) => {
      const limits = { maxBytes: MAX_OBJECT_BYTES, ...options, signal: within };
      const bytes = await this.#folder.read(key, limits);
      return bytes ? { bytes, tag: computeTag(bytes) } : this.#returnMissing();
    });
  }

  async size(key: string, signal?: AbortSignal): Promise<number | null> {
    return this.#run(
      key,
      signal,
      async (within) => (await this.#folder.getSize(key, within)) ?? (await this.#returnMissing()),
    );
  }

  async put(key: string, bytes: Uint8Array, expected: string | null, signal?: AbortSignal) {
    return this.#run(key, signal, async (within) => {
      throwIfCancelled(within, `Writing ${key}`);
      const isWritten =
        expected === null
          ? await this.#folder.write(key, bytes, { replace: false })
          : await this.#replace(key, bytes, expected, within);
      return isWritten ? computeTag(bytes) : null;
    });
  }

  async delete(key: string, signal?: AbortSignal): Promise<void> {
    await this.#run(key, signal, () => this.#folder.remove(key));
  }

  close(): void {}

  /** Replaces an object under a lock: a rename alone would overwrite what another process wrote meanwhile. */
  async #replace(
    name: string,
    bytes: Uint8Array,
    expected: string,
    signal: AbortSignal | undefined,
  ): Promise<boolean> {
    // Loaded only here: readers need no lock, and start faster without SQLite.
    const { FileLock } = await import('../../base/file-lock.ts');
    await mkdir(this.name, { recursive: true });
    using lock = new FileLock(join(this.name, LOCK_FILE), { shared: true });
    const options = { waitMs: LOCK_MS, signal, work: `Waiting for ${this.name}` };
    if (!(await lock.waitAndAcquire(options)))
      throw createObjectError(
        `Another process has been writing to ${this.name} for a long time.`,
        'Wait for it, or stop it and try again.',
      );
    const found = await this.#folder.read(name, { maxBytes: MAX_OBJECT_BYTES, signal });
    if (!found || computeTag(found) !== expected) return false;
    return await this.#folder.write(name, bytes, { replace: true });
  }

  /** Returns null for a missing object. Throws if the drive is not connected, since the object may exist there. */
  async #returnMissing(): Promise<null> {
    if (this.#options.expected) await stat(this.name);
    return null;
  }

  async #run<T>(
    key: string,
    signal: AbortSignal | undefined,
    task: (signal?: AbortSignal) => Promise<T>,
  ): Promise<T> {
    checkKey(key);
    const { slots } = this.#options;
    try {
      if (!slots) return await task(signal);
      return await slots.run(signal, `The transfer of ${key}`, () => task());
    } catch (error) {
      throw this.#toFailure(error);
    }
  }

  #toFailure(error: unknown): unknown {
    if (error instanceof LocusError && error.code === 'bad-store')
      return createObjectError(
        error.message,
        error.name === 'ForeignLockFile'
          ? error.remedy
          : 'Check that the lock file is writable, or choose another folder.',
        error,
      );
    const { code, message = '' } = error as NodeJS.ErrnoException;
    if (code === undefined || !/^E[A-Z]+$/.test(code)) return error;
    const remedy =
      code === 'ENOSPC' || code === 'EDQUOT'
        ? 'Free some space there, or choose another location.'
        : 'Check that the folder exists and can be read and written, or choose another folder.';
    return createObjectError(`${this.name}: ${message.split(', ')[0]}.`, remedy, error);
  }
}

const computeTag = (bytes: Uint8Array): string => hash('sha256', bytes);
