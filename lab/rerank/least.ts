import { mean } from '../../src/services/evaluation/statistics.ts';
import { assertPresent } from '../../src/shared/assert-present.ts';
import { at } from '../ranker/at.ts';
import { computeScores, type Labelled, type Weights } from '../ranker/linear.ts';
import { computeVariance } from './issue.ts';

/** Shares of a model's weight to try. */
const SHARES = Array.from({ length: 21 }, (_, i) => i / 20);
/** Logarithms of the factors to try on a list's scores, which correct for over- or underconfidence. */
const LOG_SURENESS = Array.from({ length: 33 }, (_, i) => (i - 24) / 8);

/**
 * Applies the one-standard-error rule (Breiman et al., Classification and Regression Trees, 1984). Between the weights of the
 * initial ranking and the given ones, returns the smallest whose loss is within one standard error of the best. The best fit on
 * these issues may be too large for other repositories.
 * @param weights fitted weights by column; those of the models, the last columns, are all reduced by the same share
 * @param models number of models
 */
export function findLeastWeights(
  issues: readonly Labelled[],
  weights: Weights,
  models: number,
): Weights {
  const first = weights.length - models;
  const shared = (share: number) =>
    weights.map((weight, column) => (column < first ? weight : share * weight));
  const losses = SHARES.map((share) => computeLosses(issues, shared(share)));
  const best = losses.reduce((a, b) => (mean(b) < mean(a) ? b : a));
  const within = losses.findIndex((of) => {
    const more = of.map((loss, i) => loss - at(best, i));
    return mean(more) <= standardError(more);
  });
  return shared(assertPresent(SHARES[within], 'a share'));
}

/** Returns the loss of each issue, with the factor that is best for all of them together. */
function computeLosses(issues: readonly Labelled[], weights: Weights): number[] {
  const scores = issues.map((issue) => computeScores(issue, weights));
  const all = LOG_SURENESS.map((log) =>
    issues.map((issue, i) => computeLoss(issue, at(scores, i), Math.exp(log))),
  );
  return all.reduce((a, b) => (mean(b) < mean(a) ? b : a));
}

/** Returns the mean over edited candidates of −log of their share of the softmax over themselves and the unedited ones. */
function computeLoss({ labels }: Labelled, scores: Float64Array, sureness: number): number {
  const highest = scores.reduce((a, b) => Math.max(a, b), Number.NEGATIVE_INFINITY);
  const powers = scores.map((score) => Math.exp(sureness * (score - highest)));
  const negative = powers.reduce((sum, power, i) => (labels[i] === 0 ? sum + power : sum), 0);
  const edited = [...powers].filter((_, i) => labels[i] === 1);
  if (edited.length === 0) return 0;
  return mean(edited.map((power) => Math.log((negative + power) / power)));
}

const standardError = (values: readonly number[]): number =>
  Math.sqrt(computeVariance(values) / values.length);
