import { measureEach, type Signal } from './signal.ts';

/** Natural logarithm of the length of the chunk's text: there is more to edit in a long function. */
export const length: Signal = {
  name: 'length',
  measure: (candidates) => measureEach(candidates, (chunk) => Math.log(1 + chunk.length)),
};
