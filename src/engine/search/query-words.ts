import { textOf } from '../issue/sections.ts';
import type { LexicalIndex, LexicalQuery } from '../lexical/lexical-index.ts';
import { queryTerms } from '../lexical/tokenize.ts';
import type { ResolvedIssue } from './issue.ts';
import { type RelatedWord, relatedWords } from './related-words.ts';

/** The words to search with: of the whole issue, and of parts of it alone. */
export interface QueryWords {
  issue: LexicalQuery;
  title: LexicalQuery;
  /** Of the messages of exceptions. */
  message: LexicalQuery;
  /** Of quoted sentences. */
  quoted: LexicalQuery;
  /** Words that title and prose do not have, related to those that they have. */
  related: LexicalQuery;
  relations: ReadonlyMap<string, RelatedWord>;
}

/** An occurrence in the title counts as this many more in the text. */
const TITLE = 2;

/** Words weigh the root of how often they occur. */
export function queryWords(issue: ResolvedIssue, index: LexicalIndex): QueryWords {
  const { title, sections, searched, errors, quotes } = issue;
  const inTitle = queryTerms(title);
  const words = queryTerms(searched);
  for (const [word, count] of inTitle) words.set(word, (words.get(word) ?? 0) + TITLE * count);
  const said = rooted(queryTerms(`${title}\n${textOf(sections, ['prose'])}`));
  const relations = relatedWords(said);
  const query = (text: string) => index.query(rooted(queryTerms(text)));
  return {
    issue: index.query(rooted(words)),
    title: index.query(rooted(inTitle)),
    message: query(errors.map(({ text }) => text).join('\n')),
    quoted: query(quotes.map(({ text }) => text).join('\n')),
    related: index.query(new Map(Array.from(relations, ([word, { weight }]) => [word, weight]))),
    relations,
  };
}

function rooted(counts: ReadonlyMap<string, number>): Map<string, number> {
  return new Map(Array.from(counts, ([word, count]) => [word, Math.sqrt(count)]));
}
