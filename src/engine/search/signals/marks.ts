/** What a person's marks say; all 0 where nothing is marked. `feedback.ts` tells the method. */
import { ABSENT } from '../../vectors/vector-table.ts';
import type { Candidates } from '../candidates.ts';
import { neighborsOf } from '../feedback.ts';
import { measureEach, type Signal } from './signal.ts';

/** Mean cosine similarity to the chunks marked relevant. */
export const likeMarked: Signal = {
  name: 'likeMarked',
  measure: (candidates) => measureSimilarity(candidates, candidates.marks?.likeRelevant),
};

/** Mean cosine similarity to the chunks marked irrelevant. */
export const likeRejected: Signal = {
  name: 'likeRejected',
  measure: (candidates) => measureSimilarity(candidates, candidates.marks?.likeIrrelevant),
};

/** BM25F of the strongest words of the chunks marked relevant. */
export const markedWords: Signal = {
  name: 'markedWords',
  measure: (candidates) =>
    measureEach(candidates, (_, slot) => candidates.marks?.lexical[slot] ?? 0),
  explain(slot, { index, marks }) {
    const { terms } = index.lexical.detail(slot, marks!.words);
    return {
      detail: `words: ${terms
        .slice(0, 5)
        .map(({ term, score }) => `${term} ${score.toFixed(1)}`)
        .join(', ')}`,
    };
  },
};

/** 1 in the file of a chunk marked relevant. */
export const markedFile: Signal = {
  name: 'markedFile',
  measure(candidates) {
    const { index, marks } = candidates;
    const paths = new Set((marks?.relevant ?? []).map((slot) => index.chunks[slot]!.path));
    return measureEach(candidates, ({ path }) => (paths.has(path) ? 1 : 0));
  },
};

/** 1 for the class of a chunk marked relevant, and for what else is in that class. */
export const markedClass: Signal = {
  name: 'markedClass',
  measure(candidates) {
    const classes = new Set(
      (candidates.marks?.relevant ?? []).map((slot) => classOf(slot, candidates)),
    );
    classes.delete(-1);
    return measureEach(candidates, (_, slot) => (classes.has(classOf(slot, candidates)) ? 1 : 0));
  },
};

/** 1 where the chunk calls one marked relevant or is called by one. Guessed calls do not count. */
export const markedCalls: Signal = {
  name: 'markedCalls',
  measure(candidates) {
    const { index, marks } = candidates;
    const near = new Set((marks?.relevant ?? []).flatMap((slot) => neighborsOf(slot, index)));
    return measureEach(candidates, (_, slot) => (near.has(slot) ? 1 : 0));
  },
  explain(slot, { index, marks }) {
    const near = marks!.relevant.filter((marked) => neighborsOf(marked, index).includes(slot));
    return { detail: near.map((marked) => index.chunks[marked]!.qualifiedName).join(', ') };
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
  return measureEach(candidates, (_, slot) => {
    const similarity = similarities[slot] ?? ABSENT;
    return similarity === ABSENT ? Number.NaN : similarity;
  });
}

/** The slot of the class that a chunk is or is in, or -1. */
function classOf(slot: number, { index }: Candidates): number {
  const { kind, parent } = index.chunks[slot]!;
  return kind === 'class' ? slot : parent;
}
