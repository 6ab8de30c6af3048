/**
 * Signals from a person's marks; all 0 if nothing is marked. `../../gather/marks.ts` describes the method. They have no
 * value for a chunk that is itself marked `read`: it keeps the rank that the issue alone gives it.
 */
import { assertPresent } from '../../../../shared/assert-present.ts';
import type { IndexedChunk } from '../../../snapshot/types.ts';
import type { Candidates } from '../../gather/gather.ts';
import { listNeighbors, type MarkEvidence } from '../../gather/marks.ts';
import { getSimilarity, measureEach, withFamily } from './signal.ts';
import {
  formatBm25,
  formatCosine,
  formatYesOrNo,
  listWords,
  nameChunk,
  pickInformativeWords,
} from './wording.ts';

export const MARK_SIGNALS = withFamily('marks', [
  {
    name: 'likeMarked',
    title: 'Similar to marked results',
    measure: (candidates) => measureSimilarity(candidates, candidates.marks?.similarToPositive),
    format: formatCosine,
    explain: ({ slot, candidates }) => ({
      sentence: isMarked(slot, candidates) ? null : 'similar to the results you marked',
    }),
  },
  {
    name: 'markedWords',
    title: 'Words of marked results',
    measure: (candidates) =>
      measureMarks(candidates, ({ lexical }) => {
        return (_, slot) => lexical[slot] ?? 0;
      }),
    format: formatBm25,
    explain({ slot, candidates }) {
      const { index, marks } = candidates;
      const words = pickInformativeWords(
        index.lexical.explainScore(slot, assertPresent(marks, 'marks').words).terms,
      );
      const sentence = `shares ${listWords(words, 'words')} with the results you marked`;
      return { sentence: isMarked(slot, candidates) ? null : sentence, words };
    },
  },
  /** For the class of a marked chunk, and everything in that class: 1 if the mark is `edit`, less if it is `read`. */
  {
    name: 'markedClass',
    title: 'In a class with a marked result',
    measure: (candidates) =>
      measureMarks(candidates, ({ positive }) => {
        const weights = groupLargestWeights(positive, ({ slot }) => [getClass(slot, candidates)]);
        weights.delete(-1);
        return (_, slot) => weights.get(getClass(slot, candidates)) ?? 0;
      }),
    format: formatYesOrNo,
    explain: () => ({ sentence: 'its class contains a result you marked' }),
  },
  /** For everything in the file of a marked chunk: 1 if the mark is `edit`, less if it is `read`. */
  {
    name: 'markedFile',
    title: 'In a file with a marked result',
    measure: (candidates) =>
      measureMarks(candidates, ({ positive }) => {
        const { index } = candidates;
        const weights = groupLargestWeights(positive, ({ slot }) => [index.getChunk(slot).path]);
        return ({ path }) => weights.get(path) ?? 0;
      }),
    format: formatYesOrNo,
    explain: () => ({ sentence: 'its file contains a result you marked' }),
  },
  /** For callers and callees of a marked chunk: 1 if the mark is `edit`, less if it is `read`. Guessed calls do not count. */
  {
    name: 'markedCalls',
    title: 'Calls a marked result, or is called by it',
    measure: (candidates) =>
      measureMarks(candidates, ({ positive }) => {
        const weights = groupLargestWeights(positive, ({ slot }) =>
          listNeighbors(slot, candidates.index),
        );
        return (_, slot) => weights.get(slot) ?? 0;
      }),
    format: formatYesOrNo,
    explain({ slot, candidates: { index, marks } }) {
      const near = assertPresent(marks, 'marks').positive.filter((marked) =>
        listNeighbors(marked.slot, index).includes(slot),
      );
      const names = near.map((marked) => nameChunk(index.getChunk(marked.slot)));
      return { sentence: `calls or is called by ${names.join(', ')}` };
    },
  },
  {
    name: 'likeRejected',
    title: 'Similar to irrelevant results',
    measure: (candidates) => measureSimilarity(candidates, candidates.marks?.similarToIrrelevant),
    format: formatCosine,
    explain: () => ({ sentence: 'unlike the results you ruled out' }),
  },
]);

/** Returns true for a marked result. That it resembles the marked results is no reason, since it is one of them. */
const isMarked = (slot: number, { marks }: Candidates): boolean =>
  marks?.positive.some((marked) => marked.slot === slot) ?? false;

function measureSimilarity(
  candidates: Candidates,
  similarities: Float32Array | null | undefined,
): Float64Array {
  if (!similarities) return new Float64Array(candidates.slots.length);
  return measureMarks(candidates, () => (_, slot) => getSimilarity(slot, similarities));
}

/** Measures candidates by the marks; NaN for a chunk that is itself marked `read`. */
function measureMarks(
  candidates: Candidates,
  createMeasure: (marks: MarkEvidence) => (chunk: IndexedChunk, slot: number) => number,
): Float64Array {
  const { marks } = candidates;
  if (!marks) return new Float64Array(candidates.slots.length);
  const read = new Set(marks.read);
  const measure = createMeasure(marks);
  return measureEach(candidates, (chunk, slot) =>
    read.has(slot) ? Number.NaN : measure(chunk, slot),
  );
}

/** Returns the largest weight of the marked chunks that have each key. */
function groupLargestWeights<Key>(
  marked: MarkEvidence['positive'],
  getKeys: (marked: MarkEvidence['positive'][number]) => readonly Key[],
): Map<Key, number> {
  const weights = new Map<Key, number>();
  for (const each of marked) {
    for (const key of getKeys(each)) {
      weights.set(key, Math.max(weights.get(key) ?? 0, each.weight));
    }
  }
  return weights;
}

function getClass(slot: number, { index }: Candidates): number {
  const { kind, parent } = index.getChunk(slot);
  return kind === 'class' ? slot : parent;
}
