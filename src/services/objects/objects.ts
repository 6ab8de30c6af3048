/** The interface of object storage: whole objects by key, each read and written at once. */
import { doublingDelays, retry } from '../../base/retry.ts';
import { LocusError } from '../../shared/errors.ts';

/** Object storage: a bucket with a prefix, a folder, or a web address. All methods throw LocusError `bad-objects`, or `cancelled`. */
export interface ObjectStore {
  /** Name for people; contains no secret. */
  readonly name: string;
  /**
   * Reads an object and its tag; null if it is missing. Lost connections are retried.
   * @throws LocusError `bad-objects`, also for an object larger than `maxBytes`; reading stops there
   */
  get(key: string, options?: GetOptions): Promise<StoredObject | null>;
  /** Returns the size of an object in bytes without reading it; null if it is missing. */
  size(key: string, signal?: AbortSignal): Promise<number | null>;
  /**
   * Writes an object if its current content is as expected.
   * @param expected tag of the current content; null if the object must not exist
   * @returns the new tag; null if the content was not as expected, and nothing was written
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
  /** Maximum size; 64 MiB by default. */
  maxBytes?: number;
  signal?: AbortSignal | undefined;
  /** Called with the number of bytes that arrive, including those of retries. */
  onBytes?: ((bytes: number) => void) | undefined;
}

export interface StoredObject {
  bytes: Buffer;
  /** Tag that differs for any other content. */
  tag: string;
}

export const MAX_OBJECT_BYTES = 64 * 2 ** 20;

const KEY = /^[\w=-][\w.=-]{0,199}(?:\/[\w=-][\w.=-]{0,199}){0,7}$/;

/** Returns the key if it is valid: a relative path of plain names that any file system accepts. @throws Error otherwise, which is a defect */
export function checkKey(key: string): string {
  if (!KEY.test(key)) throw new Error(`Invalid object key: ${key}`);
  return key;
}

export function createObjectError(message: string, remedy: string, cause?: unknown): LocusError {
  return new LocusError('bad-objects', message, remedy, { cause });
}

export function createTooLargeError(store: string, key: string, maxBytes: number): LocusError {
  return createObjectError(
    `${key} in ${store} is larger than ${maxBytes} bytes.`,
    'Check who writes there. Locus does not write objects of that size.',
  );
}

const RETRY_DELAYS = doublingDelays(200);

/**
 * Runs a transfer. Retries after a lost connection or a busy server.
 * @throws LocusError as `transfer` does, without retrying; `cancelled`; or the error of the last attempt
 */
export function retryTransfer<T>(
  signal: AbortSignal | undefined,
  transfer: () => Promise<T>,
): Promise<T> {
  return retry(transfer, {
    attempts: 4,
    delays: RETRY_DELAYS,
    signal,
    name: 'The transfer',
    shouldRetry: (error) => !(error instanceof LocusError),
  });
}
