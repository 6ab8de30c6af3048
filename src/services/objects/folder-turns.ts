/** A folder's objects inside the desktop app, which cannot start Node for `FolderProcess`. */
import { Semaphore } from '../../base/semaphore.ts';
import { FolderObjects } from './folder-objects.ts';
import type { GetOptions, ObjectStore } from './objects.ts';

/**
 * Calls that may be stuck in folders that do not answer, of four threads for all file access. The engine's process is ended by the app, so
 * that a stuck thread keeps nothing from exiting.
 */
const calls = new Semaphore(2);

/** Two calls run at a time, whichever folder they are for. They are not cancelled but left behind, so that stuck ones are counted. */
export class FolderTurns implements ObjectStore {
  readonly #objects: FolderObjects;

  /** See `FolderObjects`. */
  constructor(folder: string, options: { expected?: boolean } = {}) {
    this.#objects = new FolderObjects(folder, options);
  }

  get name(): string {
    return this.#objects.name;
  }

  get(key: string, { signal, ...options }: GetOptions = {}) {
    return this.#run(key, signal, () => this.#objects.get(key, options));
  }

  size(key: string, signal?: AbortSignal) {
    return this.#run(key, signal, () => this.#objects.size(key));
  }

  put(key: string, bytes: Uint8Array, expected: string | null, signal?: AbortSignal) {
    return this.#run(key, signal, () => this.#objects.put(key, bytes, expected));
  }

  delete(key: string, signal?: AbortSignal) {
    return this.#run(key, signal, () => this.#objects.delete(key));
  }

  close(): void {}

  #run<T>(key: string, signal: AbortSignal | undefined, work: () => Promise<T>): Promise<T> {
    return calls.run(signal, `The transfer of ${key}`, work);
  }
}
