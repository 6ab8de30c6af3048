/** Words of an issue that are rare in a repository: where they stand in its code, they say something. */
import { MOST_WORDS } from '../../shared/limits.ts';
import type { SearchIndex } from '../snapshot/types.ts';
import { tellingOf } from './measures/words.ts';

/** A word is rare whose inverse document frequency is this part of what a word of one chunk alone has, or more. */
const RARE = 2 / 3;

/** Those of a text that some chunk has, but few have; the rarest first. */
export function rareWords(text: string, { lexical, live }: SearchIndex): string[] {
  const most = live ** (1 - RARE);
  return tellingOf(text)
    .map((word) => ({ word, chunks: lexical.matches(word) }))
    .filter(({ chunks }) => chunks > 0 && chunks <= most)
    .sort((a, b) => a.chunks - b.chunks || (a.word < b.word ? -1 : 1))
    .slice(0, MOST_WORDS)
    .map(({ word }) => word);
}
