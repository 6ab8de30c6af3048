import { measureEach, similarityAt } from '../measures/candidates.ts';
import { asCosine } from '../measures/format.ts';
import type { Signal } from './signal.ts';

/** Cosine similarity of the issue's embedding and the chunk's. */
export const dense: Signal = {
  name: 'dense',
  family: 'meaning',
  title: 'Similar in meaning',
  measure: (candidates) =>
    measureEach(candidates, (_, slot) => similarityAt(slot, candidates.similarities?.issue)),
  format: asCosine,
  explain: ({ value }) => ({ sentence: `similar in meaning (${value.toFixed(2)})` }),
};
