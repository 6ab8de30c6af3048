/** The kinds of rankers that are learned from lists. Each is weights, trees, or both, whose sum is the score. */
import {
  type Feature,
  type Forest,
  type ForestFile,
  forestOf,
} from '../../src/engine/search/forest.ts';
import { at } from '../ranker/at.ts';
import { fit, scoresOf, type Weights } from '../ranker/linear.ts';
import type { Scores } from './compare.ts';
import { grow, grownScores } from './grow.ts';
import type { RankedIssue } from './issue.ts';
import { ALIKE, GROWN, UNGROWN, UNSIGNED } from './settings.ts';

export interface Model {
  weights: Weights;
  forest?: ForestFile;
}

/** Makes a model of issues. `base` has the weights that come with Locus, by the issues' columns. */
export type Learner = (issues: readonly RankedIssue[], base: Weights) => Model;

export const LEARNERS: Record<string, Learner> = {
  weights,
  'weights, drawn to those that ship': drawnTo,
  'weights, corrected by trees': (issues, base) => corrected(issues, weights(issues, base).weights),
  trees,
  'mean of weights and trees': (issues, base) => {
    const ofTrees = trees(issues, base);
    return { weights: weights(issues, base).weights.map(half), forest: halved(ofTrees.forest) };
  },
};

/** What the learner makes of issues, as it ranks. */
export function learnedBy(learner: Learner, issues: readonly RankedIssue[], base: Weights): Scores {
  const { weights, forest } = learner(issues, base);
  return scoresBy(weights, forest && forestOf(forest));
}

export function scoresBy(weights: Weights, forest: Forest | undefined): Scores {
  return (issue) => {
    const scores = scoresOf(issue, weights);
    const added = forest && grownScores(issue, forest);
    return added ? scores.map((score, i) => score + at(added, i)) : scores;
  };
}

/** Weights that begin alike, whatever those that come with Locus were fitted on. */
function weights(issues: readonly RankedIssue[], base: Weights): Model {
  const { names } = at(issues, 0);
  const fitted = (name: string) => !UNGROWN.has(name);
  const start = (name: string) => (fitted(name) && !UNSIGNED.has(name) ? ALIKE.weight : 0);
  const prior = keptOf(names, base).map((weight, f) => weight + start(at(names, f)));
  return drawnTo(issues, prior);
}

/** Weights that begin with others, and stay near them: those that come with Locus, for issues that are not like those that they were fitted on. */
function drawnTo(issues: readonly RankedIssue[], prior: Weights): Model {
  const { names } = at(issues, 0);
  const fitted = (name: string) => !UNGROWN.has(name);
  return { weights: fit(issues, { strength: ALIKE.strength, names, prior, fitted }) };
}

/** The weights of what cannot be learned from lists; 0 for all others. */
function keptOf(names: readonly string[], base: Weights): Weights {
  return base.map((weight, f) => (UNGROWN.has(at(names, f)) ? weight : 0));
}

/** Trees that begin where the weights end. */
function corrected(issues: readonly RankedIssue[], by: Weights) {
  const features = featuresOf(at(issues, 0));
  const { trees: grown } = grow(issues, features, (issue) => scoresOf(issue, by), GROWN);
  return { weights: by, forest: { features, trees: grown } };
}

/** Trees that begin with nothing; what they cannot learn from lists keeps its weight. */
function trees(issues: readonly RankedIssue[], base: Weights) {
  return corrected(issues, keptOf(at(issues, 0).names, base));
}

function featuresOf({ names }: RankedIssue): Feature[] {
  const grown = names.filter((name) => !UNGROWN.has(name));
  return GROWN.as.flatMap((as) => grown.map((signal): Feature => ({ signal, as })));
}

function halved({ features, trees }: ForestFile): ForestFile {
  return {
    features,
    trees: trees.map((tree) => ({
      ...tree,
      numbers: tree.numbers.map((number, node) => (tree.asks[node] === -1 ? half(number) : number)),
    })),
  };
}

const half = (number: number) => number / 2;
