/** Selects the words of an issue that are informative: to a person, or about a repository. */
import { MAX_WORDS } from '../../../shared/limits.ts';
import { countQueryTerms } from '../../lexical/tokenize.ts';
import type { SearchIndex } from '../../snapshot/types.ts';

/** Words that would be useless as a reason, although BM25 counts them. */
const FILLERS = new Set(
  (
    'a about after all also am an and any are as at be been but by can com could did do does etc for from had has ' +
    'have how http https i if in into is it its just like may me my no not of on only or org other our out s should ' +
    'so some such t than that the their them then there these they this to too up us use used using via was we were ' +
    'what when where which while who why will with would www you your'
  ).split(' '),
);

/** Returns true for a word that is not a single letter, a number, or a filler word. */
export function isInformative(word: string): boolean {
  return [...word].length > 1 && !/^[\d_]+$/.test(word) && !FILLERS.has(word);
}

export function listInformativeWords(text: string): string[] {
  return [...countQueryTerms(text).keys()].filter(isInformative);
}

/** Minimum inverse document frequency of a rare word, relative to a word that only one chunk has. */
const MIN_RARITY = 2 / 3;

/** Finds the words of a text that only few chunks have, the rarest first. */
export function findRareWords(text: string, { lexical, liveCount }: SearchIndex): string[] {
  const maxChunks = liveCount ** (1 - MIN_RARITY);
  return listInformativeWords(text)
    .map((word) => ({ word, chunks: lexical.countMatches(word) }))
    .filter(({ chunks }) => chunks > 0 && chunks <= maxChunks)
    .sort((a, b) => a.chunks - b.chunks || (a.word < b.word ? -1 : 1))
    .slice(0, MAX_WORDS)
    .map(({ word }) => word);
}
