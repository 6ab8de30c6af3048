/** Ranks candidates by what their signals add up to. */
import type { Evidence } from '../../shared/evidence.ts';
import { present } from '../../shared/present.ts';
import type { Candidates } from './candidates.ts';
import { type Feature, type Forest, scoresBy } from './forest.ts';
import { type Column, standardise, totals } from './rank.ts';
import { partsOf } from './shapley.ts';

export interface Ranking {
  candidates: Candidates;
  columns: readonly Column[];
  /** What adds to the columns' contributions. */
  forest: Forest | undefined;
  /** By candidate. */
  scores: Float64Array;
  /** Candidates, best first. They are in order of place, which is the order among equals. */
  order: number[];
}

/** @param columns of all signals, those of marks among them. */
export function rankCandidates(
  candidates: Candidates,
  columns: readonly Column[],
  forest: Forest | undefined,
): Ranking {
  const scores = totals(columns, candidates.slots.length);
  if (forest) {
    const grown = scoresBy(
      forest,
      forest.features.map((feature) => inputOf(feature, columns)),
    );
    for (const [i, own] of grown.entries()) scores[i] = present(scores[i], 'a score') + own;
  }
  const order = Array.from(scores, (score, i) => ({ i, score }))
    .sort((a, b) => b.score - a.score || a.i - b.i)
    .map(({ i }) => i);
  return { candidates, columns, forest, scores, order };
}

function inputOf({ signal, as }: Feature, columns: readonly Column[]): Float64Array {
  const column = columns.find((one) => one.signal.name === signal);
  const { values, standardised } = present(column, 'the column of a signal');
  return as === 'measured' ? values : standardised;
}

/** What the trees add to a candidate's score, by signal. */
function addedByTrees(i: number, { columns, forest }: Ranking): Map<string, number> {
  const added = new Map<string, number>();
  if (!forest) return added;
  const inputs = forest.features.map((feature) => inputOf(feature, columns)[i]);
  const parts = partsOf(forest, (f) => present(inputs[f], 'a feature of a candidate'));
  for (const [f, { signal }] of forest.features.entries()) {
    added.set(signal, (added.get(signal) ?? 0) + present(parts[f], 'the part of a feature'));
  }
  return added;
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
export function ranksWithoutMarks({ candidates, columns, forest }: Ranking): Map<number, number> {
  const { slots, onlyNearMarks } = candidates;
  const isKept = (slot: number) => !onlyNearMarks.has(slot);
  const others = columns.filter(({ signal }) => signal.family !== 'marks');
  const restricted = others.map(({ signal, values, weight }) =>
    standardise(
      signal,
      values.filter((_, i) => isKept(slotOf(i, candidates))),
      weight,
    ),
  );
  const unmarked = { ...candidates, slots: slots.filter(isKept), marks: null };
  return ranksBySlot(rankCandidates(unmarked, restricted, forest));
}

/** What the signals say of a candidate; those that have nothing to say and add nothing are left out. */
export function evidenceOf(
  i: number,
  ranking: Ranking,
  rankOf: (slot: number) => number,
): Evidence {
  const { candidates, columns } = ranking;
  const evidence: Evidence = {};
  const ofTrees = addedByTrees(i, ranking);
  const slot = slotOf(i, candidates);
  for (const { signal, values, contributions } of columns) {
    const value = present(values[i], 'the value of a candidate');
    const ofWeight = present(contributions[i], 'the contribution of a candidate');
    const contribution = ofWeight + (ofTrees.get(signal.name) ?? 0);
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
