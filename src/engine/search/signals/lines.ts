import type { NamedLines } from '../../issue/mentions/lines.ts';
import { measureEach } from '../measures/candidates.ts';
import { asNumber } from '../measures/format.ts';
import type { Signal } from './signal.ts';

/**
 * What the lines are of that the issue points at, by a link to them or by their numbers beside a path: 1 / root of the number
 * of definitions that these lines are of.
 */
export const lines: Signal = {
  name: 'lines',
  family: 'place',
  title: 'Its lines are named',
  measure(candidates) {
    const values = new Map<number, number>();
    for (const { slots } of candidates.issue.paths.flatMap((path) => path.lines ?? []))
      for (const slot of slots)
        values.set(slot, Math.max(values.get(slot) ?? 0, 1 / Math.sqrt(slots.length)));
    return measureEach(candidates, (_, slot) => values.get(slot) ?? 0);
  },
  format: asNumber(2),
  explain({ slot, candidates: { issue } }) {
    const naming = issue.paths.filter((path) => path.lines?.slots.includes(slot));
    const [{ lines: named } = { lines: null }] = naming;
    return {
      sentence: `the issue points at ${named ? inWords(named) : 'it'}`,
      spans: naming.map(({ span }) => span),
    };
  },
};

const inWords = ({ first, last }: NamedLines): string =>
  first === last ? `line ${first}` : `lines ${first} to ${last}`;
