/** Lists for the reranker: the first candidates with their signals and the scores of its models. */
import { mean } from '../../src/services/evaluation/statistics.ts';
import { assertPresent } from '../../src/shared/assert-present.ts';
import type { RankedIssue } from '../forest/issue.ts';

/** Scores of a model for the candidates, in the order of the list, by instance. */
export type ModelScores = Record<string, readonly number[]>;

/** Returns the standard deviation of values within a list: the root of the lists' mean variance. */
export function computeDeviation(lists: readonly ArrayLike<number>[]): number {
  return Math.sqrt(mean(lists.map((values) => computeVariance(Array.from(values)))));
}

/**
 * Adds a column with a model's scores to a list, centered and divided by the deviation, as the reranker does.
 * @throws Error if the model did not score the issue
 */
export function addModelColumn(
  issue: RankedIssue,
  name: string,
  read: ModelScores,
  deviation: number,
): RankedIssue {
  const values = getValues(issue, read);
  const centre = mean(values);
  return {
    ...issue,
    names: [...issue.names, name],
    values: [...issue.values, Float64Array.from(values)],
    columns: [...issue.columns, Float64Array.from(values, (value) => (value - centre) / deviation)],
  };
}

/**
 * Returns a model's scores for the candidates.
 * @throws Error if the model did not score the issue
 */
export function getValues({ instance, labels }: RankedIssue, read: ModelScores): readonly number[] {
  return assertPresent(read[instance], `what was read of ${instance}`).slice(0, labels.length);
}

/** Returns the population variance. */
export function computeVariance(values: readonly number[]): number {
  const centre = mean(values);
  return mean(values.map((value) => (value - centre) ** 2));
}
