import { assertPresent } from '../../../src/shared/assert-present.ts';

/** Returns the quantile of one or more values, in any order. A share of 0.5 gives the median. */
export function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return assertPresent(
    sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))],
    'a value',
  );
}
