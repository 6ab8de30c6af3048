import { asCosine } from '../measures/format.ts';
import { measureSimilarity } from '../measures/marks.ts';
import type { Signal } from './signal.ts';

/** Mean cosine similarity to the chunks marked `irrelevant`. */
export const likeRejected: Signal = {
  name: 'likeRejected',
  family: 'marks',
  title: 'Like what was not relevant',
  measure: (candidates) => measureSimilarity(candidates, candidates.marks?.likeIrrelevant),
  format: asCosine,
  explain: () => ({ sentence: 'unlike what you ruled out' }),
};
