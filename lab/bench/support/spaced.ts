import { present } from '../../../src/shared/present.ts';

/** So many of a list at most, evenly spaced. */
export function spaced<T>(list: readonly T[], count: number): T[] {
  const most = Math.min(count, list.length);
  return Array.from({ length: most }, (_, i) =>
    present(list[Math.floor(((i + 0.5) * list.length) / most)], 'one of the list'),
  );
}
