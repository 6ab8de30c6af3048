import type { RankedIssue } from '../forest/issue.ts';
import { at } from '../ranker/at.ts';
import { computeScores, fitWeights, type Weights } from '../ranker/linear.ts';
import { computeDeviation } from './issue.ts';

/**
 * Returns the weights of the initial ranking and of the reranker's models. A model's weight is fitted next to the score of the
 * initial ranking. The weight of that score is fitted too and then divided out, since a ranker is more certain on its training
 * data than on these issues.
 * @param base weights by column; 0 for the models, whose columns are the last
 * @param models number of models
 */
export function addModelWeights(
  issues: readonly RankedIssue[],
  base: Weights,
  models: number,
): Weights {
  const first = base.length - models;
  const scores = issues.map((issue) => computeScores(issue, base));
  // Scaled to the size of the other columns, so that the step size of the fit suits it.
  const deviation = computeDeviation(scores);
  const summed = issues.map((issue, i) => ({
    labels: issue.labels,
    columns: [at(scores, i).map((score) => score / deviation), ...issue.columns.slice(first)],
  }));
  const names = [
    'initial ranking',
    ...issues.flatMap((issue) => issue.names.slice(first)).slice(0, models),
  ];
  const prior = Float64Array.from(names, (_, column) => (column === 0 ? deviation : 0));
  const fitted = fitWeights(summed, { names, prior, strength: 0, fitted: () => true });
  return base.map((weight, f) =>
    f < first ? weight : (at(fitted, 1 + f - first) / at(fitted, 0)) * deviation,
  );
}
