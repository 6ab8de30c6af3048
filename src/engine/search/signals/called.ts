import type { Candidates } from '../candidates.ts';
import { measureEach } from '../measures/candidates.ts';
import { asNumber } from '../measures/format.ts';
import type { Signal } from './signal.ts';

/** 1 where one of the twenty best by similarity and BM25F calls the chunk. Guessed calls do not count. */
export const called: Signal = {
  name: 'called',
  family: 'calls',
  title: 'Called by strong results',
  measure(candidates) {
    const { index, top } = candidates;
    const callees = new Set<number>();
    for (const slot of top) {
      for (const callee of index.callees(slot)) {
        if (!callee.guess && callee.slot !== slot) callees.add(callee.slot);
      }
    }
    return measureEach(candidates, (_, slot) => (callees.has(slot) ? 1 : 0));
  },
  format: asNumber(2),
  explain({ slot, candidates, rankOf }) {
    const callers = callersAmong(slot, candidates).sort((a, b) => rankOf(a) - rankOf(b));
    const shown = callers.slice(0, 3).map((caller) => {
      return `#${rankOf(caller)} \`${candidates.index.chunk(caller).qualifiedName}\``;
    });
    const more = callers.length > shown.length ? ` and ${callers.length - shown.length} more` : '';
    return { sentence: `called by ${shown.join(', ')}${more}` };
  },
};

function callersAmong(slot: number, { index, top }: Candidates): number[] {
  return top.filter((caller) => {
    return (
      caller !== slot &&
      index.callees(caller).some((callee) => callee.slot === slot && !callee.guess)
    );
  });
}
