import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { type FileHandle, open, rm } from 'node:fs/promises';
import { Worker } from 'node:worker_threads';
import { Index, MetricKind, ScalarKind } from 'usearch';
import { z } from 'zod';

/*
 * The file of an approximate index (HNSW: Malkov and Yashunin, arXiv 1603.09320), which lies beside
 * the database and can always be built again from it:
 *
 *     what usearch saves | trailer, JSON | length of the trailer, uint32 | MAGIC
 */

/** Says what an index was built from; an index with any other stamp is of no use. */
export type IndexStamp = Readonly<Record<string, string | number>>;

/** Vectors to index: row i of `vectors`, in int8 with 1 as 127, belongs to `keys[i]`. */
export interface IndexedVectors {
  dimensions: number;
  /** Whole numbers that are not negative, each once. */
  keys: Float64Array<ArrayBuffer>;
  vectors: Int8Array<ArrayBuffer>;
}

/** An approximate index in memory. */
export interface VectorIndex {
  readonly size: number;
  has(keys: Float64Array): boolean[];
  /** Keys of about the `count` vectors nearest to a unit vector. */
  search(query: Float32Array, count: number): Float64Array;
}

const MAGIC = 'LOCUSVEC';
const TAIL_BYTES = 4 + MAGIC.length;
const MAX_TRAILER_BYTES = 65_536;

const trailerSchema = z.object({
  stamp: z.record(z.string(), z.union([z.string(), z.number()])),
  dimensions: z.int().min(1),
  count: z.int().min(0),
  sha256: z.string(),
});

/** The settings of every index here, measured with `bench/vectors.ts`. */
export function emptyIndex(dimensions: number): Index {
  return new Index({
    dimensions,
    metric: MetricKind.IP,
    quantization: ScalarKind.I8,
    connectivity: 16,
    expansion_add: 64,
    expansion_search: 64,
    multi: false,
  });
}

/**
 * Builds the index in a thread of its own and puts it at `path`, in place of one that is there: at
 * every moment there is the old file, or the new one, whole. Takes over the buffers of `content`.
 * @throws Error when the file cannot be written, or an `AbortError` when `signal` aborts it
 */
export async function buildIndexFile(
  path: string,
  stamp: IndexStamp,
  content: IndexedVectors,
  signal?: AbortSignal,
): Promise<void> {
  signal?.throwIfAborted();
  const worker = new Worker(new URL('./index-worker.ts', import.meta.url), {
    workerData: { path, stamp, content } satisfies IndexWork,
    transferList: [content.keys.buffer, content.vectors.buffer],
    name: 'vector index',
  });
  const abort = () => worker.terminate();
  signal?.addEventListener('abort', abort);
  try {
    await ended(worker);
    signal?.throwIfAborted();
  } catch (error) {
    await rm(unfinishedPath(path), { force: true });
    throw signal?.aborted ? signal.reason : error;
  } finally {
    signal?.removeEventListener('abort', abort);
  }
}

/** Where a file is until it is whole. What a crash leaves there, the next build overwrites. */
export function unfinishedPath(path: string): string {
  return `${path}.new`;
}

function ended(worker: Worker): Promise<void> {
  return new Promise((resolve, reject) => {
    worker.on('error', reject);
    worker.on('exit', (code) => {
      if (code === 0) resolve();
      else reject(new Error(`the index thread ended with code ${code}`));
    });
  });
}

/** What the worker thread is given. */
export interface IndexWork {
  path: string;
  stamp: IndexStamp;
  content: IndexedVectors;
}

/** The index at `path`, or null when there is none, it was built from something else, or it is damaged. */
export async function openIndexFile(path: string, stamp: IndexStamp): Promise<VectorIndex | null> {
  const found = await readTrailer(path);
  if (!found || !sameStamp(found.trailer.stamp, stamp)) return null;
  const { trailer, indexBytes } = found;
  if ((await sha256Of(path, indexBytes)) !== trailer.sha256) return null;
  const index = emptyIndex(trailer.dimensions);
  index.load(path);
  if (index.size() !== trailer.count) return null;
  return {
    size: trailer.count,
    has(keys) {
      const held = index.contains(BigUint64Array.from(keys, BigInt));
      return Array.isArray(held) ? held : [held];
    },
    search(query, count) {
      return Float64Array.from(index.search(query, count, 1).keys, Number);
    },
  };
}

/** What follows the index in its file. `sha256` is of the index. */
export function trailerBytes(trailer: z.infer<typeof trailerSchema>): Buffer {
  const json = Buffer.from(JSON.stringify(trailer));
  const length = Buffer.alloc(4);
  length.writeUInt32LE(json.length);
  return Buffer.concat([json, length, Buffer.from(MAGIC)]);
}

/** The SHA-256 of a file's first `bytes` bytes, in hex. */
export async function sha256Of(path: string, bytes: number): Promise<string> {
  const hash = createHash('sha256');
  if (bytes > 0) {
    const stream = createReadStream(path, { end: bytes - 1, highWaterMark: 1 << 20 });
    for await (const piece of stream) hash.update(piece);
  }
  return hash.digest('hex');
}

async function readTrailer(path: string) {
  let file: FileHandle;
  try {
    file = await open(path);
  } catch {
    return null;
  }
  try {
    const { size } = await file.stat();
    const tail = await readAt(file, size - TAIL_BYTES, TAIL_BYTES);
    if (tail?.toString('latin1', 4) !== MAGIC) return null;
    const length = tail.readUInt32LE(0);
    const indexBytes = size - TAIL_BYTES - length;
    const json = length <= MAX_TRAILER_BYTES ? await readAt(file, indexBytes, length) : null;
    const trailer = trailerSchema.safeParse(JSON.parse(json?.toString() ?? 'null'));
    return trailer.success ? { trailer: trailer.data, indexBytes } : null;
  } catch (error) {
    if (error instanceof SyntaxError) return null;
    throw error;
  } finally {
    await file.close();
  }
}

/** Null when the file has no such bytes. */
async function readAt(file: FileHandle, position: number, length: number): Promise<Buffer | null> {
  if (position < 0) return null;
  const { bytesRead, buffer } = await file.read(Buffer.alloc(length), 0, length, position);
  return bytesRead === length ? buffer : null;
}

function sameStamp(a: IndexStamp, b: IndexStamp): boolean {
  const names = Object.keys(a);
  return names.length === Object.keys(b).length && names.every((name) => a[name] === b[name]);
}
