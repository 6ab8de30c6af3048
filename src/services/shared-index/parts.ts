/** Transfers parts of an index: compressed, named by their digest, sent once, and verified on arrival. */

import { promisify } from 'node:util';
import { constants, zstdCompress, zstdDecompress } from 'node:zlib';
import { LocusError } from '../../shared/errors.ts';
import { MAX_PART_BYTES, sharedIndexError } from '../../shared/shared-index.ts';
import type { GetOptions, ObjectStore } from '../objects/objects.ts';
import { getPartKey } from './catalog.ts';
import { type ArchivePart, computeDigest, createDamagedError } from './manifest.ts';

const compress = promisify(zstdCompress);
const decompress = promisify(zstdDecompress);

/** Repetitions in a part, such as a file's text in its functions, are found within this window of 16 MiB. */
const PARAMETERS = {
  [constants.ZSTD_c_compressionLevel]: 9,
  [constants.ZSTD_c_windowLog]: 24,
};

/** Limits on concurrent transfers: their number, and their bytes before compression in memory. A single part is always allowed. */
const MAX_AT_ONCE = 12;
const MAX_BYTES_AT_ONCE = 2 * MAX_PART_BYTES;

export interface SentPart {
  part: ArchivePart;
  isNew: boolean;
}

/**
 * Sends a part, unless it is there already.
 * @throws LocusError `bad-repository` if it is too large for readers
 */
export async function sendPart(
  objects: ObjectStore,
  raw: Buffer,
  signal?: AbortSignal,
): Promise<SentPart> {
  if (raw.length > MAX_PART_BYTES) throw createTooLargeError();
  const bytes = await compress(raw, { params: PARAMETERS });
  const part = { sha256: computeDigest(bytes), bytes: bytes.length, raw: raw.length };
  return { part, isNew: await sendObject(objects, getPartKey(part.sha256), bytes, signal) };
}

const createTooLargeError = () =>
  new LocusError(
    'bad-repository',
    'Some files in this repository are too large for a shared index.',
    'Exclude generated and minified files with a .gitignore, then publish again.',
  );

/** Sends an object that is named by its digest, unless it is there completely. Returns true if it was sent. */
export async function sendObject(
  objects: ObjectStore,
  key: string,
  bytes: Buffer,
  signal?: AbortSignal,
): Promise<boolean> {
  if ((await objects.size(key, signal)) === bytes.length) return false;
  if ((await objects.put(key, bytes, null, signal)) !== null) return true;
  // Another publisher was faster, or the stored object is damaged.
  const stored = await objects.get(key, { signal });
  if (stored?.bytes.equals(bytes)) return false;
  await objects.put(key, bytes, stored?.tag ?? null, signal);
  return true;
}

/**
 * Fetches the content of a part.
 * @throws LocusError `bad-objects` if it is missing or damaged
 */
export async function fetchPart(
  objects: ObjectStore,
  part: ArchivePart,
  options: Pick<GetOptions, 'signal' | 'onBytes'> = {},
): Promise<Buffer> {
  const stored = await objects.get(getPartKey(part.sha256), { ...options, maxBytes: part.bytes });
  if (!stored) throw sharedIndexError(`the part ${part.sha256} is missing`);
  if (stored.bytes.length !== part.bytes || computeDigest(stored.bytes) !== part.sha256)
    throw createDamagedError(`the part ${part.sha256}`);
  // Stops at the signed size if it unpacks to more.
  const raw = await decompress(stored.bytes, { maxOutputLength: Math.max(1, part.raw) }).catch(
    () => null,
  );
  if (raw?.length !== part.raw)
    throw sharedIndexError(`the part ${part.sha256} cannot be unpacked`);
  return raw;
}

/**
 * Maps items concurrently, and yields the results in order.
 * @param bytesOf returns the memory that an item takes until its result is used
 */
export async function* mapAhead<T, R>(
  items: Iterable<T> | AsyncIterable<T>,
  bytesOf: (item: T) => number,
  map: (item: T) => Promise<R>,
): AsyncGenerator<R> {
  const pending: { bytes: number; result: Promise<R> }[] = [];
  let total = 0;
  for await (const item of items) {
    const bytes = bytesOf(item);
    for (;;) {
      const [first] = pending;
      if (!first || (pending.length < MAX_AT_ONCE && total + bytes <= MAX_BYTES_AT_ONCE)) break;
      yield await first.result;
      pending.shift();
      total -= first.bytes;
    }
    const result = map(item);
    result.catch(() => {}); // The consumer gets the error when it takes the result.
    pending.push({ bytes, result });
    total += bytes;
  }
  for (const { result } of pending) yield await result;
}
