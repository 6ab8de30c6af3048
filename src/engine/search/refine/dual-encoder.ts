import { present } from '../../../shared/present.ts';
import type { OnDemandEncoder } from '../../encode/on-demand.ts';
import type { Encoder, EncoderDocument, PreparedDocuments } from '../../encode/types.ts';
import { SEARCHES } from '../../event-loop/right-of-way.ts';
import type { Issue } from '../../issue/issue.ts';
import { issueQuery } from '../../issue/queries.ts';
import type { NewRow } from '../../store/row-file.ts';
import type { EmbeddingModel } from '../../store/row-format.ts';
import { type QuantizedVector, quantize } from '../../vectors/quantized.ts';
import { asCosine } from '../measures/format.ts';
import type { Evident } from '../signals/signal.ts';
import { KeptVectors } from './kept-vectors.ts';
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
 * 2505.24715). Embeddings of candidates are kept by what exactly was encoded, in memory, so that the next issue on the same
 * code finds them, and, where they are made in advance, beside the index.
 */
export class DualEncoder implements Scorer {
  readonly signal = CORET;
  readonly model: string;
  readonly #rowsModel: EmbeddingModel;
  readonly #encoder: OnDemandEncoder;
  readonly #known = new VectorCache();
  #kept: KeptVectors | null = null;

  /**
   * @param model id and version of the encoder's
   * @param rowsModel how a store names it
   */
  constructor(model: string, rowsModel: EmbeddingModel, encoder: OnDemandEncoder) {
    this.model = model;
    this.#rowsModel = rowsModel;
    this.#encoder = encoder;
  }

  keepIn(directory: string, readOnly: boolean): void {
    this.#kept?.close();
    this.#kept = new KeptVectors(directory, this.#rowsModel, readOnly);
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

  async prepare(
    batches: AsyncIterable<readonly EncoderDocument[]>,
    areAll: boolean,
    onBatch: (documents: number, read: number) => void,
  ): Promise<boolean> {
    const kept = present(this.#kept, 'a place to keep vectors in');
    const encoder = await this.#encoder.borrow();
    try {
      const done = await kept.writing(async () => {
        const keys = new Set<string>();
        for await (const documents of batches) {
          const made = await this.#make(encoder, documents, kept);
          for (const key of made.keys) keys.add(key);
          onBatch(documents.length, made.read);
        }
        if (areAll) kept.keepOnly(keys);
        return true;
      });
      return done ?? false;
    } finally {
      this.#encoder.giveBack();
    }
  }

  async close(): Promise<void> {
    await this.#encoder.close();
    this.#kept?.close();
  }

  /** Sees to it that the vectors of documents are kept. Returns their keys, and how many had to be made. */
  async #make(
    encoder: Encoder,
    documents: readonly EncoderDocument[],
    kept: KeptVectors,
  ): Promise<{ keys: string[]; read: number }> {
    const prepared = await encoder.prepare([...documents]);
    try {
      kept.refresh();
      // Functions that are alike have one key.
      const rows = new Map<string, NewRow>();
      for (const [place, key] of prepared.keys.entries()) {
        if (kept.has(key) || rows.has(key)) continue;
        await SEARCHES.free();
        const vector = this.#known.get(key) ?? quantize(await embedOne(prepared, place));
        rows.set(key, { key: Buffer.from(key, 'hex'), vector });
      }
      kept.add([...rows.values()]);
      return { keys: [...prepared.keys], read: rows.size };
    } finally {
      prepared.release();
    }
  }

  async *#readWith(
    encoder: Encoder,
    { sections }: Issue,
    documents: readonly EncoderDocument[],
  ): AsyncGenerator<readonly number[], void> {
    const query = await encoder.encodeQuery(issueQuery(sections));
    const prepared = await encoder.prepare([...documents]);
    try {
      this.#kept?.refresh();
      for (const [place, key] of prepared.keys.entries()) {
        const vector =
          this.#known.get(key) ?? this.#kept?.get(key) ?? quantize(await embedOne(prepared, place));
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

/** Of what is kept in eight bits a number, whether it was made just now or in advance: a list does not depend on that. */
function dot(query: Float32Array, { scale, numbers }: QuantizedVector): number {
  return (
    scale * query.reduce((sum, value, i) => sum + value * present(numbers[i], 'a dimension'), 0)
  );
}
