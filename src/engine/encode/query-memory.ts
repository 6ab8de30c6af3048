import { LRUCache } from 'lru-cache';
import type { EncoderQuery } from '../issue/queries.ts';

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
