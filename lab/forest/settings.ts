/** How rankers are learned from lists. */

import { MARK_SIGNALS } from '../../src/engine/lab.ts';

/** Candidates of a list that are learned from. */
export const MOST = 100;

export const FOLDS = 5;

/** Lists are of sources alone, without modules and without marks: what they cannot tell keeps its weight. */
export const UNFITTED: ReadonlySet<string> = new Set([
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
