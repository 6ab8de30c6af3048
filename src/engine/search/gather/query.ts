import type { Encoder } from '../../encode/types.ts';
import type { Issue } from '../../issue/issue.ts';
import { createIssueQuery, createProseQuery } from '../../issue/queries.ts';
import { joinSections } from '../../issue/sections.ts';
import type { LexicalIndex, LexicalQuery } from '../../lexical/lexical-index.ts';
import { countQueryTerms } from '../../lexical/tokenize.ts';
import type { ResolvedIssue } from './issue.ts';
import { getRelatedWords } from './related-words.ts';
import { isInformative } from './words.ts';

/** Embeddings of an issue, and of its title and prose without code and logs. */
export interface QueryVectors {
  issue: Float32Array;
  prose: Float32Array;
}

export async function encodeIssue(
  encoder: Pick<Encoder, 'encodeQuery'>,
  { sections }: Issue,
): Promise<QueryVectors> {
  const [issue, prose] = await Promise.all([
    encoder.encodeQuery(createIssueQuery(sections)),
    encoder.encodeQuery(createProseQuery(sections)),
  ]);
  return { issue, prose };
}

/** Lexical queries for the whole issue and for parts of it. */
export interface QueryWords {
  issue: LexicalQuery;
  title: LexicalQuery;
  message: LexicalQuery;
  quoted: LexicalQuery;
  /** Words related to those of the title and prose, which do not contain them. */
  related: LexicalQuery;
  relations: ReadonlyMap<string, RelatedWord>;
}

/** Extra weight of a word in the title: it counts as this many more occurrences in the text. */
const TITLE_WEIGHT = 2;

/**
 * Builds the lexical queries for an issue. A word weighs the square root of its count. Filler words are left out: they are
 * rare in code without comments, so their inverse document frequency would make anything with much prose match any issue.
 */
export function buildQueryWords(issue: ResolvedIssue, index: LexicalIndex): QueryWords {
  const { title, sections, errors, quotes } = issue;
  const inProse = takeRoots(countQueryTerms(`${title}\n${joinSections(sections, ['prose'])}`));
  const relations = findRelatedWords(inProse);
  const buildQuery = (counts: Map<string, number>) => buildInformativeQuery(counts, index);
  return {
    issue: buildIssueQuery(issue, index),
    title: buildQuery(countQueryTerms(title)),
    message: buildQuery(countQueryTerms(errors.map(({ text }) => text).join('\n'))),
    quoted: buildQuery(countQueryTerms(quotes.map(({ text }) => text).join('\n'))),
    related: index.createQuery(
      new Map(Array.from(relations, ([word, { weight }]) => [word, weight])),
    ),
    relations,
  };
}

/** Builds the lexical query for a whole issue. */
export function buildIssueQuery(
  { title, searched }: Pick<ResolvedIssue, 'title' | 'searched'>,
  index: LexicalIndex,
): LexicalQuery {
  const words = countQueryTerms(searched);
  for (const [word, count] of countQueryTerms(title))
    words.set(word, (words.get(word) ?? 0) + TITLE_WEIGHT * count);
  return buildInformativeQuery(words, index);
}

/** Builds a query of informative words, or of filler words too if the index has no others. */
function buildInformativeQuery(
  counts: ReadonlyMap<string, number>,
  index: LexicalIndex,
): LexicalQuery {
  const informative = [...counts].filter(([word]) => isInformative(word));
  const query = index.createQuery(takeRoots(new Map(informative)));
  return query.terms.length > 0 ? query : index.createQuery(takeRoots(counts));
}

function takeRoots(counts: ReadonlyMap<string, number>): Map<string, number> {
  return new Map(Array.from(counts, ([word, count]) => [word, Math.sqrt(count)]));
}

export interface RelatedWord {
  /** Strength of the relation to the issue's word, times that word's weight. */
  weight: number;
  /** Word of the issue. */
  of: string;
  /** Cosine similarity of the two words. */
  similarity: number;
}

/**
 * Finds the words related to weighted words. A word related to several gets the largest weight that one of them gives. An issue that says
 * `delete` may be about code that says `remove`. This is query expansion by a statistical thesaurus (Qiu & Frei, "Concept based query
 * expansion", SIGIR 1993).
 */
export function findRelatedWords(words: ReadonlyMap<string, number>): Map<string, RelatedWord> {
  const related = new Map<string, RelatedWord>();
  for (const [of, own] of words) {
    for (const [word, similarity] of getRelatedWords(of)) {
      const weight = own * similarity;
      if (words.has(word) || weight <= (related.get(word)?.weight ?? 0)) continue;
      related.set(word, { weight, of, similarity });
    }
  }
  return related;
}
