import { measureEach } from '../measures/candidates.ts';
import type { Signal } from './signal.ts';

/** ln of how many chunks share the simple name. */
export const commonName: Signal = {
  name: 'commonName',
  family: 'kind',
  title: 'How many share its name',
  measure: (candidates) =>
    measureEach(candidates, ({ qualifiedName }) => {
      const simple = qualifiedName.slice(qualifiedName.lastIndexOf('.') + 1);
      return Math.log(Math.max(1, candidates.index.slotsByName(simple).length));
    }),
  format: (value) => String(Math.round(Math.exp(value))),
  explain: null,
};
