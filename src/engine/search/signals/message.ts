import { asBm25 } from '../measures/format.ts';
import { inSentence, lexicalEvidence } from '../measures/words.ts';
import type { Signal } from './signal.ts';

/** BM25F of the words of exceptions' messages: the code that raises one has most of them. */
export const message: Signal = {
  name: 'message',
  family: 'words',
  title: 'Words of the error message',
  measure: ({ index, slots, words }) => index.lexical.scoreSome(slots, words.message),
  format: asBm25,
  explain({ slot, candidates: { index, issue, words } }) {
    const found = lexicalEvidence(slot, words.message, index);
    return {
      sentence: `has the error message's ${inSentence(found.words, 'words')}`,
      spans: issue.errors,
      ...found,
    };
  },
};
