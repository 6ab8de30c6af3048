/** The lists of a second step: what the models read of the first candidates, beside what was measured of them. */
import { mean } from '../../src/services/evaluation/statistics.ts';
import { present } from '../../src/shared/present.ts';
import type { RankedIssue } from '../forest/issue.ts';

/** By instance, the values that a model gave the candidates, in the order of the list. */
export type Read = Record<string, readonly number[]>;

/** What values differ by in a list: the root of the lists' mean variance. */
export function deviationOf(lists: readonly ArrayLike<number>[]): number {
  return Math.sqrt(mean(lists.map((values) => varianceOf(Array.from(values)))));
}

/**
 * The list with a column for a model, centred and divided by the deviation, as the second step has it.
 * @throws Error when the issue was not read
 */
export function withRead(
  issue: RankedIssue,
  name: string,
  read: Read,
  deviation: number,
): RankedIssue {
  const values = valuesOf(issue, read);
  const centre = mean(values);
  return {
    ...issue,
    names: [...issue.names, name],
    values: [...issue.values, Float64Array.from(values)],
    columns: [...issue.columns, Float64Array.from(values, (value) => (value - centre) / deviation)],
  };
}

/**
 * What a model made of the candidates.
 * @throws Error when the issue was not read
 */
export function valuesOf({ instance, labels }: RankedIssue, read: Read): readonly number[] {
  return present(read[instance], `what was read of ${instance}`).slice(0, labels.length);
}

/** Of all of them, not of a sample. */
export function varianceOf(values: readonly number[]): number {
  const centre = mean(values);
  return mean(values.map((value) => (value - centre) ** 2));
}
