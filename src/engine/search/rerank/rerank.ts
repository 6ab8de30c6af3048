/**
 * The third step of a search: rerankers read the first results, and a ranker of its own orders them again by what they
 * say. `RERANK_SIGNALS` and `openRerankers` list the rerankers.
 */
import refinedModel from '../../../../models/ranker-1/refined.json' with { type: 'json' };
import type { Device } from '../../../shared/devices.ts';
import { isCancelled, LocusError } from '../../../shared/errors.ts';
import { present } from '../../../shared/present.ts';
import type { Refinement } from '../../../shared/search.ts';
import { createEncoder } from '../../encode/encoder.ts';
import { loadManifest, modelKey } from '../../encode/manifest.ts';
import type { EncoderDocument } from '../../encode/types.ts';
import { isFiltered } from '../gather/scope.ts';
import { checkLinearModel, LinearRanker } from '../rank/linear.ts';
import { SIGNALS } from '../rank/rank.ts';
import { firstSlots, type Ranker, reorder, type SearchOutcome } from '../rank/ranking.ts';
import type { ExplainedSignal } from '../rank/signals/signal.ts';
import { CORET, DualEncoder } from './dual-encoder.ts';
import type { RerankerFolders } from './models.ts';
import { type Reranker, scoreInOrder } from './reranker.ts';

export const RERANK_SIGNALS: readonly ExplainedSignal[] = [CORET];

/**
 * Opens the rerankers whose models are installed. The models themselves are loaded when they are first needed.
 * @param device where they run; `auto` is the CPU
 * @throws LocusError `bad-model` when a folder holds no usable model
 */
export async function openRerankers(folders: RerankerFolders, device: Device): Promise<Reranker[]> {
  const modelFolder = folders.coret;
  if (modelFolder === undefined) return [];
  const { id, version, dimensions } = await loadManifest(modelFolder);
  // To try what other devices there are takes longer than reranking on the CPU.
  const used = device === 'auto' ? 'cpu' : device;
  const open = () => createEncoder({ modelFolder, device: used });
  const rows = { key: modelKey(id, version), dimensions };
  return [new DualEncoder(`${id} ${version}`, rows, open)];
}

const RERANK_RANKER = new LinearRanker(
  checkLinearModel(refinedModel, [...RERANK_SIGNALS, ...SIGNALS]),
);

export interface RerankColumn {
  signal: ExplainedSignal;
  values: readonly number[];
}

/**
 * Ranks the first results again, as many as have values. All others keep their places and scores.
 * @param outcome of an initial ranking that has results
 * @param columns of equal length, at most as many values as there are results
 */
export function rerank(
  outcome: SearchOutcome,
  columns: readonly RerankColumn[],
  ranker: Ranker = RERANK_RANKER,
): SearchOutcome {
  const initial = present(outcome.ranking, 'the ranking of a list that was read');
  const count = Math.min(...columns.map(({ values }) => values.length));
  const first = initial.order.slice(0, count);
  const added = columns.map(({ signal, values: given }) => {
    const values = new Float64Array(initial.candidates.slots.length).fill(Number.NaN);
    for (const [place, i] of first.entries()) values[i] = present(given[place], 'a value');
    return { signal, values };
  });
  const ranking = reorder(initial, new Set(first), ranker, [...added, ...initial.columns]);
  return {
    ...outcome,
    ranking,
    ranker: ranker.name,
    // Without a calibration of its own, the initial confidence holds: reranking only improves the order.
    confidence: isFiltered(outcome.request)
      ? null
      : (ranker.confidenceIn(ranking) ?? outcome.confidence),
  };
}

/** Limits that a request sets on reranking, see `searchRequest`. */
interface RerankBudget {
  read: number;
  milliseconds: number;
}

/** The chunks to rerank, or why nothing is reranked. */
type RerankPlan = { slots: number[]; pending: Refinement } | { refused: Refinement };

/** Reranks the searches of one repository. Whatever is missing or fails, the initial ranking stays. */
export class RerankStep {
  readonly #rerankers: readonly Reranker[];
  readonly #problem: string | null;

  /** @param problem why an installed model cannot be used */
  constructor(rerankers: readonly Reranker[], problem: string | null = null) {
    this.#rerankers = rerankers;
    this.#problem = problem;
  }

  get models(): string[] {
    return this.#rerankers.map(({ model }) => model);
  }

  /** Decides what to rerank. @param partial true if not everything could rank in the initial ranking yet */
  plan({ ranking }: SearchOutcome, partial: boolean, { read }: RerankBudget): RerankPlan {
    const slots = ranking ? firstSlots(ranking, read) : [];
    const of = slots.length;
    const refuse = (state: Refinement['state'], note: string | null) => ({
      refused: this.#report(state, { of, note }),
    });
    if (read === 0) return refuse('off', null);
    if (this.#problem) return refuse('failed', this.#problem);
    if (this.#rerankers.length === 0) return refuse('missing', null);
    if (of < 2) return refuse('nothing', null);
    if (partial) return refuse('partial', 'indexing comes first');
    return { slots, pending: this.#report('reading', { of }) };
  }

  /**
   * Reranks the first results.
   * @param documents of the first results of `outcome`, in the order of the list
   * @param signal ends it between two batches
   * @returns the same outcome, with the reason, where it could not be reranked
   * @throws LocusError `cancelled` when the signal aborts
   */
  async run(
    outcome: SearchOutcome,
    documents: readonly EncoderDocument[],
    { milliseconds }: RerankBudget,
    signal?: AbortSignal,
  ): Promise<{ outcome: SearchOutcome; refinement: Refinement }> {
    const start = performance.now();
    const of = documents.length;
    const report = (state: Refinement['state'], more: Partial<Refinement> = {}) =>
      this.#report(state, { of, milliseconds: performance.now() - start, ...more });
    const edits = editsOf(outcome);
    try {
      const { read, values } = await scoreInOrder(this.#rerankers, outcome.read, documents, {
        milliseconds,
        signal,
      });
      if (editsOf(outcome) !== edits)
        return { outcome, refinement: report('changed', { note: 'the code changed meanwhile' }) };
      if (read < 2)
        return { outcome, refinement: report('nothing', { note: 'there was no time' }) };
      const columns = this.#rerankers.map(({ signal }, i) => ({ signal, values: values[i] ?? [] }));
      return { outcome: rerank(outcome, columns), refinement: report('refined', { read }) };
    } catch (error) {
      if (!(error instanceof LocusError) || isCancelled(error)) throw error;
      return { outcome, refinement: report('failed', { note: error.message }) };
    }
  }

  storeIn(directory: string, readOnly: boolean): void {
    for (const reranker of this.#rerankers) reranker.storeIn?.(directory, readOnly);
  }

  /** @throws LocusError `bad-model` where no model can */
  async prepare(...given: Parameters<NonNullable<Reranker['prepare']>>): Promise<boolean> {
    const reranker = this.#rerankers.find(({ prepare }) => prepare);
    if (this.#problem === null && reranker?.prepare) return reranker.prepare(...given);
    throw new LocusError(
      'bad-model',
      this.#problem ?? 'no model is installed that reads functions',
      'see locus doctor',
    );
  }

  async close(): Promise<void> {
    await Promise.all(this.#rerankers.map((reranker) => reranker.close()));
  }

  #report(state: Refinement['state'], more: Partial<Refinement>): Refinement {
    const { models } = this;
    return { state, read: 0, of: 0, milliseconds: 0, models, note: null, ...more };
  }
}

const editsOf = ({ ranking }: SearchOutcome): number => ranking?.candidates.index.edits ?? 0;
