import table from '../../../../models/related-words-1/related-words.json' with { type: 'json' };
import type { Encoder } from '../../encode/types.ts';
import type { Issue } from '../../issue/issue.ts';
import { issueQuery, proseQuery } from '../../issue/queries.ts';
import { textOf } from '../../issue/sections.ts';
import type { LexicalIndex, LexicalQuery } from '../../lexical/lexical-index.ts';
import { queryTerms } from '../../lexical/tokenize.ts';
import type { ResolvedIssue } from './issue.ts';
import { isTelling } from './words.ts';

/** Embeddings of an issue, and of its title and prose without the words of code and logs. */
export interface QueryVectors {
  issue: Float32Array;
  prose: Float32Array;
}

export async function encodeIssue(
  encoder: Pick<Encoder, 'encodeQuery'>,
  { sections }: Issue,
): Promise<QueryVectors> {
  const [issue, prose] = await Promise.all([
    encoder.encodeQuery(issueQuery(sections)),
    encoder.encodeQuery(proseQuery(sections)),
  ]);
  return { issue, prose };
}

/** The words to search with: of the whole issue, and of parts of it alone. */
export interface QueryWords {
  issue: LexicalQuery;
  title: LexicalQuery;
  message: LexicalQuery;
  quoted: LexicalQuery;
  /** Words that title and prose do not have, related to those that they have. */
  related: LexicalQuery;
  relations: ReadonlyMap<string, RelatedWord>;
}

/** An occurrence in the title counts as this many more in the text. */
const TITLE = 2;

/**
 * Returns the words of an issue, which weigh the root of how often they occur. Fillers are left out: code without comments has few of them, so that their
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

/** Returns a query of telling words, or of fillers if the index has no others. */
function tellingQuery(counts: ReadonlyMap<string, number>, index: LexicalIndex): LexicalQuery {
  const telling = [...counts].filter(([word]) => isTelling(word));
  const query = index.query(rooted(new Map(telling)));
  return query.terms.length > 0 ? query : index.query(rooted(counts));
}

function rooted(counts: ReadonlyMap<string, number>): Map<string, number> {
  return new Map(Array.from(counts, ([word, count]) => [word, Math.sqrt(count)]));
}

/**
 * Words of code by words of issues, with how much they are related: above 0, up to 1. An issue that says `delete` may be
 * about code that says `remove`. Learned from the commits of many repositories (models/related-words-1), so that BM25F can
 * search with them too: query expansion by a statistical thesaurus (Qiu & Frei, "Concept based query expansion", SIGIR 1993).
 */
const RELATED: ReadonlyMap<string, readonly (readonly (string | number)[])[]> = new Map(
  Object.entries(table.words),
);

export interface RelatedWord {
  /** Strength of the relation to the issue's word, times that word's weight. */
  weight: number;
  of: string;
}

/** Returns the words related to weighted words. One that is related to several counts for the one that gives it the most. */
export function relatedWords(words: ReadonlyMap<string, number>): Map<string, RelatedWord> {
  const related = new Map<string, RelatedWord>();
  for (const [of, own] of words) {
    for (const [word, relation] of RELATED.get(of) ?? []) {
      const weight = own * Number(relation);
      if (words.has(String(word)) || weight <= (related.get(String(word))?.weight ?? 0)) continue;
      related.set(String(word), { weight, of });
    }
  }
  return related;
}
