import { asBm25 } from '../measures/format.ts';
import { inSentence, lexicalEvidence } from '../measures/words.ts';
import type { Signal } from './signal.ts';

/** BM25F of the words of sentences that the issue quotes. */
export const quoted: Signal = {
  name: 'quoted',
  family: 'words',
  title: 'Words of quoted text',
  measure: ({ index, slots, words }) => index.lexical.scoreSome(slots, words.quoted),
  format: asBm25,
  explain({ slot, candidates: { index, issue, words } }) {
    const found = lexicalEvidence(slot, words.quoted, index);
    return {
      sentence: `has the quoted text's ${inSentence(found.words, 'words')}`,
      spans: issue.quotes,
      ...found,
    };
  },
};
