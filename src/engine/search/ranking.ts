/** Ranks candidates by what their signals add up to. */
import type { Evidence } from '../../shared/evidence.ts';
import type { Candidates } from './candidates.ts';
import { type Column, standardise, totals } from './rank.ts';

export interface Ranking {
  candidates: Candidates;
  columns: readonly Column[];
  /** By candidate. */
  scores: Float64Array;
  /** Candidates, best first. They are in order of place, which is the order among equals. */
  order: number[];
}

/** @param columns of all signals, those of marks among them. */
export function rankCandidates(candidates: Candidates, columns: readonly Column[]): Ranking {
  const scores = totals(columns, candidates.slots.length);
  const order = Array.from(scores.keys()).sort((a, b) => scores[b] - scores[a] || a - b);
  return { candidates, columns, scores, order };
}

/** Rank by slot, from 1. */
export function ranksBySlot({ candidates, order }: Ranking): Map<number, number> {
  return new Map(order.map((i, place) => [candidates.slots[i], place + 1]));
}

/** By slot: the ranks that there would be without marks, over the candidates that there would be. */
export function ranksWithoutMarks({ candidates, columns }: Ranking): Map<number, number> {
  const { slots, onlyNearMarks } = candidates;
  const kept = [...slots.keys()].filter((i) => !onlyNearMarks.has(slots[i]));
  const others = columns.filter(({ signal }) => signal.family !== 'marks');
  const restricted = others.map(({ signal, values, weight }) =>
    standardise(
      signal,
      Float64Array.from(kept, (i) => values[i]),
      weight,
    ),
  );
  const unmarked = { ...candidates, slots: kept.map((i) => slots[i]), marks: null };
  return ranksBySlot(rankCandidates(unmarked, restricted));
}

/** What the signals say of a candidate; those that have nothing to say and add nothing are left out. */
export function evidenceOf(
  i: number,
  { candidates, columns }: Ranking,
  rankOf: (slot: number) => number,
): Evidence {
  const evidence: Evidence = {};
  for (const { signal, values, contributions } of columns) {
    const value = values[i];
    if (Number.isNaN(value) || (value === 0 && contributions[i] === 0)) continue;
    const { name, family, title, format } = signal;
    const found = { slot: candidates.slots[i], value, candidates, rankOf };
    evidence[name] = {
      family,
      title,
      value,
      measured: format(value),
      contribution: contributions[i],
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
