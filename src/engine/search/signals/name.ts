import { measureEach } from '../measures/candidates.ts';
import { asCount } from '../measures/format.ts';
import { mentionsOf, namedSlots, quoted } from '../measures/mentions.ts';
import type { Signal } from './signal.ts';

/** Where the issue has the chunk's name: 1 / root of the number of definitions that share it. */
export const name: Signal = {
  name: 'name',
  family: 'names',
  title: 'Its name is named',
  measure(candidates) {
    const values = namedSlots(candidates);
    return measureEach(candidates, (_, slot) => values.get(slot) ?? 0);
  },
  format: asCount,
  explain({ slot, candidates }) {
    const mentions = mentionsOf(slot, candidates);
    const spans = mentions.flatMap((mention) => mention.spans);
    const definitions = Math.min(...mentions.map((mention) => mention.definitions));
    const shared = definitions === 1 ? '' : ` (one of ${definitions} definitions)`;
    return { sentence: `${quoted(spans, 'its name')} in the issue${shared}`, spans };
  },
};
