import type { IssueSpan } from '../../../shared/types.ts';
import { ABSENT } from '../../vectors/vector-table.ts';
import type { Candidates } from '../candidates.ts';
import type { IndexedChunk } from '../types.ts';

/** One column of the ranking. */
export interface Signal {
  /** The key of its weight and of its evidence. */
  name: string;
  /** Values parallel to `candidates.slots`; NaN where a chunk has none, which then weighs nothing. */
  measure(candidates: Candidates): Float64Array;
  /** What a person should see of a chunk's value; asked for results only, and only where the value is not 0. */
  explain?(slot: number, candidates: Candidates, rankOf: (slot: number) => number): Explanation;
}

export interface Explanation {
  spans?: IssueSpan[];
  detail?: string;
}

/** A value for each candidate's chunk. */
export function measureEach(
  { slots, index }: Candidates,
  measure: (chunk: IndexedChunk, slot: number) => number,
): Float64Array {
  return Float64Array.from(slots, (slot) => measure(index.chunks[slot]!, slot));
}

/** A chunk's similarity as a signal's value: NaN where it has no embedding. */
export function similarityAt(slot: number, similarities: Float32Array | null | undefined): number {
  const similarity = similarities?.[slot] ?? ABSENT;
  return similarity === ABSENT ? Number.NaN : similarity;
}

/** The first words with what each adds, as a detail has them: `words: cookie 4.2, redirect 3.1`. */
export function listWords(
  words: readonly { term: string; score: number; note?: string }[],
): string {
  const listed = words
    .slice(0, 5)
    .map(({ term, score, note }) => `${term} ${score.toFixed(1)}${note ? ` (${note})` : ''}`);
  return `words: ${listed.join(', ')}`;
}
