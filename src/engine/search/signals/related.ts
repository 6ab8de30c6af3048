import { present } from '../../../shared/present.ts';
import { asBm25 } from '../measures/format.ts';
import { inSentence, tellingWords } from '../measures/words.ts';
import type { Signal } from './signal.ts';

/** BM25F of words that are related to those of title and prose. */
export const related: Signal = {
  name: 'related',
  family: 'words',
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
    const meant = [...new Set(found.map(({ of }) => `\`${of}\``))].slice(0, 3).join(' ');
    const has = inSentence(found, 'words');
    return { sentence: `has ${has}, related to ${meant || "the issue's words"}`, words: found };
  },
};
