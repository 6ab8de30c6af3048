import { present } from '../../../shared/present.ts';
import { asBm25 } from '../measures/format.ts';
import { measureMarks } from '../measures/marks.ts';
import { inSentence, tellingWords } from '../measures/words.ts';
import type { Signal } from './signal.ts';

/** BM25F of the strongest words of the chunks marked `edit` or `read`. */
export const markedWords: Signal = {
  name: 'markedWords',
  family: 'marks',
  title: 'Words of what was marked',
  measure: (candidates) =>
    measureMarks(
      candidates,
      ({ lexical }) =>
        (_, slot) =>
          lexical[slot] ?? 0,
    ),
  format: asBm25,
  explain({ slot, candidates: { index, marks } }) {
    const words = tellingWords(index.lexical.detail(slot, present(marks, 'marks').words).terms);
    return { sentence: `shares ${inSentence(words, 'words')} with what you marked`, words };
  },
};
