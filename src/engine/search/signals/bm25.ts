import type { LexicalQuery } from '../../lexical/lexical-index.ts';
import type { SearchIndex } from '../types.ts';
import { type Explanation, listWords, measureEach, type Signal } from './signal.ts';

/** BM25F of the issue's words over path, name, signature, docstring and body. */
export const bm25: Signal = {
  name: 'bm25',
  measure: (candidates) => measureEach(candidates, (_, slot) => candidates.lexical[slot]),
  explain: (slot, { index, words }) => explainBm25(slot, words.issue, index),
};

/** BM25F of the title's words alone: a title says in few words what the issue is about. */
export const title: Signal = {
  name: 'title',
  measure: (candidates) => measureEach(candidates, (_, slot) => candidates.lexicalTitle[slot]),
  explain: (slot, { index, words }) => explainBm25(slot, words.title, index),
};

/** BM25F of the words of exceptions' messages: the code that raises one has most of them. */
export const message: Signal = {
  name: 'message',
  measure: ({ index, slots, words }) => index.lexical.scoreSome(slots, words.message),
  explain(slot, { index, issue, words }) {
    return {
      ...explainBm25(slot, words.message, index),
      spans: issue.errors.map(({ span }) => span),
    };
  },
};

/** BM25F of the words of sentences that the issue quotes. */
export const quoted: Signal = {
  name: 'quoted',
  measure: ({ index, slots, words }) => index.lexical.scoreSome(slots, words.quoted),
  explain: (slot, { index, issue, words }) => ({
    ...explainBm25(slot, words.quoted, index),
    spans: issue.quotes,
  }),
};

/** BM25F of words that are related to those of title and prose. */
export const related: Signal = {
  name: 'related',
  measure: ({ index, slots, words }) => index.lexical.scoreSome(slots, words.related),
  explain(slot, { index, words }) {
    const { terms } = index.lexical.detail(slot, words.related);
    return {
      detail: listWords(
        terms.map(({ term, score }) => ({
          term,
          score,
          note: words.relations.get(term)!.of,
        })),
      ),
    };
  },
};

/** BM25 of the issue over docstrings alone: long ones have many words, whatever the issue is about. */
export const wordsInDocstring: Signal = {
  name: 'wordsInDocstring',
  measure: ({ index, slots, words }) => index.lexical.scoreSome(slots, words.issue, 'docstring'),
};

function explainBm25(slot: number, query: LexicalQuery, index: SearchIndex): Explanation {
  const { fields, terms } = index.lexical.detail(slot, query);
  const byField = fields.map(({ field, score }) => `${field} ${score.toFixed(1)}`);
  return { detail: `fields: ${byField.join(', ')}; ${listWords(terms)}` };
}
