import { asBm25 } from '../measures/format.ts';
import type { Signal } from './signal.ts';

/** BM25 of the issue over docstrings alone: long ones have many words, whatever the issue is about. */
export const wordsInDocstring: Signal = {
  name: 'wordsInDocstring',
  family: 'words',
  title: 'Words in its docstring',
  measure: ({ index, slots, words }) => index.lexical.scoreSome(slots, words.issue, 'docstring'),
  format: asBm25,
  explain: () => ({ sentence: 'its docstring has words of the issue' }),
};
