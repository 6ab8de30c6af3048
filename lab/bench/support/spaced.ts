import { present } from '../../../src/shared/present.ts';

/** Returns at most `count` items of a list, evenly spaced. */
export function pickEvenly<T>(list: readonly T[], count: number): T[] {
  const most = Math.min(count, list.length);
  return Array.from({ length: most }, (_, i) =>
    present(list[Math.floor(((i + 0.5) * list.length) / most)], 'one of the list'),
  );
}
