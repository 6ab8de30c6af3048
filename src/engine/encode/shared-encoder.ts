/** Shares one encoder between all open repositories that use the same model, so that its thread and weights exist once. */

import { LRUCache } from 'lru-cache';
import type { EncoderQuery } from '../issue/queries.ts';
import { createEncoder } from './encoder.ts';
import type { Encoder } from './types.ts';

/** Caches the embeddings of the last queries. A query that failed is encoded again. */
export class QueryCache {
  /** An issue has two queries: the whole issue, and its prose. */
  readonly #cache = new LRUCache<string, Promise<Float32Array>>({ max: 8 });

  getOrEncode(query: EncoderQuery, encode: () => Promise<Float32Array>): Promise<Float32Array> {
    const key = JSON.stringify(query);
    const cached = this.#cache.get(key);
    if (cached) return cached;
    const encoding = encode();
    this.#cache.set(key, encoding);
    encoding.catch(() => {
      if (this.#cache.peek(key) === encoding) this.#cache.delete(key);
    });
    return encoding;
  }
}

interface SharedEncoder {
  encoder: Promise<Encoder>;
  useCount: number;
  queries: QueryCache;
}

const encoders = new Map<string, SharedEncoder>();

/**
 * Acquires a shared encoder, see `createEncoder`. Closing it releases it; the last release ends the thread. Queries overtake
 * documents of any repository, and an issue that several repositories search for is embedded once.
 * @throws errors of `createEncoder`
 */
export async function acquireSharedEncoder(
  options: Parameters<typeof createEncoder>[0],
): Promise<Encoder> {
  const key = JSON.stringify([options.modelFolder, options.device, options.maxHeap]);
  const shared = encoders.get(key) ?? {
    encoder: createEncoder(options),
    useCount: 0,
    queries: new QueryCache(),
  };
  encoders.set(key, shared);
  shared.useCount++;
  let isClosed = false;
  const release = async () => {
    if (isClosed) return;
    isClosed = true;
    if (--shared.useCount > 0) return;
    if (encoders.get(key) === shared) encoders.delete(key);
    await (await shared.encoder).close();
  };
  try {
    return wrapEncoder(await shared.encoder, shared.queries, release);
  } catch (error) {
    isClosed = true;
    if (--shared.useCount === 0 && encoders.get(key) === shared) encoders.delete(key);
    throw error;
  }
}

function wrapEncoder(encoder: Encoder, queries: QueryCache, close: () => Promise<void>): Encoder {
  return {
    modelId: encoder.modelId,
    modelVersion: encoder.modelVersion,
    dimensions: encoder.dimensions,
    get device() {
      return encoder.device;
    },
    get fallback() {
      return encoder.fallback;
    },
    encode: (...args) => encoder.encode(...args),
    prepare: (...args) => encoder.prepare(...args),
    encodeQuery: (query) => queries.getOrEncode(query, () => encoder.encodeQuery(query)),
    explain: (...args) => encoder.explain(...args),
    unload: () => encoder.unload(),
    close,
  };
}
