/** Ranks candidates by what their signals add up to. */
import type { Evidence } from '../../shared/evidence.ts';
import { present } from '../../shared/present.ts';
import type { Candidates } from './candidates.ts';
import { type Feature, type Forest, scoresBy } from './forest.ts';
import { type Column, standardise, totals } from './rank.ts';
import { partsOf } from './shapley.ts';

/** What scores are made of. */
export interface Parts {
  columns: readonly Column[];
  /** What adds to the columns' contributions. */
  forest: Forest | undefined;
}

export interface Ranking extends Parts {
  candidates: Candidates;
  /** By candidate. */
  scores: Float64Array;
  /** Candidates, best first. They are in order of place, which is the order among equals. */
  order: number[];
  /** The candidates that the second step read, and what their scores are made of; null before it. */
  second: ({ read: ReadonlySet<number> } & Parts) | null;
}

/** @param parts with columns of all signals, those of marks among them. */
export function rankCandidates(candidates: Candidates, { columns, forest }: Parts): Ranking {
  const scores = scoresOf({ columns, forest }, candidates.slots.length);
  const order = Array.from(scores, (score, i) => ({ i, score }))
    .sort((a, b) => b.score - a.score || a.i - b.i)
    .map(({ i }) => i);
  return { candidates, columns, forest, scores, order, second: null };
}

/**
 * Puts the candidates that were read in the order of other parts, in the places that they hold. One that was not read
 * has no values of the second step; its place, its score and what explains them stay, whatever is read around it.
 * @param parts with columns parallel to the candidates; those of the second step have values only for what was read.
 */
export function reorder(
  first: Ranking,
  read: ReadonlySet<number>,
  { columns, forest }: Parts,
): Ranking {
  const sums = scoresOf({ columns, forest }, first.candidates.slots.length);
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
    second: { read, columns, forest },
  };
}

function scoresOf({ columns, forest }: Parts, length: number): Float64Array {
  const scores = totals(columns, length);
  if (!forest) return scores;
  const grown = scoresBy(
    forest,
    forest.features.map((feature) => inputOf(feature, columns)),
  );
  return scores.map((score, i) => score + present(grown[i], 'what trees give a candidate'));
}

function inputOf({ signal, as }: Feature, columns: readonly Column[]): Float64Array {
  const column = columns.find((one) => one.signal.name === signal);
  const { values, standardised } = present(column, 'the column of a signal');
  return as === 'measured' ? values : standardised;
}

/** What the trees add to a candidate's score, by signal. */
function addedByTrees(i: number, { columns, forest }: Parts): Map<string, number> {
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
export function ranksWithoutMarks({ candidates, second, ...parts }: Ranking): Map<number, number> {
  const { slots, onlyNearMarks } = candidates;
  const kept = slots.flatMap((slot, i) => (onlyNearMarks.has(slot) ? [] : [i]));
  const unmarked = {
    ...candidates,
    slots: kept.map((i) => slotOf(i, candidates)),
    marks: null,
  };
  const first = rankCandidates(unmarked, withoutMarks(parts, kept));
  if (!second) return ranksBySlot(first);
  const read = new Set(kept.flatMap((i, place) => (second.read.has(i) ? [place] : [])));
  return ranksBySlot(reorder(first, read, withoutMarks(second, kept)));
}

/** The columns of other families than marks, over these candidates alone. */
function withoutMarks({ columns, forest }: Parts, kept: readonly number[]): Parts {
  const others = columns.filter(({ signal }) => signal.family !== 'marks');
  return {
    columns: others.map(({ signal, values, weight, given }) =>
      standardise(
        signal,
        Float64Array.from(kept, (i) => present(values[i], 'the value of a candidate')),
        weight,
        given,
      ),
    ),
    forest,
  };
}

/** What the signals say of a candidate; those that have nothing to say and add nothing are left out. */
export function evidenceOf(
  i: number,
  ranking: Ranking,
  rankOf: (slot: number) => number,
): Evidence {
  const { candidates, second } = ranking;
  const evidence: Evidence = {};
  const parts = second?.read.has(i) ? second : ranking;
  const ofTrees = addedByTrees(i, parts);
  const slot = slotOf(i, candidates);
  for (const { signal, values, contributions } of parts.columns) {
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
  for (const { signal } of parts.columns) {
    const own = evidence[signal.name];
    if (own && signal.impliedBy && evidence[signal.impliedBy]?.value) own.sentence = null;
  }
  return evidence;
}
