/** How rankers are learned from lists. */
import type { Feature } from '../../src/engine/search/forest.ts';
import { MARK_SIGNALS } from '../../src/engine/search/signals/index.ts';
import type { GrowOptions } from './grow.ts';

/** Candidates of a list that are learned from. */
export const MOST = 100;

export const FOLDS = 5;

/** Lists are of sources alone, without modules and without marks: what they cannot tell keeps its weight. */
export const UNGROWN: ReadonlySet<string> = new Set([
  'role',
  'module',
  ...MARK_SIGNALS.map(({ name }) => name),
]);

/**
 * How weights that are fitted to lists are drawn to being alike: what speaks for a chunk begins with the same weight, since a
 * sum of equal weights is hard to beat (Dawes, "The robust beauty of improper linear models", 1979), and what may speak for it
 * or against it with none. Nothing of it was learned from any issue.
 */
export const ALIKE = { weight: 0.1, strength: 0.1 };

/** Signals that may speak for a chunk or against it. */
export const UNSIGNED: ReadonlySet<string> = new Set([
  'length',
  'class',
  'private',
  'special',
  'commonName',
  'churnFile',
  'wordsInDocstring',
]);

/** How weights of a list that was read are drawn to those of the first list. */
export const REFIT = { strength: 0.3 };

export const GROWN: GrowOptions & { as: Feature['as'][] } = {
  as: ['standardised'],
  trees: 60,
  settings: {
    num_leaves: 4,
    learning_rate: 0.05,
    min_data_in_leaf: 20,
    min_sum_hessian_in_leaf: 0.5,
    lambda_l2: 2,
    feature_fraction: 0.5,
    // No bagging by query: with an objective of one's own, LightGBM 4.7 diverges (scores of 23 became 78 by one tree).
    max_bin: 63,
    seed: 1,
  },
};
