/**
 * The second step of a search orders the candidates. A `Ranker` says what each signal adds to a candidate's score; the
 * sums are the scores. `rank.ts` has the ranker of the initial ranking, `../rerank/rerank.ts` that of the reranked list.
 */
import { present } from '../../../shared/present.ts';
import type { IssueReport, SearchRequest } from '../../../shared/search.ts';
import type { Issue } from '../../issue/issue.ts';
import type { Candidates } from '../gather/gather.ts';
import type { ExplainedSignal } from './signals/signal.ts';

export interface MeasuredSignal {
  signal: ExplainedSignal;
  /** Parallel to the candidates; NaN where one has no value. */
  values: Float64Array;
}

/** A measured signal with what it adds to the scores. */
export interface Column extends MeasuredSignal {
  /** Parallel to the candidates; 0 where one has no value. */
  contributions: Float64Array;
}

export interface Ranker {
  /** Id and version, for people: `ranker-1 1.0.0`. */
  readonly name: string;
  /** Returns what each signal adds to the scores, parallel to `measured`. */
  weigh(measured: readonly MeasuredSignal[], candidates: Candidates): Column[];
  /** Returns the probability that the first places hold a chunk to edit; null where that was not calibrated. */
  confidenceIn(ranking: Ranking): number | null;
}

export interface Ranking {
  candidates: Candidates;
  ranker: Ranker;
  columns: readonly Column[];
  scores: Float64Array;
  /** Candidates, best first. They are in order of path and line, which is the order among equals. */
  order: number[];
  /** The candidates that were reranked, and the summands of their scores; null before reranking. */
  reranked: { read: ReadonlySet<number>; ranker: Ranker; columns: readonly Column[] } | null;
}

/** Result of a search so far, before it is written out as a list. */
export interface SearchOutcome {
  request: SearchRequest;
  /** The issue as it was read, and the report on it. */
  read: Issue;
  report: IssueReport;
  considered: number;
  confidence: number | null;
  /** Null if the issue has nothing to search with, or nothing passes the filters. */
  ranking: Ranking | null;
  ranker: string;
}

export function rankCandidates(
  candidates: Candidates,
  ranker: Ranker,
  measured: readonly MeasuredSignal[],
): Ranking {
  const columns = ranker.weigh(measured, candidates);
  const scores = totals(columns, candidates.slots.length);
  const order = Array.from(scores, (score, i) => ({ i, score }))
    .sort((a, b) => b.score - a.score || a.i - b.i)
    .map(({ i }) => i);
  return { candidates, ranker, columns, scores, order, reranked: null };
}

/**
 * Orders some candidates again, within the places that they hold. The place, the score and the evidence of all others
 * stay, whatever is reranked around them.
 * @param read the candidates to order
 * @param measured parallel to all candidates; values of rerankers are only known for those to order
 */
export function reorder(
  initial: Ranking,
  read: ReadonlySet<number>,
  ranker: Ranker,
  measured: readonly MeasuredSignal[],
): Ranking {
  const columns = ranker.weigh(measured, initial.candidates);
  const sums = totals(columns, initial.candidates.slots.length);
  const sumOf = (i: number) => present(sums[i], 'the sum of a candidate');
  const best = initial.order
    .filter((i) => read.has(i))
    .sort((a, b) => sumOf(b) - sumOf(a))
    .values();
  return {
    ...initial,
    scores: initial.scores.map((score, i) => (read.has(i) ? sumOf(i) : score)),
    order: initial.order.map((i) =>
      read.has(i) ? present(best.next().value, 'a place for each that was read') : i,
    ),
    reranked: { read, ranker, columns },
  };
}

function totals(columns: readonly Column[], length: number): Float64Array {
  const scores = new Float64Array(length);
  for (const { contributions } of columns) {
    for (let i = 0; i < length; i++) {
      scores[i] = present(scores[i], 'a score') + present(contributions[i], 'a contribution');
    }
  }
  return scores;
}

export function getSlot(i: number, { slots }: Candidates): number {
  return present(slots[i], 'the slot of a candidate');
}

export function firstSlots({ candidates, order }: Ranking, most: number): number[] {
  return order.slice(0, most).map((i) => getSlot(i, candidates));
}

export function ranksBySlot({ candidates, order }: Ranking): Map<number, number> {
  return new Map(order.map((i, place) => [getSlot(i, candidates), place + 1]));
}

/** Returns the ranks that there would be without marks, by slot, over the candidates that there would be. */
export function ranksWithoutMarks({
  candidates,
  ranker,
  columns,
  reranked,
}: Ranking): Map<number, number> {
  const { slots, onlyNearMarks } = candidates;
  const kept = slots.flatMap((slot, i) => (onlyNearMarks.has(slot) ? [] : [i]));
  const unmarked = {
    ...candidates,
    slots: kept.map((i) => getSlot(i, candidates)),
    marks: null,
  };
  const initial = rankCandidates(unmarked, ranker, withoutMarks(columns, kept));
  if (!reranked) return ranksBySlot(initial);
  const read = new Set(kept.flatMap((i, place) => (reranked.read.has(i) ? [place] : [])));
  const measured = withoutMarks(reranked.columns, kept);
  return ranksBySlot(reorder(initial, read, reranked.ranker, measured));
}

function withoutMarks(
  measured: readonly MeasuredSignal[],
  kept: readonly number[],
): MeasuredSignal[] {
  const others = measured.filter(({ signal }) => signal.family !== 'marks');
  return others.map(({ signal, values }) => ({
    signal,
    values: Float64Array.from(kept, (i) => present(values[i], 'the value of a candidate')),
  }));
}
