/**
 * The second step of a search: orders the candidates. A `Ranker` computes the contribution of each signal to a candidate's
 * score, which is their sum. `rank.ts` has the ranker of the initial ranking, `../rerank/rerank.ts` that of the reranked list.
 */
import { assertPresent } from '../../../shared/assert-present.ts';
import type { IssueReport, SearchRequest } from '../../../shared/search.ts';
import type { Issue } from '../../issue/issue.ts';
import type { Candidates } from '../gather/gather.ts';
import type { PointedSections } from '../gather/sections.ts';
import type { ExplainedSignal } from './signals/signal.ts';

export interface MeasuredSignal {
  signal: ExplainedSignal;
  /** Values parallel to the candidates; NaN if missing. */
  values: Float64Array;
}

/** A measured signal with its contributions to the scores. */
export interface WeightedSignal extends MeasuredSignal {
  /** Contributions parallel to the candidates; 0 if the value is missing. */
  contributions: Float64Array;
}

export interface Ranker {
  /** Id and version, for people: `ranker-1 1.0.0`. */
  readonly name: string;
  /** Computes the contribution of each signal, parallel to `measured`. */
  weigh(measured: readonly MeasuredSignal[], candidates: Candidates): WeightedSignal[];
  /** Estimates the probability that the first results include a chunk to edit; null for a case that was not calibrated. */
  measureConfidence(ranking: Ranking): number | null;
}

export interface Ranking {
  candidates: Candidates;
  ranker: Ranker;
  signals: readonly WeightedSignal[];
  scores: Float64Array;
  /** Indices of candidates, best first. Equal scores stay in the candidates' order, which is by path and line. */
  order: number[];
  /** Candidates that were reranked, with the contributions to their scores; null before reranking. */
  reranked: {
    indices: ReadonlySet<number>;
    ranker: Ranker;
    signals: readonly WeightedSignal[];
  } | null;
}

/** Outcome of a search before it becomes a list of results. */
export interface SearchOutcome {
  request: SearchRequest;
  read: Issue;
  report: IssueReport;
  /** Number of chunks that pass the filters. */
  considered: number;
  confidence: number | null;
  /** Null if the issue has nothing to search with, or nothing passes the filters. */
  ranking: Ranking | null;
  /** Sections that the issue points to; null if there are none. The list has them among the ranked chunks. */
  pointed: PointedSections | null;
  ranker: string;
}

export function rankCandidates(
  candidates: Candidates,
  ranker: Ranker,
  measured: readonly MeasuredSignal[],
): Ranking {
  const signals = ranker.weigh(measured, candidates);
  const scores = sumContributions(signals, candidates.slots.length);
  const order = Array.from(scores, (score, i) => ({ i, score }))
    .sort((a, b) => b.score - a.score || a.i - b.i)
    .map(({ i }) => i);
  return { candidates, ranker, signals, scores, order, reranked: null };
}

/**
 * Orders some candidates again, within the ranks that they already have. All others keep their ranks, scores and evidence.
 * @param indices candidates to order
 * @param measured signals parallel to all candidates; those of rerankers have values only for the candidates to order
 */
export function reorder(
  initial: Ranking,
  indices: ReadonlySet<number>,
  ranker: Ranker,
  measured: readonly MeasuredSignal[],
): Ranking {
  const signals = ranker.weigh(measured, initial.candidates);
  const sums = sumContributions(signals, initial.candidates.slots.length);
  const sumOf = (i: number) => assertPresent(sums[i], 'the sum of a candidate');
  const best = initial.order
    .filter((i) => indices.has(i))
    .sort((a, b) => sumOf(b) - sumOf(a))
    .values();
  return {
    ...initial,
    scores: initial.scores.map((score, i) => (indices.has(i) ? sumOf(i) : score)),
    order: initial.order.map((i) =>
      indices.has(i) ? assertPresent(best.next().value, 'a reranked candidate') : i,
    ),
    reranked: { indices, ranker, signals },
  };
}

function sumContributions(signals: readonly WeightedSignal[], length: number): Float64Array {
  const scores = new Float64Array(length);
  for (const { contributions } of signals) {
    for (let i = 0; i < length; i++) {
      scores[i] =
        assertPresent(scores[i], 'a score') + assertPresent(contributions[i], 'a contribution');
    }
  }
  return scores;
}

export function getSlot(i: number, { slots }: Candidates): number {
  return assertPresent(slots[i], 'the slot of a candidate');
}

export function listFirstSlots({ candidates, order }: Ranking, most: number): number[] {
  return order.slice(0, most).map((i) => getSlot(i, candidates));
}

export function getRanksBySlot({ candidates, order }: Ranking): Map<number, number> {
  return new Map(order.map((i, position) => [getSlot(i, candidates), position + 1]));
}

/** Computes the ranks without marks, by slot, among the candidates that the issue alone gives. */
export function computeRanksWithoutMarks({
  candidates,
  ranker,
  signals,
  reranked,
}: Ranking): Map<number, number> {
  const { slots, onlyNearMarks } = candidates;
  const kept = slots.flatMap((slot, i) => (onlyNearMarks.has(slot) ? [] : [i]));
  const unmarked = {
    ...candidates,
    slots: kept.map((i) => getSlot(i, candidates)),
    marks: null,
  };
  const initial = rankCandidates(unmarked, ranker, dropMarkSignals(signals, kept));
  if (!reranked) return getRanksBySlot(initial);
  const indices = new Set(
    kept.flatMap((i, position) => (reranked.indices.has(i) ? [position] : [])),
  );
  const measured = dropMarkSignals(reranked.signals, kept);
  return getRanksBySlot(reorder(initial, indices, reranked.ranker, measured));
}

function dropMarkSignals(
  measured: readonly MeasuredSignal[],
  kept: readonly number[],
): MeasuredSignal[] {
  const others = measured.filter(({ signal }) => signal.family !== 'marks');
  return others.map(({ signal, values }) => ({
    signal,
    values: Float64Array.from(kept, (i) => assertPresent(values[i], 'the value of a candidate')),
  }));
}
