/** Ranks candidates by what their signals add up to. */
import type { Evidence } from '../../shared/evidence.ts';
import { present } from '../../shared/present.ts';
import type { Candidates } from './candidates.ts';
import { type Column, standardise, totals } from './rank.ts';

export interface Ranking {
  candidates: Candidates;
  columns: readonly Column[];
  /** By candidate. */
  scores: Float64Array;
  /** Candidates, best first. They are in order of place, which is the order among equals. */
  order: number[];
  /** The candidates that the second step read, and the columns that their scores are the sums of; null before it. */
  second: { read: ReadonlySet<number>; columns: readonly Column[] } | null;
}

/** @param columns of all signals, those of marks among them. */
export function rankCandidates(candidates: Candidates, columns: readonly Column[]): Ranking {
  const scores = totals(columns, candidates.slots.length);
  const order = Array.from(scores, (score, i) => ({ i, score }))
    .sort((a, b) => b.score - a.score || a.i - b.i)
    .map(({ i }) => i);
  return { candidates, columns, scores, order, second: null };
}

/**
 * Puts the candidates that were read in the order of other columns, in the places that they hold. One that was not read
 * has no values of the second step; its place, its score and what explains them stay, whatever is read around it.
 * @param columns parallel to the candidates; those of the second step have values only for what was read.
 */
export function reorder(
  first: Ranking,
  read: ReadonlySet<number>,
  columns: readonly Column[],
): Ranking {
  const sums = totals(columns, first.candidates.slots.length);
  const sumOf = (i: number) => present(sums[i], 'the sum of a candidate');
  const best = first.order
    .filter((i) => read.has(i))
    .sort((a, b) => sumOf(b) - sumOf(a))
    .values();
  return {
    ...first,
    scores: first.scores.map((score, i) => (read.has(i) ? sumOf(i) : score)),
    order: first.order.map((i) =>
      read.has(i) ? present(best.next().value, 'a place for each that was read') : i,
    ),
    second: { read, columns },
  };
}

/** The slot of the i-th candidate. */
export function slotOf(i: number, { slots }: Candidates): number {
  return present(slots[i], 'the slot of a candidate');
}

/** Rank by slot, from 1. */
export function ranksBySlot({ candidates, order }: Ranking): Map<number, number> {
  return new Map(order.map((i, place) => [slotOf(i, candidates), place + 1]));
}

/** By slot: the ranks that there would be without marks, over the candidates that there would be. */
export function ranksWithoutMarks({ candidates, columns, second }: Ranking): Map<number, number> {
  const { slots, onlyNearMarks } = candidates;
  const kept = slots.flatMap((slot, i) => (onlyNearMarks.has(slot) ? [] : [i]));
  const unmarked = {
    ...candidates,
    slots: kept.map((i) => slotOf(i, candidates)),
    marks: null,
  };
  const first = rankCandidates(unmarked, withoutMarks(columns, kept));
  if (!second) return ranksBySlot(first);
  const read = new Set(kept.flatMap((i, place) => (second.read.has(i) ? [place] : [])));
  return ranksBySlot(reorder(first, read, withoutMarks(second.columns, kept)));
}

/** The columns of other families than marks, over these candidates alone. */
function withoutMarks(columns: readonly Column[], kept: readonly number[]): Column[] {
  return columns
    .filter(({ signal }) => signal.family !== 'marks')
    .map(({ signal, values, weight, given }) =>
      standardise(
        signal,
        Float64Array.from(kept, (i) => present(values[i], 'the value of a candidate')),
        weight,
        given,
      ),
    );
}

/** What the signals say of a candidate; those that have nothing to say and add nothing are left out. */
export function evidenceOf(
  i: number,
  { candidates, columns: first, second }: Ranking,
  rankOf: (slot: number) => number,
): Evidence {
  const evidence: Evidence = {};
  const slot = slotOf(i, candidates);
  const columns = second?.read.has(i) ? second.columns : first;
  for (const { signal, values, contributions } of columns) {
    const value = present(values[i], 'the value of a candidate');
    const contribution = present(contributions[i], 'the contribution of a candidate');
    if (Number.isNaN(value) || (value === 0 && contribution === 0)) continue;
    const { name, family, title, format } = signal;
    const found = { slot, value, candidates, rankOf };
    evidence[name] = {
      family,
      title,
      value,
      measured: format(value),
      contribution,
      sentence: null,
      ...(value !== 0 && signal.explain?.(found)),
    };
  }
  for (const { signal } of columns) {
    const own = evidence[signal.name];
    if (own && signal.impliedBy && evidence[signal.impliedBy]?.value) own.sentence = null;
  }
  return evidence;
}
