/** Settings of fitting rankers to lists. */

import { MARK_SIGNALS } from '../../src/engine/lab.ts';

/** Number of candidates of a list to learn from. */
export const MOST = 100;

export const FOLDS = 5;

/** Signals that keep their weight. Lists contain no tests, module code or marks, so they carry no information about these. */
export const UNFITTED: ReadonlySet<string> = new Set([
  'role',
  'module',
  ...MARK_SIGNALS.map(({ name }) => name),
]);

/**
 * Prior of weights that are fitted to lists. Signals in favor of a chunk start with the same weight, since a sum of equal weights
 * is hard to beat (Dawes, "The robust beauty of improper linear models", 1979). Signals of either sign start with 0. No issue was
 * used for this prior.
 */
export const ALIKE = { weight: 0.1, strength: 0.1 };

/** Signals that may count for or against a chunk. */
export const UNSIGNED: ReadonlySet<string> = new Set([
  'length',
  'class',
  'private',
  'special',
  'commonName',
  'churnFile',
  'wordsInDocstring',
]);

/** Strength of the prior that pulls the weights of the reranked list towards those of the initial ranking. */
export const REFIT = { strength: 0.3 };
