/**
 * The third step of a search: rerankers score the first results, and a separate ranker orders them again with these
 * scores. `RERANK_SIGNALS` and `openRerankers` list the rerankers.
 */
import rerankModel from '../../../../models/ranker-1/reranked.json' with { type: 'json' };
import { assertPresent } from '../../../shared/assert-present.ts';
import type { Device } from '../../../shared/devices.ts';
import { isCancelled, LocusError } from '../../../shared/errors.ts';
import { formatCounted } from '../../../shared/format-count.ts';
import type { Reranking } from '../../../shared/search.ts';
import { createEncoder } from '../../encode/encoder.ts';
import { getModelKey, loadManifest } from '../../encode/manifest.ts';
import { findMissingBuild } from '../../encode/runtime-builds.ts';
import type { EncoderDocument } from '../../encode/types.ts';
import { isFiltered } from '../gather/scope.ts';
import { checkLinearModel, LinearRanker } from '../rank/linear.ts';
import { SIGNALS } from '../rank/rank.ts';
import { listFirstSlots, type Ranker, reorder, type SearchOutcome } from '../rank/ranking.ts';
import type { ExplainedSignal } from '../rank/signals/signal.ts';
import { CORET, DualEncoder, OTHER_RERANKER } from './dual-encoder.ts';
import type { RerankerFolders } from './models.ts';
import { type Reranker, type ScoringOptions, scoreInOrder } from './reranker.ts';

export const RERANK_SIGNALS: readonly ExplainedSignal[] = [CORET, OTHER_RERANKER];

/**
 * Opens the reranker whose model is installed. The model is loaded when it is first needed.
 * @param device device to run on; `auto` is the CPU for the model that comes with Locus
 * @throws LocusError `bad-model` if a folder has no usable model, `device` on a system without ONNX Runtime
 */
export async function openRerankers(
  { coret, reranker }: RerankerFolders,
  device: Device,
): Promise<Reranker[]> {
  const modelFolder = reranker ?? coret;
  if (modelFolder === undefined) return [];
  const missing = findMissingBuild();
  if (missing) throw missing;
  const manifest = await loadManifest(modelFolder);
  const { id, version, dimensions } = manifest;
  // Trying the other devices takes longer than reranking with a small model on the CPU.
  const used = device === 'auto' && reranker === undefined ? 'cpu' : device;
  const open = () => createEncoder({ modelFolder, manifest, device: used });
  const name = `${id} ${version}`;
  if (manifest.kind === 'pair') {
    const { PairReranker } = await import('./pair-reranker.ts');
    return [new PairReranker(name, open)];
  }
  const rows = { key: getModelKey(id, version), dimensions };
  return [new DualEncoder(name, rows, open, reranker === undefined ? CORET : OTHER_RERANKER)];
}

const RERANK_RANKER = new LinearRanker(
  checkLinearModel(rerankModel, [...RERANK_SIGNALS, ...SIGNALS]),
);

export interface RerankSignalValues {
  signal: ExplainedSignal;
  values: readonly number[];
}

/**
 * Ranks the first results again, as many as have values. All others keep their ranks and scores.
 * @param outcome outcome of an initial ranking that has results
 * @param columns values by signal, in the order of the list; at most as many as there are results
 */
export function rerank(
  outcome: SearchOutcome,
  columns: readonly RerankSignalValues[],
  ranker: Ranker = RERANK_RANKER,
): SearchOutcome {
  const initial = assertPresent(outcome.ranking, 'the initial ranking');
  const count = Math.min(...columns.map(({ values }) => values.length));
  const first = initial.order.slice(0, count);
  const added = columns.map(({ signal, values: given }) => {
    const values = new Float64Array(initial.candidates.slots.length).fill(Number.NaN);
    for (const [rank, i] of first.entries()) values[i] = assertPresent(given[rank], 'a value');
    return { signal, values };
  });
  const ranking = reorder(initial, new Set(first), ranker, [...added, ...initial.signals]);
  return {
    ...outcome,
    ranking,
    ranker: ranker.name,
    // Without a calibration for reranked lists, the initial confidence still holds: reranking only improves the order.
    confidence: isFiltered(outcome.request)
      ? null
      : (ranker.measureConfidence(ranking) ?? outcome.confidence),
  };
}

/** Chunks to rerank, or the reason why nothing is reranked. */
type RerankPlan = { slots: number[]; pending: Reranking } | { refused: Reranking };

