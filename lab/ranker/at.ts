import { present } from '../../src/shared/present.ts';

/** The element at an index that is within bounds by construction; throws an `Error` when it is not. */
export function at<T>(items: ArrayLike<T>, index: number): NonNullable<T> {
  return present(items[index], 'an element within bounds');
}
