/** One encoder for all repositories that are open at a time with the same model: its thread and weights are there once. */

import { LRUCache } from 'lru-cache';
import type { EncoderQuery } from '../issue/queries.ts';
import { createEncoder } from './encoder.ts';
import type { Encoder } from './types.ts';

/** Each question is encoded once while it is among the last ones; who fails is asked again. */
export class QueryMemory {
  /** An issue has two: all of it, and its prose. */
  readonly #answers = new LRUCache<string, Promise<Float32Array>>({ max: 8 });

  of(query: EncoderQuery, encode: () => Promise<Float32Array>): Promise<Float32Array> {
    const key = JSON.stringify(query);
    const known = this.#answers.get(key);
    if (known) return known;
    const answer = encode();
    this.#answers.set(key, answer);
    answer.catch(() => {
      if (this.#answers.peek(key) === answer) this.#answers.delete(key);
    });
    return answer;
  }
}

interface SharedEncoder {
  encoder: Promise<Encoder>;
  uses: number;
  queries: QueryMemory;
}

const encoders = new Map<string, SharedEncoder>();

/**
 * As `createEncoder`. Closing it ends this use; the last use ends the thread. A question about an issue overtakes
 * documents of any repository, and an issue that all of them are asked about is embedded once.
 * @throws what `createEncoder` throws
 */
export async function sharedEncoder(
  options: Parameters<typeof createEncoder>[0],
): Promise<Encoder> {
  const key = JSON.stringify([options.modelFolder, options.device, options.maxHeap]);
  const shared = encoders.get(key) ?? {
    encoder: createEncoder(options),
    uses: 0,
    queries: new QueryMemory(),
  };
  encoders.set(key, shared);
  shared.uses++;
  let isClosed = false;
  const release = async () => {
    if (isClosed) return;
    isClosed = true;
    if (--shared.uses > 0) return;
    if (encoders.get(key) === shared) encoders.delete(key);
    await (await shared.encoder).close();
  };
  try {
    return share(await shared.encoder, shared.queries, release);
  } catch (error) {
    isClosed = true;
    if (--shared.uses === 0 && encoders.get(key) === shared) encoders.delete(key);
    throw error;
  }
}

function share(encoder: Encoder, queries: QueryMemory, close: () => Promise<void>): Encoder {
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
    encodeQuery: (query) => queries.of(query, () => encoder.encodeQuery(query)),
    explain: (...args) => encoder.explain(...args),
    rest: () => encoder.rest(),
    close,
  };
}