/** Reranks the searches of one repository. If anything is missing or fails, the initial ranking stays. */
export class RerankStep {
  readonly #rerankers: readonly Reranker[];
  readonly #problem: string | null;

  /** @param problem reason why an installed model cannot be used */
  constructor(rerankers: readonly Reranker[], problem: string | null = null) {
    this.#rerankers = rerankers;
    this.#problem = problem;
  }

  get models(): string[] {
    return this.#rerankers.map(({ model }) => model);
  }

  /** Decides what to rerank. @param partial true if indexing has not finished, so that the initial ranking lacks chunks */
  plan({ ranking }: SearchOutcome, partial: boolean, count: number): RerankPlan {
    const slots = ranking ? listFirstSlots(ranking, count) : [];
    const of = slots.length;
    const skip = (state: Reranking['state'], note: string | null) => ({
      refused: this.#report(state, { of, note }),
    });
    if (count === 0) return skip('off', null);
    if (this.#problem) return skip('failed', this.#problem);
    if (this.#rerankers.length === 0) return skip('missing', null);
    if (of < 2) return skip('nothing', null);
    if (partial) return skip('partial', 'indexing has not finished');
    return { slots, pending: this.#report('reranking', { of }) };
  }

  /**
   * Reranks the first results. If that is impossible, returns the same outcome with the reason.
   * @param documents documents of the first results of `outcome`, in the order of the list
   * @throws LocusError `cancelled` if the signal aborts
   */
  async run(
    outcome: SearchOutcome,
    documents: readonly EncoderDocument[],
    options: ScoringOptions,
  ): Promise<{ outcome: SearchOutcome; reranking: Reranking }> {
    const start = performance.now();
    const of = documents.length;
    const report = (state: Reranking['state'], more: Partial<Reranking> = {}) =>
      this.#report(state, { of, milliseconds: performance.now() - start, ...more });
    const edits = countEdits(outcome);
    try {
      const { count, values } = await scoreInOrder(
        this.#rerankers,
        outcome.read,
        documents,
        options,
      );
      if (countEdits(outcome) !== edits)
        return {
          outcome,
          reranking: report('changed', { note: 'the code changed during reranking' }),
        };
      const { deadlineMs } = options;
      const isCut = deadlineMs !== null && count < of;
      // One result cannot be reordered.
      const used = count < 2 ? 0 : count;
      const note = isCut ? describeDeadline(deadlineMs, of - used) : null;
      if (used === 0) return { outcome, reranking: report('nothing', { note }) };
      const columns = this.#rerankers.map(({ signal }, i) => ({ signal, values: values[i] ?? [] }));
      return { outcome: rerank(outcome, columns), reranking: report('reranked', { count, note }) };
    } catch (error) {
      if (!(error instanceof LocusError) || isCancelled(error)) throw error;
      return { outcome, reranking: report('failed', { note: error.message }) };
    }
  }

  storeIn(directory: string, readOnly: boolean): void {
    for (const reranker of this.#rerankers) reranker.storeIn?.(directory, readOnly);
  }

  /**
   * Embeds functions in advance, see `Reranker.prepare`.
   * @throws LocusError `bad-model` if no usable model is installed
   */
  async prepare(...given: Parameters<NonNullable<Reranker['prepare']>>): Promise<boolean> {
    const reranker = this.#rerankers.find(({ prepare }) => prepare);
    if (this.#problem === null && reranker?.prepare) return reranker.prepare(...given);
    const [scoresPairs] = this.#problem === null ? this.models : [];
    throw scoresPairs === undefined
      ? new LocusError(
          'bad-model',
          this.#problem ?? 'No reranking model is installed.',
          'Run locus doctor for details.',
        )
      : new LocusError(
          'bad-model',
          `${scoresPairs} scores an issue and a function together, so nothing can be embedded in advance.`,
          'Search without embedding in advance.',
        );
  }

  async close(): Promise<void> {
    await Promise.all(this.#rerankers.map((reranker) => reranker.close()));
  }

  #report(state: Reranking['state'], more: Partial<Reranking>): Reranking {
    const { models } = this;
    return { state, count: 0, of: 0, milliseconds: 0, models, note: null, ...more };
  }
}

const describeDeadline = (deadlineMs: number, omitted: number): string =>
  `the deadline of ${deadlineMs / 1000} s left out ${formatCounted(omitted, 'result')}`;

const countEdits = ({ ranking }: SearchOutcome): number => ranking?.candidates.index.edits ?? 0;
