/** Chooses fixes, spread over time. */
import { assertPresent } from '../../shared/assert-present.ts';
import { createRandom } from '../evaluation/statistics.ts';

/**
 * Divides a list into `count` parts of equal size, and shuffles each by the seed. The first of each part that turns out to be a
 * fix is replayed, so fixes are spread as evenly as commits are.
 */
export function divideIntoParts<T>(all: readonly T[], count: number, seed: number): T[][] {
  const random = createRandom(seed);
  const parts = Math.min(count, all.length);
  return Array.from({ length: parts }, (_, i) =>
    shuffle(
      all.slice(Math.floor((i * all.length) / parts), Math.floor(((i + 1) * all.length) / parts)),
      random,
    ),
  );
}

function shuffle<T>(items: T[], random: () => number): T[] {
  for (let i = items.length - 1; i > 0; i--) {
    const j = Math.floor(random() * (i + 1));
    const item = assertPresent(items[i], 'an item');
    items[i] = assertPresent(items[j], 'an item');
    items[j] = item;
  }
  return items;
}
