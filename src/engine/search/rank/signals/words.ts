/** Signals of a chunk's own text: its meaning and its words. */
import { present } from '../../../../shared/present.ts';
import { quoted } from '../../../../shared/quoted.ts';
import { scoreAt } from '../../gather/chunks.ts';
import { type ExplainedValue, measureEach, similarityAt, withFamily } from './signal.ts';
import { asBm25, asCosine, inSentence, lexicalEvidence, tellingWords } from './wording.ts';

export const MEANING_SIGNALS = withFamily('meaning', [
  {
    name: 'dense',
    title: 'Similar in meaning',
    measure: (candidates) =>
      measureEach(candidates, (_, slot) => similarityAt(slot, candidates.similarities?.issue)),
    format: asCosine,
    explain: ({ value }) => ({ sentence: `similar in meaning (${value.toFixed(2)})` }),
  },
  {
    name: 'denseProse',
    title: 'Similar in meaning to the prose',
    measure: (candidates) =>
      measureEach(candidates, (_, slot) => similarityAt(slot, candidates.similarities?.prose)),
    format: asCosine,
    explain: () => ({ sentence: 'similar in meaning to the description' }),
  },
]);

export const WORD_SIGNALS = withFamily('words', [
  /** BM25F of the issue's words over path, name, signature, docstring and body. */
  {
    name: 'bm25',
    title: 'Words of the issue',
    measure: (candidates) =>
      measureEach(candidates, (_, slot) => scoreAt(slot, candidates.lexical)),
    ...explainedBy('issue', (words) => `shares ${words}`),
  },
  /** BM25F of the title's words alone: a title says in few words what the issue is about. */
  {
    name: 'title',
    title: 'Words of the title',
    measure: (candidates) =>
      measureEach(candidates, (_, slot) => scoreAt(slot, candidates.lexicalTitle)),
    ...explainedBy('title', (words) => `has the title's ${words}`),
  },
  /** BM25F of the words of exceptions' messages: the code that raises one has most of them. */
  {
    name: 'message',
    title: 'Words of the error message',
    measure: ({ index, slots, words }) => index.lexical.scoreSome(slots, words.message),
    ...explainedBy('message', (words) => `has the error message's ${words}`, 'errors'),
  },
  {
    name: 'quoted',
    title: 'Words of quoted text',
    measure: ({ index, slots, words }) => index.lexical.scoreSome(slots, words.quoted),
    ...explainedBy('quoted', (words) => `has the quoted text's ${words}`, 'quotes'),
  },
  {
    name: 'related',
    title: 'Words related to the issue’s',
    measure: ({ index, slots, words }) => index.lexical.scoreSome(slots, words.related),
    format: asBm25,
    explain({ slot, candidates: { index, words } }) {
      const { terms } = index.lexical.detail(slot, words.related);
      const found = tellingWords(
        terms.map(({ term, score }) => ({
          term,
          score,
          of: present(words.relations.get(term), `what “${term}” is related to`).of,
        })),
      );
      const meant = [...new Set(found.flatMap(({ of }) => (of === undefined ? [] : quoted(of))))]
        .slice(0, 3)
        .join(' ');
      const has = inSentence(found, 'words');
      return { sentence: `has ${has}, related to ${meant || "the issue's words"}`, words: found };
    },
  },
  /** BM25 of the issue over docstrings alone: long ones have many words, whatever the issue is about. */
  {
    name: 'wordsInDocstring',
    title: 'Words in its docstring',
    measure: ({ index, slots, words }) => index.lexical.scoreSome(slots, words.issue, 'docstring'),
    format: asBm25,
    explain: () => ({ sentence: 'its docstring has words of the issue' }),
  },
]);

/** @param spans what of the issue the words are from */
function explainedBy(
  query: 'issue' | 'title' | 'message' | 'quoted',
  sentenceOf: (words: string) => string,
  spans?: 'errors' | 'quotes',
) {
  return {
    format: asBm25,
    explain({ slot, candidates: { index, issue, words } }: ExplainedValue) {
      const found = lexicalEvidence(slot, words[query], index);
      const sentence = sentenceOf(inSentence(found.words, 'words'));
      return { sentence, ...(spans && { spans: issue[spans] }), ...found };
    },
  };
}
