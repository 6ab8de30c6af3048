import { measureEach, similarityAt } from '../measures/candidates.ts';
import { asCosine } from '../measures/format.ts';
import type { Signal } from './signal.ts';

/** Cosine similarity of the embedding of title and prose and the chunk's. */
export const denseProse: Signal = {
  name: 'denseProse',
  family: 'meaning',
  title: 'Similar in meaning to the prose',
  measure: (candidates) =>
    measureEach(candidates, (_, slot) => similarityAt(slot, candidates.similarities?.prose)),
  format: asCosine,
  explain: () => ({ sentence: 'similar in meaning to the description' }),
};
