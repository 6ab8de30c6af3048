import { queryTerms, termsIn } from '../../lexical/tokenize.ts';
import type { Candidates } from '../candidates.ts';
import { measureEach } from '../measures/candidates.ts';
import { asShare } from '../measures/format.ts';
import { inSentence, tellingWords } from '../measures/words.ts';
import type { Signal } from './signal.ts';

/**
 * Which share of the words of its qualified name the issue has, each counting its inverse document frequency: 1 where
 * the issue has all of `Session.rebuild_auth`, however it is written.
 */
export const nameCoverage: Signal = {
  name: 'nameCoverage',
  family: 'names',
  title: 'Words of its name in the issue',
  measure(candidates) {
    const wordsOf = nameWords(candidates);
    return measureEach(candidates, ({ qualifiedName }) => {
      let all = 0;
      let said = 0;
      for (const word of wordsOf(qualifiedName)) {
        all += word.score;
        if (word.said) said += word.score;
      }
      return all > 0 ? said / all : 0;
    });
  },
  format: asShare,
  explain({ slot, candidates }) {
    const all = nameWords(candidates)(candidates.index.chunk(slot).qualifiedName);
    const said = all.filter((word) => word.said).sort((a, b) => b.score - a.score);
    const words = tellingWords(said.map(({ term, score }) => ({ term, score })));
    return { sentence: `its name has ${inSentence(words, 'words of the issue')}`, words };
  },
};

interface NameWord {
  term: string;
  score: number;
  /** Whether the issue has it. */
  said: boolean;
}

const known = new WeakMap<Candidates, (qualifiedName: string) => NameWord[]>();

/** Reads the issue once for a search. */
function nameWords(candidates: Candidates): (qualifiedName: string) => NameWord[] {
  const reader = known.get(candidates) ?? nameReader(candidates);
  known.set(candidates, reader);
  return reader;
}

function nameReader({ issue, index }: Candidates): (qualifiedName: string) => NameWord[] {
  const said = queryTerms(issue.searched);
  const words = new Map<string, NameWord>();
  const wordOf = (term: string) => {
    const before = words.get(term);
    if (before) return before;
    const word = { term, score: index.lexical.idf(term), said: said.has(term) };
    words.set(term, word);
    return word;
  };
  return (qualifiedName) =>
    termsIn(qualifiedName)
      // The whole of `rebuild_auth` beside its words would count them twice.
      .filter((term) => !term.includes('_'))
      .map(wordOf);
}
