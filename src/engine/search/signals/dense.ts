import { ABSENT } from '../../vectors/vector-table.ts';
import { measureEach, type Signal } from './signal.ts';

/** Cosine similarity of the embedding and the chunk's. */
export const dense: Signal = {
  name: 'dense',
  measure(candidates) {
    const { similarities } = candidates;
    return measureEach(candidates, (_, slot) => {
      const similarity = similarities?.[slot] ?? ABSENT;
      return similarity === ABSENT ? Number.NaN : similarity;
    });
  },
};
