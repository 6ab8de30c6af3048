import type { RankedIssue } from '../forest/issue.ts';
import { at } from '../ranker/at.ts';
import { fit, scoresOf, type Weights } from '../ranker/linear.ts';
import { deviationOf } from './issue.ts';

/**
 * The weights of the first list with those of models that read. What a model weighs is fitted beside the first list's score,
 * whose own weight is fitted, too, and then divided out: a ranker is surer of what it was fitted on than of these issues.
 * @param base by column; 0 for the models, whose columns are the last
 * @param models how many there are
 */
export function addedWeights(
  issues: readonly RankedIssue[],
  base: Weights,
  models: number,
): Weights {
  const first = base.length - models;
  const scores = issues.map((issue) => scoresOf(issue, base));
  // As large as the other columns, so that the steps of the fit suit it.
  const deviation = deviationOf(scores);
  const summed = issues.map((issue, i) => ({
    labels: issue.labels,
    columns: [at(scores, i).map((score) => score / deviation), ...issue.columns.slice(first)],
  }));
  const names = [
    'first list',
    ...issues.flatMap((issue) => issue.names.slice(first)).slice(0, models),
  ];
  const prior = Float64Array.from(names, (_, column) => (column === 0 ? deviation : 0));
  const fitted = fit(summed, { names, prior, strength: 0, fitted: () => true });
  return base.map((weight, f) =>
    f < first ? weight : (at(fitted, 1 + f - first) / at(fitted, 0)) * deviation,
  );
}
