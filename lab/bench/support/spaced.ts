import { assertPresent } from '../../../src/shared/assert-present.ts';

/** Returns at most `count` items of a list, evenly spaced. */
export function pickEvenly<T>(list: readonly T[], count: number): T[] {
  const most = Math.min(count, list.length);
  return Array.from({ length: most }, (_, i) =>
    assertPresent(list[Math.floor(((i + 0.5) * list.length) / most)], 'one of the list'),
  );
}
