/** Signals from a chunk's own text: its meaning and its words. */

import { assertPresent } from '../../../../shared/assert-present.ts';
import { MAX_SENTENCE_WORDS } from '../../../../shared/evidence.ts';
import { quoteText } from '../../../../shared/quote.ts';
import { getScore } from '../../gather/chunks.ts';
import { isConvincingPair } from './related-pairs.ts';
import { type ExplainedValue, getSimilarity, measureEach, withFamily } from './signal.ts';
import {
  describeMention,
  explainLexicalScore,
  formatBm25,
  formatCosine,
  pickInformativeWords,
} from './wording.ts';

export const MEANING_SIGNALS = withFamily('meaning', [
  {
    name: 'dense',
    title: 'Similar in meaning',
    measure: (candidates) =>
      measureEach(candidates, (_, slot) => getSimilarity(slot, candidates.similarities?.issue)),
    format: formatCosine,
    explain: () => ({ sentence: 'among the most similar in meaning' }),
  },
  {
    name: 'denseProse',
    title: 'Similar in meaning to the description',
    measure: (candidates) =>
      measureEach(candidates, (_, slot) => getSimilarity(slot, candidates.similarities?.prose)),
    format: formatCosine,
    explain: () => ({ sentence: 'among the most similar in meaning to the description' }),
  },
]);

export const WORD_SIGNALS = withFamily('words', [
  /** BM25F of the issue's words over path, name, signature, docstring and body. */
  {
    name: 'bm25',
    title: 'Words of the issue',
    measure: (candidates) =>
      measureEach(candidates, (_, slot) => getScore(slot, candidates.lexicalScores)),
    ...explainWords('issue', 'the issue'),
  },
  /** BM25F of the title's words alone. A title summarizes the issue in few words. */
  {
    name: 'title',
    title: 'Words of the title',
    measure: (candidates) =>
      measureEach(candidates, (_, slot) => getScore(slot, candidates.titleScores)),
    ...explainWords('title', 'the title'),
  },
  /** BM25F of the words of exception messages. The code that raises an exception has most of them. */
  {
    name: 'message',
    title: 'Words of the error message',
    measure: ({ index, slots, words }) => index.lexical.scoreSome(slots, words.message),
    ...explainWords('message', 'the error message', 'errors'),
  },
  {
    name: 'quoted',
    title: 'Words of quoted text',
    measure: ({ index, slots, words }) => index.lexical.scoreSome(slots, words.quoted),
    ...explainWords('quoted', 'the quoted text', 'quotes'),
  },
  {
    name: 'related',
    title: 'Words related to the issue',
    measure: ({ index, slots, words }) => index.lexical.scoreSome(slots, words.related),
    format: formatBm25,
    explain({ slot, candidates: { index, words } }) {
      const { terms } = index.lexical.explainScore(slot, words.related);
      const related = terms.map(({ term, score }) => {
        return {
          term,
          score,
          ...assertPresent(words.relations.get(term), `a relation of “${term}”`),
        };
      });
      // One pair for each word of the issue.
      const convincing = Map.groupBy(related.filter(isConvincingPair), ({ of }) => of);
      const pairs = [...convincing.values()]
        .slice(0, MAX_SENTENCE_WORDS)
        .flatMap(([pair]) =>
          pair ? `${quoteText(pair.term)} (the issue: ${quoteText(pair.of)})` : [],
        );
      const sentence = `its code uses related words: ${pairs.join(', ')}`;
      return {
        sentence: pairs.length > 0 ? sentence : null,
        words: pickInformativeWords(related),
      };
    },
  },
  /** BM25 of the issue over docstrings alone. Long docstrings have many words, whatever the issue is about. */
  {
    name: 'wordsInDocstring',
    title: 'Words in its docstring',
    measure: ({ index, slots, words }) => index.lexical.scoreSome(slots, words.issue, 'docstring'),
    format: formatBm25,
    explain: () => ({ sentence: 'its docstring shares words with the issue' }),
  },
]);

/**
 * Returns the members of a signal that scores a chunk for a query of the issue's words.
 * @param source the part of the issue that has the words, for a sentence
 * @param spans key of the part's locations in the issue
 */
function explainWords(
  query: 'issue' | 'title' | 'message' | 'quoted',
  source: string,
  spans?: 'errors' | 'quotes',
) {
  return {
    format: formatBm25,
    explain({ slot, candidates: { index, issue, words } }: ExplainedValue) {
      const found = explainLexicalScore(slot, words[query], index);
      const sentence = describeMention('its code', found.words, source);
      return { sentence, ...(spans && { spans: issue[spans] }), ...found };
    },
  };
}
