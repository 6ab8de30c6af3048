/** Object storage in a folder, which may be on a shared drive. */
import { hash } from 'node:crypto';
import { mkdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { throwIfCancelled } from '../../base/cancel.ts';
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

/**
 * Objects as files. An object that is replaced is compared and moved under a lock of the folder, which the system releases when its holder
 * dies. Other people write to the folder: see `UntrustedFolder` for what is refused.
 */
export class FolderObjects implements ObjectStore {
  readonly name: string;
  readonly #folder: UntrustedFolder;
  readonly #expected: boolean;

  /** @param expected true if a missing folder is a failure, even for objects that are missing anyway. */
  constructor(folder: string, { expected = false } = {}) {
    this.name = folder;
    this.#folder = new UntrustedFolder(folder, 'bad-objects');
    this.#expected = expected;
  }

  async get(key: string, options: GetOptions = {}): Promise<StoredObject | null> {
    const name = checkedKey(key);
    const limits = { maxBytes: MAX_OBJECT_BYTES, ...options };
    return this.#explained(async () => {
      const bytes = await this.#folder.read(name, limits);
      return bytes ? { bytes, tag: tagOf(bytes) } : this.#missing();
    });
  }

  async size(key: string, signal?: AbortSignal): Promise<number | null> {
    const name = checkedKey(key);
    return this.#explained(
      async () => (await this.#folder.size(name, signal)) ?? (await this.#missing()),
    );
  }

  async put(key: string, bytes: Uint8Array, expected: string | null, signal?: AbortSignal) {
    const name = checkedKey(key);
    throwIfCancelled(signal, `Writing ${key}`);
    return this.#explained(async () => {
      const isWritten =
        expected === null
          ? await this.#folder.write(name, bytes, { replace: false })
          : await this.#replace(name, bytes, expected, signal);
      return isWritten ? tagOf(bytes) : null;
    });
  }

  async delete(key: string): Promise<void> {
    const name = checkedKey(key);
    await this.#explained(() => this.#folder.remove(name));
  }

  close(): void {}

  /** Writers take turns: a rename alone would not notice what another process wrote meanwhile. */
  async #replace(
    name: string,
    bytes: Uint8Array,
    expected: string,
    signal: AbortSignal | undefined,
  ): Promise<boolean> {
    return this.#whileLocked(signal, async () => {
      const found = await this.#folder.read(name, { maxBytes: MAX_OBJECT_BYTES, signal });
      if (!found || tagOf(found) !== expected) return false;
      return this.#folder.write(name, bytes, { replace: true });
    });
  }

  async #whileLocked<T>(signal: AbortSignal | undefined, work: () => Promise<T>): Promise<T> {
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
    return await work();
  }

  /** A drive that is not connected says nothing about what is missing there. */
  async #missing(): Promise<null> {
    if (this.#expected) await stat(this.name);
    return null;
  }

  async #explained<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await work();
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
