import { LRUCache } from 'lru-cache';
import { ignoring } from '../../../base/log.ts';
import { SEARCH_PRIORITY } from '../../../base/priority-gate.ts';
import { assertPresent } from '../../../shared/assert-present.ts';
import type { Encoder, EncoderDocument, PreparedDocuments } from '../../encode/types.ts';
import type { Issue } from '../../issue/issue.ts';
import { createIssueQuery } from '../../issue/queries.ts';
import type { EmbeddingModel } from '../../store/row-format.ts';
import { type QuantizedVector, quantize } from '../../vectors/quantized.ts';
import type { ExplainedSignal } from '../rank/signals/signal.ts';
import { formatCosine } from '../rank/signals/wording.ts';
import type { Reranker } from './reranker.ts';
import { StoredVectors } from './stored-vectors.ts';

export const CORET: ExplainedSignal = {
  name: 'coret',
  family: 'meaning',
  title: 'Reranker similarity',
  format: formatCosine,
  // The same words as the embedding's: readers need not know which model says so, and one of the two is shown.
  explain: () => ({ sentence: 'among the most similar in meaning' }),
};

/** Signal of any reranker but the one that comes with Locus. Its values have a scale of their own, so they are compared within a list. */
export const OTHER_RERANKER: ExplainedSignal = {
  ...CORET,
  name: 'reranker',
  title: 'Reranker score',
  format: (value) => value.toFixed(2),
};

/**
 * Scores a candidate by the cosine similarity of its embedding and the issue's. The encoder is a transformer, a tied
 * dual encoder after CoRet (arXiv 2505.24715). Embeddings of candidates are cached by the exact input, in memory and in the
 * index, so that each function is embedded once, by a search or in the background.
 */
export class DualEncoder implements Reranker {
  readonly signal: ExplainedSignal;
  readonly model: string;
  readonly #rowsModel: EmbeddingModel;
  readonly #open: () => Promise<Encoder>;
  #encoder: Promise<Encoder> | null = null;
  /** Vectors by `createKeyFunction`; 30,000 of 384 dimensions take 12 MB. */
  readonly #cache = new LRUCache<string, QuantizedVector>({ max: 30_000 });
  #stored: StoredVectors | null = null;

  /**
   * @param model id and version of the encoder's model
   * @param rowsModel the model's key and dimensions in a store
   * @param open opens the encoder, see `createEncoder`; called when it is first needed, and again after a failure
   * @param signal signal of its scores
   */
  constructor(
    model: string,
    rowsModel: EmbeddingModel,
    open: () => Promise<Encoder>,
    signal: ExplainedSignal = CORET,
  ) {
    this.model = model;
    this.signal = signal;
    this.#rowsModel = rowsModel;
    this.#open = open;
  }

  storeIn(directory: string, readOnly: boolean): void {
    this.#stored?.close();
    this.#stored = new StoredVectors(directory, this.#rowsModel, readOnly);
  }

  async load(): Promise<void> {
    this.#encoder ??= this.#open();
    await this.#encoder.catch((error) => {
      this.#encoder = null;
      throw error;
    });
  }

  async #getEncoder(): Promise<Encoder> {
    await this.load();
    return assertPresent(await this.#encoder, 'the loaded encoder');
  }

  async *score(
    issue: Issue,
    documents: readonly EncoderDocument[],
  ): AsyncGenerator<readonly number[], void> {
    const encoder = await this.#getEncoder();
    const query = await encoder.encodeQuery(createIssueQuery(issue.sections));
    using prepared = await encoder.prepare([...documents]);
    this.#stored?.refresh();
    const embedded = new Map<string, QuantizedVector>();
    try {
      for (const [i, key] of prepared.keys.entries()) {
        let vector = this.#cache.get(key) ?? this.#stored?.get(key);
        if (!vector) {
          vector = quantize(await embedOne(prepared, i));
          embedded.set(key, vector);
        }
        this.#cache.set(key, vector);
        yield [dot(query, vector)];
      }
    } finally {
      await this.#store(embedded);
    }
  }

  /** Stores vectors for later searches of any process, unless another process writes. */
  async #store(vectors: ReadonlyMap<string, QuantizedVector>): Promise<void> {
    const stored = this.#stored;
    if (vectors.size === 0 || !stored) return;
    await stored.runAsWriter(async () => stored.add(vectors)).catch(ignoring('store-vectors'));
  }

  async prepare(
    batches: AsyncIterable<readonly EncoderDocument[]>,
    areAll: boolean,
    onBatch: (documents: number, encoded: number) => void,
  ): Promise<boolean> {
    const stored = assertPresent(this.#stored, 'the store of vectors');
    const encoder = await this.#getEncoder();
    const done = await stored.runAsWriter(async () => {
      const keys = new Set<string>();
      for await (const documents of batches) {
        const embedded = await this.#embedMissing(encoder, documents, stored);
        for (const key of embedded.keys) keys.add(key);
        onBatch(documents.length, embedded.count);
      }
      if (areAll) stored.keepOnly(keys);
      return true;
    });
    return done ?? false;
  }

  async close(): Promise<void> {
    const encoder = await this.#encoder?.catch(() => null);
    await encoder?.close();
    this.#stored?.close();
  }

  /** Embeds and stores the documents whose vectors are missing. Returns the keys of all, and how many were embedded. */
  async #embedMissing(
    encoder: Encoder,
    documents: readonly EncoderDocument[],
    stored: StoredVectors,
  ): Promise<{ keys: string[]; count: number }> {
    using prepared = await encoder.prepare([...documents]);
    stored.refresh();
    // Functions with the same input have the same key.
    const vectors = new Map<string, QuantizedVector>();
    for (const [i, key] of prepared.keys.entries()) {
      if (stored.has(key) || vectors.has(key)) continue;
      await SEARCH_PRIORITY.waitUntilFree();
      vectors.set(key, this.#cache.get(key) ?? quantize(await embedOne(prepared, i)));
    }
    stored.add(vectors);
    return { keys: [...prepared.keys], count: vectors.size };
  }
}

/**
 * Embeds one document in a run of its own. On a CPU that is as fast as batches of similar length, and faster than batches
 * with padding (lab/bench/batches.ts). It also keeps int8 results independent of the other inputs of a batch.
 */
async function embedOne(prepared: PreparedDocuments, i: number): Promise<Float32Array> {
  const [vector] = await prepared.embed([i]);
  return assertPresent(vector, 'the vector of a document');
}

/** Returns the dot product with a quantized vector. New vectors are quantized too, so cached ones give the same scores. */
function dot(query: Float32Array, { scale, numbers }: QuantizedVector): number {
  return (
    scale *
    query.reduce((sum, value, i) => sum + value * assertPresent(numbers[i], 'a dimension'), 0)
  );
}
