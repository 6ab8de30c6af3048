import type { Similarities } from '../candidates.ts';
import { measureEach, type Signal, similarityAt } from './signal.ts';

/** Cosine similarity of the embedding and the chunk's. */
export const dense = similarityTo('dense', 'issue');
/** Cosine similarity of the embedding of title and prose and the chunk's. */
export const denseProse = similarityTo('denseProse', 'prose');

function similarityTo(name: string, part: keyof Similarities): Signal {
  return {
    name,
    measure(candidates) {
      const similarities = candidates.similarities?.[part];
      return measureEach(candidates, (_, slot) => similarityAt(slot, similarities));
    },
  };
}
