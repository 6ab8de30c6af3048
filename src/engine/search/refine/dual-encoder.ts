import { present } from '../../../shared/present.ts';
import type { OnDemandEncoder } from '../../encode/on-demand.ts';
import type { Encoder, EncoderDocument, PreparedDocuments } from '../../encode/types.ts';
import type { Issue } from '../../issue/issue.ts';
import { issueQuery } from '../../issue/queries.ts';
import { asCosine } from '../measures/format.ts';
import type { Evident } from '../signals/signal.ts';
import type { Scorer } from './scorer.ts';
import { VectorCache } from './vector-cache.ts';

/** What the encoder's similarity is to the ranker. */
export const CORET: Evident = {
  name: 'coret',
  family: 'meaning',
  title: 'Reads like the issue',
  format: asCosine,
  explain: ({ value }) => ({ sentence: `reads like the issue (${value.toFixed(2)})` }),
};

/**
 * Cosine similarity of the issue's embedding and the candidate's by a transformer, a tied dual encoder as CoRet (arXiv
 * 2505.24715). Embeddings of candidates are kept by what exactly was encoded, so that the next issue on the same code
 * finds them.
 */
export class DualEncoder implements Scorer {
  readonly signal = CORET;
  readonly model: string;
  readonly #encoder: OnDemandEncoder;
  readonly #known = new VectorCache();

  /** @param model id and version of the encoder's */
  constructor(model: string, encoder: OnDemandEncoder) {
    this.model = model;
    this.#encoder = encoder;
  }

  async load(): Promise<void> {
    await this.#encoder.borrow();
    this.#encoder.giveBack();
  }

  async *read(
    issue: Issue,
    documents: readonly EncoderDocument[],
  ): AsyncGenerator<readonly number[], void> {
    const encoder = await this.#encoder.borrow();
    try {
      yield* this.#readWith(encoder, issue, documents);
    } finally {
      this.#encoder.giveBack();
    }
  }

  close(): Promise<void> {
    return this.#encoder.close();
  }

  async *#readWith(
    encoder: Encoder,
    { sections }: Issue,
    documents: readonly EncoderDocument[],
  ): AsyncGenerator<readonly number[], void> {
    const query = await encoder.encodeQuery(issueQuery(sections));
    const prepared = await encoder.prepare([...documents]);
    try {
      for (const [place, key] of prepared.keys.entries()) {
        const vector = this.#known.get(key) ?? (await embedOne(prepared, place));
        this.#known.set(key, vector);
        yield [dot(query, vector)];
      }
    } finally {
      prepared.release();
    }
  }
}

/**
 * A run for each: on a CPU that is as fast as batches of similar length and faster than those with padding
 * (lab/bench/batches.ts), and what int8 makes of an input does not depend on what stands beside it.
 */
async function embedOne(prepared: PreparedDocuments, place: number): Promise<Float32Array> {
  const [vector] = await prepared.embed([place]);
  return present(vector, 'the vector of a document');
}

function dot(a: Float32Array, b: Float32Array): number {
  return a.reduce((sum, value, i) => sum + value * present(b[i], 'a dimension'), 0);
}
