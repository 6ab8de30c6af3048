import { scoreAt } from '../best.ts';
import { measureEach } from '../measures/candidates.ts';
import { asBm25 } from '../measures/format.ts';
import { inSentence, lexicalEvidence } from '../measures/words.ts';
import type { Signal } from './signal.ts';

/** BM25F of the issue's words over path, name, signature, docstring and body. */
export const bm25: Signal = {
  name: 'bm25',
  family: 'words',
  title: 'Words of the issue',
  measure: (candidates) => measureEach(candidates, (_, slot) => scoreAt(slot, candidates.lexical)),
  format: asBm25,
  explain({ slot, candidates: { index, words } }) {
    const found = lexicalEvidence(slot, words.issue, index);
    return { sentence: `shares ${inSentence(found.words, 'words')}`, ...found };
  },
};
