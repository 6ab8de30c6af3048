/** Language models that are worse than the one that answered, made from its answers. */
import type { Random } from '../encoder/random.ts';

/** An issue of a report with the model's answer. */
export interface CheckedIssue {
  repo: string;
  /** Ranks of the edited chunks in the list. */
  before: (number | null)[];
  /** Scores of the candidates by the engine, in the order of the list. */
  scores: number[];
  /** Indexes of the candidates in the model's order. */
  order: number[];
  /** See `CheckFusion`. */
  fit: number | null;
}

export type SimulatedModel = (
  issue: CheckedIssue,
  random: Random,
  issues: readonly CheckedIssue[],
) => Pick<CheckedIssue, 'order' | 'fit'>;

/** Mean fit of reasons of one issue and functions of another one, measured on the same answers. */
const STRANGE_FIT = 0.03;
/** Number of candidates that a model orders. */
const ORDERED = 15;

const listIndexes = ({ scores }: CheckedIssue): number[] => [...scores.keys()];

/** Swaps each pair of neighbors with that probability. */
const swapping =
  (share: number): SimulatedModel =>
  ({ order, fit }, random) => {
    const swapped = [...order];
    for (let at = 0; at + 1 < swapped.length; at++)
      if (random.chance(share)) swapped.splice(at, 2, ...swapped.slice(at, at + 2).reverse());
    return { order: swapped, fit };
  };

const withoutReasons =
  (list: (issue: CheckedIssue, random: Random) => number[]): SimulatedModel =>
  (issue, random) => ({ order: list(issue, random), fit: null });

/** Answers with the order for another issue. */
const confused =
  (getFit: (other: CheckedIssue) => number | null): SimulatedModel =>
  (issue, random, issues) => {
    const other = random.one(issues.filter((each) => each !== issue));
    const order = other.order.filter((index) => index < issue.scores.length);
    return { order, fit: getFit(other) };
  };

export const MODELS: Readonly<Record<string, SimulatedModel>> = {
  'the one that answered': ({ order, fit }) => ({ order, fit }),
  'without its reasons': withoutReasons(({ order }) => order),
  'its first three ids': ({ order, fit }) => ({ order: order.slice(0, 3), fit }),
  'neighbors swapped, .1': swapping(0.1),
  'neighbors swapped, .3': swapping(0.3),
  'neighbors swapped, .5': swapping(0.5),
  random: withoutReasons((issue, random) => random.some(listIndexes(issue), ORDERED)),
  'three random ids': withoutReasons((issue, random) => random.some(listIndexes(issue), 3)),
  reversed: withoutReasons(({ order }) => order.toReversed()),
  'ids 1 to n': withoutReasons((issue) => listIndexes(issue).slice(0, ORDERED)),
  'ids n to 1': withoutReasons((issue) => listIndexes(issue).reverse().slice(0, ORDERED)),
  '*edit* for all': withoutReasons(listIndexes),
  'answers for other issues': confused(({ fit }) => (fit === null ? null : STRANGE_FIT)),
  'these without reasons': confused(() => null),
};
