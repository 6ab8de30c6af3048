import { measureEach } from '../measures/candidates.ts';
import { asNumber } from '../measures/format.ts';
import type { Signal } from './signal.ts';

/** Natural logarithm of the length of the chunk's text: there is more to edit in a long function. */
export const length: Signal = {
  name: 'length',
  family: 'kind',
  title: 'Length of its code',
  measure: (candidates) => measureEach(candidates, (chunk) => Math.log(1 + chunk.length)),
  format: asNumber(1),
  explain: null,
};
