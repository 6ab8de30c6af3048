/** The embeddings of what was asked last: several repositories are asked the same, one after the other. */
import { keepLatest } from '../../shared/keep-latest.ts';
import type { EncoderQuery } from '../issue/queries.ts';

/** Of an issue there are two: all of it, and its prose. */
const KEPT = 8;

/** Each question is encoded once while it is among the last ones; who fails is asked again. */
export class QueryMemory {
  readonly #answers = new Map<string, Promise<Float32Array>>();

  /** The embedding of a query; it belongs to all who ask, who only read it. */
  of(query: EncoderQuery, encode: () => Promise<Float32Array>): Promise<Float32Array> {
    const key = JSON.stringify(query);
    const known = this.#answers.get(key);
    const answer = known ?? encode();
    keepLatest(this.#answers, key, answer, KEPT);
    if (known) return known;
    answer.catch(() => {
      if (this.#answers.get(key) === answer) this.#answers.delete(key);
    });
    return answer;
  }
}
