/** Cross-validation by repository family: a family is measured with a model that was not fitted on it. */
import { assertPresent } from '../../src/shared/assert-present.ts';

/**
 * Assigns each family to a fold: the largest first, each to the fold with the fewest items, so that folds have similar sizes.
 * @returns number of the fold by family, from 0
 */
export function assignFolds(
  items: readonly { family: string }[],
  count: number,
): Map<string, number> {
  const sizes = [...Map.groupBy(items, ({ family }) => family)]
    .map(([family, { length }]) => ({ family, length }))
    .sort((a, b) => b.length - a.length || (a.family < b.family ? -1 : 1));
  const filled = Array.from({ length: count }, () => 0);
  return new Map(
    sizes.map(({ family, length }) => {
      const fold = filled.indexOf(Math.min(...filled));
      filled[fold] = assertPresent(filled[fold], 'the size of a fold') + length;
      return [family, fold];
    }),
  );
}

/** Calls `make` for each fold with the items of all others, and returns the results by item. */
export function predictOutOfFold<Item extends { family: string }, Made>(
  items: readonly Item[],
  count: number,
  make: (others: Item[]) => Made,
): (item: Item) => Made {
  const folds = assignFolds(items, count);
  const made = new Map(
    new Set(folds.values()).values().map((fold) => {
      return [fold, make(items.filter(({ family }) => folds.get(family) !== fold))] as const;
    }),
  );
  return ({ family }) => {
    const fold = assertPresent(folds.get(family), `the fold of ${family}`);
    return assertPresent(made.get(fold), `what was made without ${family}`);
  };
}
