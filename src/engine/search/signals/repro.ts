import { measureEach } from '../measures/candidates.ts';
import { asNumber } from '../measures/format.ts';
import type { Signal } from './signal.ts';

/** What the code in the issue calls or imports of the repository: 1 / root of the number of definitions it may mean. */
export const repro: Signal = {
  name: 'repro',
  family: 'calls',
  title: 'Called by the issue’s code',
  measure: (candidates) =>
    measureEach(candidates, (_, slot) => candidates.used.values.get(slot) ?? 0),
  format: asNumber(2),
  explain({ slot, candidates: { index, issue } }) {
    const { parent } = index.chunk(slot);
    const uses = issue.uses.filter(({ slots }) => slots.includes(slot) || slots.includes(parent));
    return {
      sentence: 'called by the code of the issue',
      spans: uses.flatMap(({ spans }) => spans),
    };
  },
};
