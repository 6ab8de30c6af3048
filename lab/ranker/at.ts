import { assertPresent } from '../../src/shared/assert-present.ts';

/**
 * Returns the element at an index that is within bounds by construction.
 * @throws Error if the index is out of bounds
 */
export function at<T>(items: ArrayLike<T>, index: number): NonNullable<T> {
  return assertPresent(items[index], 'an element within bounds');
}
