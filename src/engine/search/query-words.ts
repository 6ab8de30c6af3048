import { textOf } from '../issue/sections.ts';
import type { LexicalIndex, LexicalQuery } from '../lexical/lexical-index.ts';
import { queryTerms } from '../lexical/tokenize.ts';
import type { ResolvedIssue } from './issue.ts';
import { isTelling } from './measures/words.ts';
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

/**
 * Words weigh the root of how often they occur. Fillers are left out: code without comments has few of them, so that their
 * inverse document frequency makes whatever has much prose look like any issue.
 */
export function queryWords(issue: ResolvedIssue, index: LexicalIndex): QueryWords {
  const { title, sections, searched, errors, quotes } = issue;
  const inTitle = queryTerms(title);
  const words = queryTerms(searched);
  for (const [word, count] of inTitle) words.set(word, (words.get(word) ?? 0) + TITLE * count);
  const said = rooted(queryTerms(`${title}\n${textOf(sections, ['prose'])}`));
  const relations = relatedWords(said);
  const query = (counts: Map<string, number>) => tellingQuery(counts, index);
  return {
    issue: query(words),
    title: query(inTitle),
    message: query(queryTerms(errors.map(({ text }) => text).join('\n'))),
    quoted: query(queryTerms(quotes.map(({ text }) => text).join('\n'))),
    related: index.query(new Map(Array.from(relations, ([word, { weight }]) => [word, weight]))),
    relations,
  };
}

/** Where the index has no word but fillers, they are what there is to search with. */
function tellingQuery(counts: ReadonlyMap<string, number>, index: LexicalIndex): LexicalQuery {
  const telling = [...counts].filter(([word]) => isTelling(word));
  const query = index.query(rooted(new Map(telling)));
  return query.terms.length > 0 ? query : index.query(rooted(counts));
}

function rooted(counts: ReadonlyMap<string, number>): Map<string, number> {
  return new Map(Array.from(counts, ([word, count]) => [word, Math.sqrt(count)]));
}
