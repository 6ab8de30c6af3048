import { asCosine } from '../measures/format.ts';
import { measureSimilarity } from '../measures/marks.ts';
import type { Signal } from './signal.ts';

/** Mean cosine similarity to the chunks marked `edit` or `read`. */
export const likeMarked: Signal = {
  name: 'likeMarked',
  family: 'marks',
  title: 'Like what was marked',
  measure: (candidates) => measureSimilarity(candidates, candidates.marks?.likePositive),
  format: asCosine,
  explain: () => ({ sentence: 'similar to what you marked' }),
};
