import { measureEach } from '../measures/candidates.ts';
import { asCount } from '../measures/format.ts';
import { namedSlots, quoted, spansNaming } from '../measures/mentions.ts';
import type { Signal } from './signal.ts';

/** 1 where the issue has the name of the class that the chunk is a member of. */
export const className: Signal = {
  name: 'className',
  family: 'names',
  title: 'Its class is named',
  measure(candidates) {
    const values = namedSlots(candidates);
    return measureEach(candidates, ({ parent }) => (values.has(parent) ? 1 : 0));
  },
  format: asCount,
  explain({ slot, candidates }) {
    const spans = spansNaming(candidates.index.chunk(slot).parent, candidates);
    return { sentence: `its class ${quoted(spans, '')} in the issue`, spans };
  },
};
