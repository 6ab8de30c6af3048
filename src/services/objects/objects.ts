/** Object storage as Locus uses it: whole objects by key, each read and written at once. */
import { doublingDelays, retry } from '../../base/retry.ts';
import { LocusError } from '../../shared/errors.ts';

/** A bucket with a prefix, a folder, or an address of the web. All methods throw LocusError `bad-objects`, or `cancelled`. */
export interface ObjectStore {
  /** As people read it; nothing secret is in it. */
  readonly name: string;
  /**
   * An object and the tag of what it holds; null where there is none. A connection that is cut is made again.
   * @throws LocusError `bad-objects` also for one that is larger than `maxBytes`, of which no more is read.
   */
  get(key: string, options?: GetOptions): Promise<StoredObject | null>;
  /** Bytes of an object, which is not read; null where there is none. */
  size(key: string, signal?: AbortSignal): Promise<number | null>;
  /**
   * Writes an object if it is as it was expected to be.
   * @param expected the tag of what it holds, null for an object that is not there yet.
   * @returns its tag; null where it was not as expected, and nothing was written.
   */
  put(
    key: string,
    bytes: Uint8Array,
    expected: string | null,
    signal?: AbortSignal,
  ): Promise<string | null>;
  delete(key: string, signal?: AbortSignal): Promise<void>;
  close(): void;
}

export interface GetOptions {
  /** 64 MiB when left out. */
  maxBytes?: number;
  signal?: AbortSignal | undefined;
  /** Called with the number of bytes whenever some arrive, those of repeated attempts included. */
  onBytes?: ((bytes: number) => void) | undefined;
}

export interface StoredObject {
  bytes: Buffer;
  /** Another one for any other content. */
  tag: string;
}

export const MAX_OBJECT_BYTES = 64 * 2 ** 20;

const KEY = /^[\w=-][\w.=-]{0,199}(?:\/[\w=-][\w.=-]{0,199}){0,7}$/;

/** The key, which is a relative path of plain names on any file system. @throws Error for another: a defect. */
export function checkedKey(key: string): string {
  if (!KEY.test(key)) throw new Error(`no key of an object: ${key}`);
  return key;
}

export function objectFailure(message: string, remedy: string, cause?: unknown): LocusError {
  return new LocusError('bad-objects', message, remedy, { cause });
}

export function tooLarge(store: string, key: string, maxBytes: number): LocusError {
  return objectFailure(
    `${key} in ${store} is larger than ${maxBytes} bytes.`,
    'Check who writes there. Locus writes nothing of that size.',
  );
}

const doubling = doublingDelays(200);

/**
 * Returns the result of a transfer, which is tried again after a lost connection or a busy server.
 * @throws LocusError as `transfer` does, at once, and `cancelled`; after the last attempt, its error
 */
export function repeatTransfer<T>(
  signal: AbortSignal | undefined,
  transfer: () => Promise<T>,
): Promise<T> {
  return retry(transfer, {
    attempts: 4,
    delays: doubling,
    signal,
    name: 'The transfer',
    shouldRetry: (error) => !(error instanceof LocusError),
  });
}
