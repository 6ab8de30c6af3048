import { LRUCache } from 'lru-cache';
import { SEARCHES } from '../../../base/right-of-way.ts';
import { present } from '../../../shared/present.ts';
import type { Encoder, EncoderDocument, PreparedDocuments } from '../../encode/types.ts';
import type { Issue } from '../../issue/issue.ts';
import { issueQuery } from '../../issue/queries.ts';
import type { NewRow } from '../../store/row-file.ts';
import type { EmbeddingModel } from '../../store/row-format.ts';
import { type QuantizedVector, quantize } from '../../vectors/quantized.ts';
import type { ExplainedSignal } from '../rank/signals/signal.ts';
import { asCosine } from '../rank/signals/wording.ts';
import type { Reranker } from './reranker.ts';
import { StoredVectors } from './vectors.ts';

export const CORET: ExplainedSignal = {
  name: 'coret',
  family: 'meaning',
  title: 'Reads like the issue',
  format: asCosine,
  explain: ({ value }) => ({ sentence: `reads like the issue (${value.toFixed(2)})` }),
};

/**
 * Cosine similarity of the issue's embedding and the candidate's by a transformer, a tied dual encoder as CoRet (arXiv
 * 2505.24715). Embeddings of candidates are cached by what exactly was encoded: in memory, for the next issue on the same
 * code, and beside the index, where they were made in advance.
 */
export class DualEncoder implements Reranker {
  readonly signal = CORET;
  readonly model: string;
  readonly #rowsModel: EmbeddingModel;
  readonly #open: () => Promise<Encoder>;
  #encoder: Promise<Encoder> | null = null;
  /** Vectors by `rowKeys`; 30,000 of 384 dimensions take 12 MB. */
  readonly #cache = new LRUCache<string, QuantizedVector>({ max: 30_000 });
  #stored: StoredVectors | null = null;

  /**
   * @param model id and version of the encoder's model
   * @param rowsModel the model as a store names it
   * @param open opens the encoder, see `createEncoder`; called when it is first needed, and again after it failed
   */
  constructor(model: string, rowsModel: EmbeddingModel, open: () => Promise<Encoder>) {
    this.model = model;
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

  async #loaded(): Promise<Encoder> {
    await this.load();
    return present(await this.#encoder, 'the loaded encoder');
  }

  async *score(
    issue: Issue,
    documents: readonly EncoderDocument[],
  ): AsyncGenerator<readonly number[], void> {
    const encoder = await this.#loaded();
    const query = await encoder.encodeQuery(issueQuery(issue.sections));
    using prepared = await encoder.prepare([...documents]);
    this.#stored?.refresh();
    for (const [place, key] of prepared.keys.entries()) {
      const vector =
        this.#cache.get(key) ?? this.#stored?.get(key) ?? quantize(await embedOne(prepared, place));
      this.#cache.set(key, vector);
      yield [dot(query, vector)];
    }
  }

  async prepare(
    batches: AsyncIterable<readonly EncoderDocument[]>,
    areAll: boolean,
    onBatch: (documents: number, read: number) => void,
  ): Promise<boolean> {
    const stored = present(this.#stored, 'a place to keep vectors in');
    const encoder = await this.#loaded();
    const done = await stored.writing(async () => {
      const keys = new Set<string>();
      for await (const documents of batches) {
        const made = await this.#make(encoder, documents, stored);
        for (const key of made.keys) keys.add(key);
        onBatch(documents.length, made.read);
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

  /** Stores the vectors of documents that are missing. Returns their keys, and how many had to be made. */
  async #make(
    encoder: Encoder,
    documents: readonly EncoderDocument[],
    stored: StoredVectors,
  ): Promise<{ keys: string[]; read: number }> {
    using prepared = await encoder.prepare([...documents]);
    stored.refresh();
    // Functions that are alike have one key.
    const rows = new Map<string, NewRow>();
    for (const [place, key] of prepared.keys.entries()) {
      if (stored.has(key) || rows.has(key)) continue;
      await SEARCHES.free();
      const vector = this.#cache.get(key) ?? quantize(await embedOne(prepared, place));
      rows.set(key, { key: Buffer.from(key, 'hex'), vector });
    }
    stored.add([...rows.values()]);
    return { keys: [...prepared.keys], read: rows.size };
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

/** Multiplies with the quantized vector, whether it was made just now or in advance: a list does not depend on that. */
function dot(query: Float32Array, { scale, numbers }: QuantizedVector): number {
  return (
    scale * query.reduce((sum, value, i) => sum + value * present(numbers[i], 'a dimension'), 0)
  );
}
