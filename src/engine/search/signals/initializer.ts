import { isConstructor } from '../../snapshot/members.ts';
import type { Candidates } from '../candidates.ts';
import { measureEach } from '../measures/candidates.ts';
import { asNumber } from '../measures/format.ts';
import { namedSlots, quoted, spansNaming } from '../measures/mentions.ts';
import type { Signal } from './signal.ts';

/** For a constructor of a class named in an issue that speaks of making or passing: 1 / root of the number of definitions. */
export const initializer: Signal = {
  name: 'initializer',
  family: 'names',
  title: 'Makes objects of a named class',
  measure(candidates) {
    const values = namedSlots(candidates);
    const speaks = speaksOfMaking(candidates);
    return measureEach(candidates, (chunk) =>
      speaks && isConstructor(chunk) ? (values.get(chunk.parent) ?? 0) : 0,
    );
  },
  format: asNumber(2),
  explain({ slot, candidates }) {
    const spans = spansNaming(candidates.index.chunk(slot).parent, candidates);
    return { sentence: `makes objects of ${quoted(spans, 'a named class')}`, spans };
  },
};

/** What is said of how objects are made. */
const MAKING =
  /\b(?:arguments?|param(?:eter)?s?|kwargs?|keywords?|constructors?|instantiat\w*|initiali[sz]\w*|validat\w*|accepts?|creat\w+)\b/i;

function speaksOfMaking({ issue }: Candidates): boolean {
  return issue.sections.some(
    ({ kind, text }) => (kind === 'title' || kind === 'prose') && MAKING.test(text),
  );
}
