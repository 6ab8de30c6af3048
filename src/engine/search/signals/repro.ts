import type { Candidates } from '../candidates.ts';
import { measureEach, type Signal } from './signal.ts';

/** What the code in the issue calls or imports of the repository: 1 / root of the number of definitions it may mean. */
export const repro: Signal = {
  name: 'repro',
  measure: (candidates) =>
    measureEach(candidates, (_, slot) => candidates.used.values.get(slot) ?? 0),
  explain(slot, candidates) {
    const uses = usesOf(slot, candidates);
    return { spans: uses.flatMap(({ spans }) => spans) };
  },
};

/** What that calls in turn, up to two calls away; less the further away and the more is called. */
export const reproCalls: Signal = {
  name: 'reproCalls',
  measure: (candidates) =>
    measureEach(candidates, (_, slot) => candidates.used.reached.get(slot) ?? 0),
  explain(slot, { index, used }) {
    const callers = index
      .callers(slot)
      .filter((caller) => used.values.has(caller.slot) || used.reached.has(caller.slot));
    const names = callers.slice(0, 3).map((caller) => index.chunks[caller.slot]!.qualifiedName);
    return names.length > 0 ? { detail: `called by ${names.join(', ')}` } : {};
  },
};

function usesOf(slot: number, { issue, index }: Candidates) {
  const { parent } = index.chunks[slot]!;
  return issue.uses.filter(({ slots }) => slots.includes(slot) || slots.includes(parent));
}
