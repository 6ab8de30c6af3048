/**
 * What a person's marks say; all 0 where nothing is marked. `feedback.ts` tells the method. About a chunk that is
 * marked as context itself they say nothing: it stays where the issue alone puts it.
 */
import type { Candidates } from '../candidates.ts';
import { type MarkEvidence, neighborsOf } from '../feedback.ts';
import type { IndexedChunk } from '../types.ts';
import { listWords, measureEach, type Signal, similarityAt } from './signal.ts';

/** Mean cosine similarity to the chunks marked relevant or context. */
export const likeMarked: Signal = {
  name: 'likeMarked',
  measure: (candidates) => measureSimilarity(candidates, candidates.marks?.likeRelevant),
};

/** Mean cosine similarity to the chunks marked irrelevant. */
export const likeRejected: Signal = {
  name: 'likeRejected',
  measure: (candidates) => measureSimilarity(candidates, candidates.marks?.likeIrrelevant),
};

/** BM25F of the strongest words of the chunks marked relevant or context. */
export const markedWords: Signal = {
  name: 'markedWords',
  measure: (candidates) =>
    measureMarks(
      candidates,
      ({ lexical }) =>
        (_, slot) =>
          lexical[slot] ?? 0,
    ),
  explain(slot, { index, marks }) {
    const { terms } = index.lexical.detail(slot, marks!.words);
    return { detail: listWords(terms) };
  },
};

/** In the file of a marked chunk: 1 for a relevant one, less for context. */
export const markedFile: Signal = {
  name: 'markedFile',
  measure: (candidates) =>
    measureMarks(candidates, ({ positive }) => {
      const { chunks } = candidates.index;
      const weights = largestBy(positive, ({ slot }) => [chunks[slot]!.path]);
      return ({ path }) => weights.get(path) ?? 0;
    }),
};

/** The class of a marked chunk, and what else is in that class: 1 for a relevant one, less for context. */
export const markedClass: Signal = {
  name: 'markedClass',
  measure: (candidates) =>
    measureMarks(candidates, ({ positive }) => {
      const weights = largestBy(positive, ({ slot }) => [classOf(slot, candidates)]);
      weights.delete(-1);
      return (_, slot) => weights.get(classOf(slot, candidates)) ?? 0;
    }),
};

/** Calls a marked chunk or is called by one: 1 for a relevant one, less for context. Guessed calls do not count. */
export const markedCalls: Signal = {
  name: 'markedCalls',
  measure: (candidates) =>
    measureMarks(candidates, ({ positive }) => {
      const weights = largestBy(positive, ({ slot }) => neighborsOf(slot, candidates.index));
      return (_, slot) => weights.get(slot) ?? 0;
    }),
  explain(slot, { index, marks }) {
    const near = marks!.positive.filter((marked) => neighborsOf(marked.slot, index).includes(slot));
    return {
      detail: near.map((marked) => index.chunks[marked.slot]!.qualifiedName).join(', '),
    };
  },
};

export const MARK_SIGNALS: readonly Signal[] = [
  likeMarked,
  markedWords,
  markedClass,
  markedFile,
  markedCalls,
  likeRejected,
];

function measureSimilarity(
  candidates: Candidates,
  similarities: Float32Array | null | undefined,
): Float64Array {
  if (!similarities) return new Float64Array(candidates.slots.length);
  return measureMarks(candidates, () => (_, slot) => similarityAt(slot, similarities));
}

/** NaN for context itself. */
function measureMarks(
  candidates: Candidates,
  measureFor: (marks: MarkEvidence) => (chunk: IndexedChunk, slot: number) => number,
): Float64Array {
  const { marks } = candidates;
  if (!marks) return new Float64Array(candidates.slots.length);
  const context = new Set(marks.context);
  const measure = measureFor(marks);
  return measureEach(candidates, (chunk, slot) =>
    context.has(slot) ? Number.NaN : measure(chunk, slot),
  );
}

/** By key, the largest weight of the marked chunks that have it. */
function largestBy<Key>(
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
function classOf(slot: number, { index }: Candidates): number {
  const { kind, parent } = index.chunks[slot]!;
  return kind === 'class' ? slot : parent;
}
