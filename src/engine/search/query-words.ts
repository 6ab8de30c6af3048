import { queryTerms } from '../lexical/tokenize.ts';
import type { Issue } from './issue.ts';

const TITLE = 2;

/** The issue's words with their weights: the root of how often they occur, where an occurrence in the title counts more. */
export function queryWords({ title, passages }: Issue): Map<string, number> {
  const words = queryTerms(passages.map(({ text }) => text).join('\n'));
  for (const [word, count] of queryTerms(title)) {
    words.set(word, (words.get(word) ?? 0) + TITLE * count);
  }
  for (const [word, count] of words) words.set(word, Math.sqrt(count));
  return words;
}
