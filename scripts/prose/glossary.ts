/** Reads docs/glossary.md: the words that `npm run lint` refuses, and the words that a spelling checker has to know. */

/** A word that is refused, and the one to use. */
export interface RefusedWord {
  word: string;
  use: string;
}

/** Columns of a glossary table: word, meaning, words not to use. */
const ROW = /^\| (?<word>[^|]+) \| (?<meaning>[^|]+) \| (?<not>[^|]*) ?\|$/;

/**
 * Returns the refused words of a glossary. Only those in bold are refused everywhere; the others have meanings in which they are
 * right, so a person decides.
 */
export function readRefusedWords(glossary: string): RefusedWord[] {
  return readRows(glossary).flatMap(({ word, not }) =>
    [...not.matchAll(/\*\*([^*]+)\*\*/g)].map(([, refused = '']) => ({ word: refused, use: word })),
  );
}

/** Returns the number of terms that a glossary defines. */
export function countTerms(glossary: string): number {
  return readRows(glossary).length;
}

function readRows(glossary: string): { word: string; not: string }[] {
  return glossary.split('\n').flatMap((line) => {
    const { word = '', meaning = '', not = '' } = ROW.exec(line)?.groups ?? {};
    if (word === '' || word === 'word' || /^-+$/.test(meaning.trim())) return [];
    return [{ word: word.replace(/ \(.*/, '').trim(), not }];
  });
}

/** Returns the refused words in a text, in any case, and in the plural. */
export function findRefusedWords(text: string, refused: readonly RefusedWord[]): RefusedWord[] {
  return refused.filter(({ word }) => new RegExp(`(?<![\\w-])${word}s?(?![\\w-])`, 'i').test(text));
}
