import { languageOf } from '../languages/index.ts';
import { type TermPlace, termPlaces } from './tokenize.ts';

/**
 * Finds words in texts, as the lexical index splits both.
 * @param path of the file that the texts are from, which decides the language; null for prose
 * @returns for each text the occurrences, by start
 */
export function findTerms(
  texts: readonly string[],
  words: readonly string[],
  path: string | null,
): TermPlace[][] {
  const initials = path !== null && (languageOf(path)?.names.initials ?? false);
  return texts.map((text) => termPlaces(text, words, initials));
}
