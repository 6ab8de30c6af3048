/** Formats values and words of signals for people. */
import { type IssueSpan, MAX_SENTENCE_WORDS, type WordScore } from '../../../../shared/evidence.ts';
import { quoteText } from '../../../../shared/quote.ts';
import { getIssueSyntax } from '../../../languages/index.ts';
import type { LexicalQuery } from '../../../lexical/lexical-index.ts';
import type { SearchIndex } from '../../../snapshot/types.ts';
import { isInformative } from '../../gather/words.ts';

export const formatCosine = (value: number): string => `cosine ${value.toFixed(2)}`;
export const formatBm25 = (value: number): string => `BM25 ${value.toFixed(1)}`;
export const formatCount = (value: number): string =>
  Number.isInteger(value) ? `${value} ×` : value.toFixed(2);
export const formatPercent = (value: number): string => `${Math.round(100 * value)}%`;
export const formatYesOrNo = (value: number): string => (value ? 'yes' : 'no');
export const formatDecimals =
  (digits: number) =>
  (value: number): string =>
    value.toFixed(digits);

/** Maximum number of words that evidence lists. */
const MAX_LISTED = 5;

/** Returns the strongest informative words of a list that has the strongest first. */
export function pickInformativeWords(
  words: readonly { term: string; score: number; of?: string }[],
): WordScore[] {
  return words
    .filter(({ term }) => isInformative(term))
    .slice(0, MAX_LISTED)
    .map(({ term: word, score, of }) => ({ word, score, ...(of !== undefined && { of }) }));
}

/** Lists words for a sentence, such as `` `max_delay`, `retry` ``. Returns `otherwise` if there are none. */
export function listWords(words: readonly WordScore[], otherwise: string): string {
  const shown = words.slice(0, MAX_SENTENCE_WORDS).map(({ word }) => quoteText(word));
  return shown.join(', ') || otherwise;
}

/** Writes a clause such as `` mentions `retry`, as the title does ``, where `source` is `the title`. */
export function describeMention(words: readonly WordScore[], source = 'the issue'): string {
  const listed = listWords(words, '');
  if (!listed) return `mentions words of ${source}`;
  return source === 'the issue' ? `mentions ${listed}` : `mentions ${listed}, as ${source} does`;
}

/**
 * Returns the words and fields that contribute to a chunk's score for a query. Keywords of its language are left out, since
 * they are not a reason.
 */
export function explainLexicalScore(slot: number, query: LexicalQuery, index: SearchIndex) {
  const { fields, terms } = index.lexical.explainScore(slot, query);
  const keywords = getIssueSyntax(index.getChunk(slot).language)?.words?.keywords;
  return { fields, words: pickInformativeWords(terms.filter(({ term }) => !keywords?.has(term))) };
}

export function quoteFirst(spans: readonly IssueSpan[], otherwise: string): string {
  return spans[0] ? quoteText(spans[0].text) : otherwise;
}
