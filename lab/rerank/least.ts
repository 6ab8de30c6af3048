import { mean } from '../../src/services/evaluation/statistics.ts';
import { present } from '../../src/shared/present.ts';
import { at } from '../ranker/at.ts';
import { type Labelled, scoresOf, type Weights } from '../ranker/linear.ts';
import { varianceOf } from './issue.ts';

/** Shares of a model's weight that are looked at. */
const SHARES = Array.from({ length: 21 }, (_, i) => i / 20);
/** How sure a list may be of its order, beside how sure its scores are: e to the power of these. */
const LOG_SURENESS = Array.from({ length: 33 }, (_, i) => (i - 24) / 8);

/**
 * The one-standard-error rule (Breiman et al., Classification and Regression Trees, 1984): of the weights between those of
 * the first list and these, the least whose loss is within one standard error of the best. What a model is worth on other
 * repositories is less certain than what fits these issues best.
 * @param weights fitted, by column; those of models, the last columns, are made less, all by the same share
 * @param models how many there are
 */
export function leastWeights(
  issues: readonly Labelled[],
  weights: Weights,
  models: number,
): Weights {
  const first = weights.length - models;
  const shared = (share: number) =>
    weights.map((weight, column) => (column < first ? weight : share * weight));
  const losses = SHARES.map((share) => lossesOf(issues, shared(share)));
  const best = losses.reduce((a, b) => (mean(b) < mean(a) ? b : a));
  const within = losses.findIndex((of) => {
    const more = of.map((loss, i) => loss - at(best, i));
    return mean(more) <= standardError(more);
  });
  return shared(present(SHARES[within], 'a share'));
}

/** Of each issue, at the sureness that suits them all best. */
function lossesOf(issues: readonly Labelled[], weights: Weights): number[] {
  const scores = issues.map((issue) => scoresOf(issue, weights));
  const all = LOG_SURENESS.map((log) =>
    issues.map((issue, i) => lossOf(issue, at(scores, i), Math.exp(log))),
  );
  return all.reduce((a, b) => (mean(b) < mean(a) ? b : a));
}

/** The mean over edited candidates of −log of their share of the softmax over themselves and what was not edited. */
function lossOf({ labels }: Labelled, scores: Float64Array, sureness: number): number {
  const highest = scores.reduce((a, b) => Math.max(a, b), Number.NEGATIVE_INFINITY);
  const powers = scores.map((score) => Math.exp(sureness * (score - highest)));
  const negative = powers.reduce((sum, power, i) => (labels[i] === 0 ? sum + power : sum), 0);
  const edited = [...powers].filter((_, i) => labels[i] === 1);
  if (edited.length === 0) return 0;
  return mean(edited.map((power) => Math.log((negative + power) / power)));
}

const standardError = (values: readonly number[]): number =>
  Math.sqrt(varianceOf(values) / values.length);
