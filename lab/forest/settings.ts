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

/** How weights are drawn to those that come with Locus when they are fitted to lists. */
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
