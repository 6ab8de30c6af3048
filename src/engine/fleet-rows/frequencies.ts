/**
 * How many rows have a word, of all that may be searched. An engine does not tell, so it is estimated from two sides: what is common
 * is common in a sample drawn at random, and nearly all that has a rare word is among what was found by it.
 */
import { queryTerms } from '../lexical/tokenize.ts';

/** How many of the rows that a sample has contain each word. */
export interface TermSample {
  rows: number;
  of: number;
  counts: ReadonlyMap<string, number>;
}

/** @param terms `Row.terms` of each row drawn */
export function sampleTerms(terms: readonly string[], of: number): TermSample {
  const counts = new Map<string, number>();
  for (const one of terms) {
    for (const term of new Set(one.split(/\s+/))) counts.set(term, (counts.get(term) ?? 0) + 1);
  }
  return { rows: terms.length, of, counts };
}

/** How many rows have a word, as far as the sample tells; 0 where it has none with it. */
export function estimated(word: string, { rows, of, counts }: TermSample): number {
  return rows === 0 ? 0 : ((counts.get(word) ?? 0) * of) / rows;
}

/** Words that an engine is asked with: each has a list to go through, and the common ones the longest. */
const MOST_WORDS = 48;

/**
 * The words of an issue that say most, for the engine's BM25: by how often the issue has them and how rare they are. Those of the
 * title count twice.
 */
export function wordsToAsk(title: string, text: string, sample: TermSample): string {
  const weights = new Map<string, number>();
  for (const [word, count] of queryTerms(text)) weights.set(word, Math.sqrt(count));
  for (const [word, count] of queryTerms(title))
    weights.set(word, Math.sqrt(count) + (weights.get(word) ?? 0));
  const rarity = (word: string) => Math.log((sample.of + 1) / (estimated(word, sample) + 0.5));
  return [...weights]
    .map(([word, weight]) => ({ word, weight: weight * rarity(word) }))
    .sort((a, b) => b.weight - a.weight || (a.word < b.word ? -1 : 1))
    .slice(0, MOST_WORDS)
    .map(({ word }) => word)
    .join(' ');
}
