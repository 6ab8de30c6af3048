/**
 * Estimates how many of all searchable rows contain a word, since a vector engine doesn't report it. The estimate comes from a random
 * sample, in which common words are common. Nearly all rows with a rare word are among those found by it.
 */
import { countQueryTerms } from '../lexical/tokenize.ts';

/** Random sample of rows: its size, the number of rows that it was drawn from, and the number of rows in it with each term. */
export interface TermSample {
  rows: number;
  of: number;
  counts: ReadonlyMap<string, number>;
}

/**
 * Counts the terms in a random sample of rows.
 * @param terms `Row.terms` of each row in the sample.
 * @param of number of rows that the sample was drawn from.
 */
export function sampleTerms(terms: readonly string[], of: number): TermSample {
  const counts = new Map<string, number>();
  for (const one of terms) {
    for (const term of new Set(one.split(/\s+/))) counts.set(term, (counts.get(term) ?? 0) + 1);
  }
  return { rows: terms.length, of, counts };
}

/** Estimates the number of rows with a word; 0 if the sample does not contain it. */
export function estimateRowCount(word: string, { rows, of, counts }: TermSample): number {
  return rows === 0 ? 0 : ((counts.get(word) ?? 0) * of) / rows;
}

/** Maximum number of words in a query to the engine, which reads the postings of each. */
const MAX_WORDS = 48;

/**
 * Returns the most informative words of an issue, for the engine's BM25: by their counts in the issue and by rarity. Words of the
 * title count twice.
 */
export function chooseQueryWords(title: string, text: string, sample: TermSample): string {
  const weights = new Map<string, number>();
  for (const [word, count] of countQueryTerms(text)) weights.set(word, Math.sqrt(count));
  for (const [word, count] of countQueryTerms(title))
    weights.set(word, Math.sqrt(count) + (weights.get(word) ?? 0));
  const rarity = (word: string) =>
    Math.log((sample.of + 1) / (estimateRowCount(word, sample) + 0.5));
  return [...weights]
    .map(([word, weight]) => ({ word, weight: weight * rarity(word) }))
    .sort((a, b) => b.weight - a.weight || (a.word < b.word ? -1 : 1))
    .slice(0, MAX_WORDS)
    .map(({ word }) => word)
    .join(' ');
}
