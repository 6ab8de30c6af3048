import { scoreAt } from '../best.ts';
import { measureEach } from '../measures/candidates.ts';
import { asBm25 } from '../measures/format.ts';
import { inSentence, lexicalEvidence } from '../measures/words.ts';
import type { Signal } from './signal.ts';

/** BM25F of the title's words alone: a title says in few words what the issue is about. */
export const title: Signal = {
  name: 'title',
  family: 'words',
  title: 'Words of the title',
  measure: (candidates) =>
    measureEach(candidates, (_, slot) => scoreAt(slot, candidates.lexicalTitle)),
  format: asBm25,
  explain({ slot, candidates: { index, words } }) {
    const found = lexicalEvidence(slot, words.title, index);
    return { sentence: `has the title's ${inSentence(found.words, 'words')}`, ...found };
  },
};
