/** Methods to fit a ranker's weights to lists. */
import { at } from '../ranker/at.ts';
import { computeScores, fitWeights, type Weights } from '../ranker/linear.ts';
import type { Scores } from './compare.ts';
import type { RankedIssue } from './issue.ts';
import { ALIKE, UNFITTED, UNSIGNED } from './settings.ts';

/** Fits weights to issues. `base` has the weights that come with Locus, by the issues' columns. */
export type Learner = (issues: readonly RankedIssue[], base: Weights) => Weights;

export const LEARNERS: Record<string, Learner> = {
  weights: fitFromAlike,
  'weights, drawn to those that ship': fitNear,
};

/** Returns the scores of weights learned from issues. */
export function learnScores(
  learner: Learner,
  issues: readonly RankedIssue[],
  base: Weights,
): Scores {
  return makeScorer(learner(issues, base));
}

export function makeScorer(weights: Weights): Scores {
  return (issue) => computeScores(issue, weights);
}

/** Fits weights that start with equal values, independent of the weights that come with Locus. */
function fitFromAlike(issues: readonly RankedIssue[], base: Weights): Weights {
  const { names } = at(issues, 0);
  const prior = base.map((weight, f) => {
    const name = at(names, f);
    if (UNFITTED.has(name)) return weight;
    return UNSIGNED.has(name) ? 0 : ALIKE.weight;
  });
  return fitNear(issues, prior);
}

/** Fits weights that stay near others, such as those that come with Locus. */
function fitNear(issues: readonly RankedIssue[], prior: Weights): Weights {
  const { names } = at(issues, 0);
  const fitted = (name: string) => !UNFITTED.has(name);
  return fitWeights(issues, { strength: ALIKE.strength, names, prior, fitted });
}
