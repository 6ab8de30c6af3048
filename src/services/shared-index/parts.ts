/** Parts on their way: compressed, named by what they hold, never sent twice, and believed only when they are that. */
import { promisify } from 'node:util';
import { constants, zstdCompress, zstdDecompress } from 'node:zlib';
import { refusal } from '../../engine/portable/part.ts';
import type { ObjectStore } from '../objects/objects.ts';
import { partKey } from './catalogue.ts';
import { damaged, digestOf, type Part } from './manifest.ts';

const compress = promisify(zstdCompress);
const decompress = promisify(zstdDecompress);

/** What is repeated in a part, a file in its functions above all, is found as far back as this: 16 MiB. */
const PARAMETERS = {
  [constants.ZSTD_c_compressionLevel]: 9,
  [constants.ZSTD_c_windowLog]: 24,
};

/** Under way at once. */
const AT_ONCE = 12;

/** What one transfer came to. */
export interface Sent {
  part: Part;
  /** It was not there before. */
  isNew: boolean;
}

/** Sends a part, unless it is there. */
export async function sendPart(
  objects: ObjectStore,
  raw: Buffer,
  signal?: AbortSignal,
): Promise<Sent> {
  const bytes = await compress(raw, { params: PARAMETERS });
  const part = { sha256: digestOf(bytes), bytes: bytes.length, raw: raw.length };
  return { part, isNew: await sendObject(objects, partKey(part.sha256), bytes, signal) };
}

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
  signal?: AbortSignal,
): Promise<Buffer> {
  const stored = await objects.get(partKey(part.sha256), { maxBytes: part.bytes, signal });
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

/** What `work` makes of each item, in order, while it is at work on the next ones. */
export async function* ahead<T, R>(
  items: Iterable<T> | AsyncIterable<T>,
  work: (item: T) => Promise<R>,
): AsyncGenerator<R> {
  const pending: Promise<R>[] = [];
  for await (const item of items) {
    const started = work(item);
    started.catch(() => {}); // Whoever takes it is told.
    pending.push(started);
    const [first] = pending;
    if (pending.length < AT_ONCE || !first) continue;
    pending.shift();
    yield await first;
  }
  for (const one of pending) yield await one;
}
