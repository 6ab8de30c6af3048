/** Checks that apply to every object storage. */
import { runUnlessStalled, STALL_MS } from '../../base/stalled-transfer.ts';
import {
  createObjectError,
  type GetOptions,
  type ObjectStore,
  type StoredObject,
} from './objects.ts';

/** Milliseconds for writing an object, which reports no progress. */
const WRITE_MS = 5 * STALL_MS;

/** Stops calls to another object storage that make no progress, and rejects web pages instead of objects. Errors name the storage. */
export class GuardedObjects implements ObjectStore {
  readonly #objects: ObjectStore;
  readonly #stallMs: number;

  /** @param stallMs milliseconds without progress after which a call is stopped, except for writes */
  constructor(objects: ObjectStore, stallMs = STALL_MS) {
    this.#objects = objects;
    this.#stallMs = stallMs;
  }

  get name(): string {
    return this.#objects.name;
  }

  async get(
    key: string,
    { signal, onBytes, ...options }: GetOptions = {},
  ): Promise<StoredObject | null> {
    const found = await this.#guard(signal, this.#stallMs, (both, moved) =>
      this.#objects.get(key, {
        ...options,
        signal: both,
        onBytes: (bytes) => {
          moved(bytes);
          onBytes?.(bytes);
        },
      }),
    );
    if (found) this.#rejectPage(found.bytes);
    return found;
  }

  size(key: string, signal?: AbortSignal): Promise<number | null> {
    return this.#guard(signal, this.#stallMs, (both) => this.#objects.size(key, both));
  }

  put(key: string, bytes: Uint8Array, expected: string | null, signal?: AbortSignal) {
    return this.#guard(signal, WRITE_MS, (both) => this.#objects.put(key, bytes, expected, both));
  }

  delete(key: string, signal?: AbortSignal): Promise<void> {
    return this.#guard(signal, this.#stallMs, (both) => this.#objects.delete(key, both));
  }

  close(): void {
    this.#objects.close();
  }

  /** Rejects markup: a login page comes with status 200, and no object of Locus begins like one. */
  #rejectPage(bytes: Buffer): void {
    const start = bytes.toString('utf8', 0, 1000).trimStart();
    if (!start.startsWith('<')) return;
    const isHtml = /<(?:!doctype\s+)?html/i.test(start);
    throw createObjectError(
      `${this.name} returned ${isHtml ? 'a web page' : 'an XML document'} instead of an object of Locus.`,
      'Sign in, use an address that needs no sign-in, or give a bucket as s3://… with credentials.',
    );
  }

  #guard<T>(
    signal: AbortSignal | undefined,
    stallMs: number,
    work: (signal: AbortSignal, moved: (bytes: number) => void) => Promise<T>,
  ): Promise<T> {
    return runUnlessStalled({ source: this.name, code: 'bad-objects', signal, stallMs }, work);
  }
}
