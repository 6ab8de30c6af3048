/** Formats values and words of signals for people. */

import { basename } from 'node:path/posix';
import {
  type IssueSpan,
  selectSentenceWords,
  type WordScore,
} from '../../../../shared/evidence.ts';
import { formatCount } from '../../../../shared/format-count.ts';
import { quoteText } from '../../../../shared/quote.ts';
import { getIssueSyntax } from '../../../languages/index.ts';
import type { LexicalQuery } from '../../../lexical/lexical-index.ts';
import { findShownName } from '../../../snapshot/address.ts';
import type { IndexedChunk, SearchIndex } from '../../../snapshot/types.ts';
import { isInformative } from '../../gather/words.ts';

export const formatCosine = (value: number): string => `cosine ${value.toFixed(2)}`;
export const formatBm25 = (value: number): string => `BM25 ${value.toFixed(1)}`;
export const formatIdf = (value: number): string => `IDF ${value.toFixed(1)}`;
/** Formats a sum of standardized values. */
export const formatScore = (value: number): string => `score ${value.toFixed(1)}`;
/** Formats a value between 0 and 1 that combines several numbers. */
export const formatStrength = (value: number): string =>
  value === 0 ? 'none' : `strength ${value.toFixed(2)}`;
/** Formats 1 / √n, for something that means one of n functions. */
export function formatShare(value: number): string {
  const count = Math.round(1 / value ** 2);
  return count > 1 && value > 0 ? `1 of ${formatCount(count)}` : formatYesOrNo(value);
}
export const formatPercent = (value: number): string => `${Math.round(100 * value)}%`;
export const formatYesOrNo = (value: number): string => (value ? 'yes' : 'no');

/** Maximum number of words that evidence lists. */
const MAX_LISTED = 5;

/** Words that say nothing about code as a reason, in addition to those that `isInformative` excludes. */
const COMMON_WORDS = new Set(
  (
    'above across actually again against almost already although always among another anything around away because ' +
    'become before being below between both cannot currently different during either else even ever everything few ' +
    'further here however instead itself least less many maybe might more most much must never nothing now often ' +
    'once one other others over possible previously probably quite rather really seem seems several shall since ' +
    'something sometimes somewhere still such sure thanks though through together two under unless until upon ' +
    'usually very want wants well whatever whether whose within without yet'
  ).split(' '),
);

/** Returns the strongest informative words of a list that has the strongest first. */
export function pickInformativeWords(
  words: readonly { term: string; score: number; of?: string }[],
): WordScore[] {
  return words
    .filter(({ term }) => isInformative(term) && !COMMON_WORDS.has(term))
    .slice(0, MAX_LISTED)
    .map(({ term: word, score, of }) => ({ word, score, ...(of !== undefined && { of }) }));
}

/** Lists words for a sentence, such as `` `max_delay`, `retry` ``. Returns `otherwise` if there are none. */
export function listWords(words: readonly WordScore[], otherwise: string): string {
  const shown = selectSentenceWords(words).map(({ word }) => quoteText(word));
  return shown.join(', ') || otherwise;
}

/**
 * Writes a clause such as `` its file mentions `retry`, as the title does ``, where `subject` is `its file` and `source` is
 * `the title`.
 */
export function describeMention(
  subject: string,
  words: readonly WordScore[],
  source: string,
): string {
  const listed = listWords(words, '');
  if (!listed) return `${subject} mentions words of ${source}`;
  const isIssue = source === 'the issue';
  return `${subject} mentions ${listed}${isIssue ? '' : `, as ${source} does`}`;
}

/**
 * Returns the words and fields that contribute to a chunk's score for a query. Keywords of its language are left out, since
 * they are not a reason.
 */
export function explainLexicalScore(slot: number, query: LexicalQuery, index: SearchIndex) {
  const chunk = index.getChunk(slot);
  const words = chunk.kind === 'section' ? index.sections : index.lexical;
  const { fields, terms } = words.explainScore(slot, query);
  const keywords = getIssueSyntax(chunk.language)?.words?.keywords;
  return { fields, words: pickInformativeWords(terms.filter(({ term }) => !keywords?.has(term))) };
}

/** Names a chunk in a sentence: `` `Cart.total` ``, or `` module code of `cart.py` ``. */
export function nameChunk(chunk: IndexedChunk): string {
  const { kind, path, qualifiedName } = chunk;
  return kind === 'module'
    ? `module code of ${quoteText(basename(path))}`
    : quoteText(findShownName(chunk) ?? qualifiedName);
}

export function quoteFirst(spans: readonly IssueSpan[], otherwise: string): string {
  return spans[0] ? quoteText(spans[0].text) : otherwise;
}
