/** Parts on their way: compressed, named by what they hold, never sent twice, and believed only when they are that. */

import { promisify } from 'node:util';
import { constants, zstdCompress, zstdDecompress } from 'node:zlib';
import { LocusError } from '../../shared/errors.ts';
import { MAX_PART_BYTES, refusal } from '../../shared/shared-index.ts';
import type { GetOptions, ObjectStore } from '../objects/objects.ts';
import { partKey } from './catalogue.ts';
import { damaged, digestOf, type Part } from './manifest.ts';

const compress = promisify(zstdCompress);
const decompress = promisify(zstdDecompress);

/** What is repeated in a part, a file in its functions above all, is found as far back as this: 16 MiB. */
const PARAMETERS = {
  [constants.ZSTD_c_compressionLevel]: 9,
  [constants.ZSTD_c_windowLog]: 24,
};

/** Parts under way at once, and their bytes before compression: what all of them may take of memory. One part always may. */
const MAX_AT_ONCE = 12;
const MAX_BYTES_AT_ONCE = 2 * MAX_PART_BYTES;

export interface Sent {
  part: Part;
  isNew: boolean;
}

/**
 * Sends a part, unless it is there.
 * @throws LocusError `bad-repository` if readers would refuse it.
 */
export async function sendPart(
  objects: ObjectStore,
  raw: Buffer,
  signal?: AbortSignal,
): Promise<Sent> {
  if (raw.length > MAX_PART_BYTES) throw notShareable();
  const bytes = await compress(raw, { params: PARAMETERS });
  const part = { sha256: digestOf(bytes), bytes: bytes.length, raw: raw.length };
  return { part, isNew: await sendObject(objects, partKey(part.sha256), bytes, signal) };
}

const notShareable = () =>
  new LocusError(
    'bad-repository',
    'A group of files in this repository is too large for a shared index.',
    'Leave out generated and minified files with a .gitignore, then publish again.',
  );

/** Sends an object that is named by its digest, unless it is there in full. Returns whether it was sent. */
export async function sendObject(
  objects: ObjectStore,
  key: string,
  bytes: Buffer,
  signal?: AbortSignal,
): Promise<boolean> {
  if ((await objects.size(key, signal)) === bytes.length) return false;
  if ((await objects.put(key, bytes, null, signal)) !== null) return true;
  // Another publisher was faster, or what is there is not it.
  const stored = await objects.get(key, { signal });
  if (stored?.bytes.equals(bytes)) return false;
  await objects.put(key, bytes, stored?.tag ?? null, signal);
  return true;
}

/**
 * What a part holds.
 * @throws LocusError `bad-objects` where it is missing, or another one than was asked for.
 */
export async function fetchPart(
  objects: ObjectStore,
  part: Part,
  options: Pick<GetOptions, 'signal' | 'onBytes'> = {},
): Promise<Buffer> {
  const stored = await objects.get(partKey(part.sha256), { ...options, maxBytes: part.bytes });
  if (!stored) throw refusal(`the part ${part.sha256} is missing`);
  if (stored.bytes.length !== part.bytes || digestOf(stored.bytes) !== part.sha256)
    throw damaged(`the part ${part.sha256}`);
  // One that unpacks to more than was signed is given up there.
  const raw = await decompress(stored.bytes, { maxOutputLength: Math.max(1, part.raw) }).catch(
    () => null,
  );
  if (raw?.length !== part.raw) throw refusal(`the part ${part.sha256} does not unpack`);
  return raw;
}

/**
 * Yields the results of `work` for each item, in order, while it works on the next ones.
 * @param bytesOf memory that an item takes until its result is used.
 */
export async function* ahead<T, R>(
  items: Iterable<T> | AsyncIterable<T>,
  bytesOf: (item: T) => number,
  work: (item: T) => Promise<R>,
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
    const result = work(item);
    result.catch(() => {}); // The consumer is told when it takes the result.
    pending.push({ bytes, result });
    total += bytes;
  }
  for (const { result } of pending) yield await result;
}
