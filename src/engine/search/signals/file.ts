import { scoreAt } from '../best.ts';
import type { Candidates } from '../candidates.ts';
import { measureEach } from '../measures/candidates.ts';
import { asNumber } from '../measures/format.ts';
import type { Signal } from './signal.ts';

const BEST = 3;

/** How good the chunk's file is: the mean first score (similarity and BM25F) of its best three chunks. */
export const file: Signal = {
  name: 'file',
  family: 'place',
  title: 'Its file fits',
  measure(candidates) {
    const means = new Map<string, number>();
    return measureEach(candidates, ({ path }) => {
      let mean = means.get(path);
      if (mean === undefined) {
        const best = bestOf(path, candidates);
        mean = best.reduce((sum, slot) => sum + scoreAt(slot, candidates.first), 0) / best.length;
        means.set(path, mean);
      }
      return mean;
    });
  },
  format: asNumber(2),
  explain({ slot, candidates }) {
    const { index } = candidates;
    const best = bestOf(index.chunk(slot).path, candidates);
    const names = best.map((one) => `\`${index.chunk(one).qualifiedName}\``);
    return { sentence: `its file fits, with ${names.join(', ')}` };
  },
};

/** The best first, of equal ones the one that stands first; every candidate's file is looked through. */
function bestOf(path: string, { index, first }: Candidates): number[] {
  const best: number[] = [];
  for (const slot of index.slotsByPath(path)) {
    const score = scoreAt(slot, first);
    if (score === Number.NEGATIVE_INFINITY) continue;
    let place = best.length;
    while (place > 0 && scoreAt(best[place - 1] ?? slot, first) < score) place--;
    if (place === BEST) continue;
    best.splice(place, 0, slot);
    if (best.length > BEST) best.pop();
  }
  return best;
}
