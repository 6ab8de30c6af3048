import { measureEach } from '../measures/candidates.ts';
import { asNumber } from '../measures/format.ts';
import type { Signal } from './signal.ts';

/** What that code calls in turn, up to two calls away; less the further away and the more is called. */
export const reproCalls: Signal = {
  name: 'reproCalls',
  family: 'calls',
  title: 'Behind what the issue’s code calls',
  measure: (candidates) =>
    measureEach(candidates, (_, slot) => candidates.used.reached.get(slot) ?? 0),
  format: asNumber(2),
  explain({ slot, candidates: { index, used } }) {
    const callers = index
      .callers(slot)
      .filter((caller) => used.values.has(caller.slot) || used.reached.has(caller.slot));
    const names = callers
      .slice(0, 3)
      .map((caller) => `\`${index.chunk(caller.slot).qualifiedName}\``);
    return {
      sentence:
        names.length > 0
          ? `called by ${names.join(', ')}`
          : 'behind what the code of the issue calls',
    };
  },
};
