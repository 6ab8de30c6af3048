/**
 * What a person's marks say; all 0 where nothing is marked. `feedback.ts` tells the method. About a chunk that is
 * marked `read` itself they say nothing: it stays where the issue alone puts it.
 */

import type { IndexedChunk } from '../../snapshot/types.ts';
import type { Candidates } from '../candidates.ts';
import type { MarkEvidence } from '../feedback.ts';
import { measureEach, similarityAt } from './candidates.ts';

export function measureSimilarity(
  candidates: Candidates,
  similarities: Float32Array | null | undefined,
): Float64Array {
  if (!similarities) return new Float64Array(candidates.slots.length);
  return measureMarks(candidates, () => (_, slot) => similarityAt(slot, similarities));
}

/** NaN for what is marked `read` itself. */
export function measureMarks(
  candidates: Candidates,
  measureFor: (marks: MarkEvidence) => (chunk: IndexedChunk, slot: number) => number,
): Float64Array {
  const { marks } = candidates;
  if (!marks) return new Float64Array(candidates.slots.length);
  const read = new Set(marks.read);
  const measure = measureFor(marks);
  return measureEach(candidates, (chunk, slot) =>
    read.has(slot) ? Number.NaN : measure(chunk, slot),
  );
}

/** By key, the largest weight of the marked chunks that have it. */
export function largestBy<Key>(
  marked: MarkEvidence['positive'],
  keysOf: (marked: MarkEvidence['positive'][number]) => readonly Key[],
): Map<Key, number> {
  const weights = new Map<Key, number>();
  for (const each of marked) {
    for (const key of keysOf(each)) {
      weights.set(key, Math.max(weights.get(key) ?? 0, each.weight));
    }
  }
  return weights;
}

/** The slot of the class that a chunk is or is in, or -1. */
export function classOf(slot: number, { index }: Candidates): number {
  const { kind, parent } = index.chunk(slot);
  return kind === 'class' ? slot : parent;
}
