import { present } from '../../../src/shared/present.ts';

/** The value that a share of the values lies below; 0.5 is the median. At least one value, in any order. */
export function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return present(sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))], 'a value');
}
