import type { LexicalIndex, LexicalQuery } from '../lexical/lexical-index.ts';
import { queryTerms } from '../lexical/tokenize.ts';
import type { Issue } from './issue.ts';

/** The words to search with: of the whole issue, and of its title alone. */
export interface QueryWords {
  issue: LexicalQuery;
  title: LexicalQuery;
}

/** An occurrence in the title counts as this many more in the text. */
const TITLE = 2;

/** Words weigh the root of how often they occur. */
export function queryWords({ title, passages }: Issue, index: LexicalIndex): QueryWords {
  const inTitle = queryTerms(title);
  const words = queryTerms(passages.map(({ text }) => text).join('\n'));
  for (const [word, count] of inTitle) words.set(word, (words.get(word) ?? 0) + TITLE * count);
  return { issue: index.query(rooted(words)), title: index.query(rooted(inTitle)) };
}

function rooted(counts: ReadonlyMap<string, number>): Map<string, number> {
  return new Map(Array.from(counts, ([word, count]) => [word, Math.sqrt(count)]));
}
