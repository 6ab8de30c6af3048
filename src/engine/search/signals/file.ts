import type { Candidates } from '../candidates.ts';
import { measureEach, type Signal } from './signal.ts';

const BEST = 3;

/** How good the chunk's file is: the mean first score (similarity and BM25F) of its best three chunks. */
export const file: Signal = {
  name: 'file',
  measure(candidates) {
    const means = new Map<string, number>();
    return measureEach(candidates, ({ path }) => {
      let mean = means.get(path);
      if (mean === undefined) {
        const best = bestOf(path, candidates);
        mean = best.reduce((sum, slot) => sum + candidates.first[slot], 0) / best.length;
        means.set(path, mean);
      }
      return mean;
    });
  },
  explain(slot, candidates) {
    const { index } = candidates;
    const best = bestOf(index.chunks[slot]!.path, candidates);
    return {
      detail: `best of the file: ${best.map((s) => index.chunks[s]!.qualifiedName).join(', ')}`,
    };
  },
};

function bestOf(path: string, { index, first }: Candidates): number[] {
  return index
    .slotsByPath(path)
    .filter((slot) => first[slot] > Number.NEGATIVE_INFINITY)
    .sort((a, b) => first[b] - first[a])
    .slice(0, BEST);
}
