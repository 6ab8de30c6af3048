import { present } from '../../../shared/present.ts';
import { measureEach } from '../measures/candidates.ts';
import { asNumber } from '../measures/format.ts';
import { quoted, spansNaming } from '../measures/mentions.ts';
import type { Signal } from './signal.ts';

/**
 * For a method that a class named in the issue inherits and does not override: 1 / (distance to the class that defines
 * it × root of the number of definitions that share the subclass's name).
 */
export const inherited: Signal = {
  name: 'inherited',
  family: 'names',
  title: 'A named class inherits it',
  measure: (candidates) =>
    measureEach(candidates, (_, slot) => candidates.inherited.get(slot)?.value ?? 0),
  format: asNumber(2),
  explain({ slot, candidates }) {
    const { subclass } = present(candidates.inherited.get(slot), 'the class that inherits');
    const spans = spansNaming(subclass, candidates);
    const name = `\`${candidates.index.chunk(subclass).qualifiedName}\``;
    return { sentence: `inherited by ${quoted(spans, name)}`, spans };
  },
};
