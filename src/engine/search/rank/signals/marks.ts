/**
 * Signals of a person's marks; all 0 where nothing is marked. `../../gather/marks.ts` has the method. They say nothing of
 * a chunk that is marked `read` itself: it stays where the issue alone puts it.
 */
import { present } from '../../../../shared/present.ts';
import { quoted } from '../../../../shared/quoted.ts';
import type { IndexedChunk } from '../../../snapshot/types.ts';
import type { Candidates } from '../../gather/gather.ts';
import { type MarkEvidence, neighborsOf } from '../../gather/marks.ts';
import { measureEach, similarityAt, withFamily } from './signal.ts';
import { asBm25, asCosine, asYesOrNo, inSentence, tellingWords } from './wording.ts';

export const MARK_SIGNALS = withFamily('marks', [
  {
    name: 'likeMarked',
    title: 'Like what was marked',
    measure: (candidates) => measureSimilarity(candidates, candidates.marks?.likePositive),
    format: asCosine,
    explain: () => ({ sentence: 'similar to what you marked' }),
  },
  {
    name: 'markedWords',
    title: 'Words of what was marked',
    measure: (candidates) =>
      measureMarks(candidates, ({ lexical }) => {
        return (_, slot) => lexical[slot] ?? 0;
      }),
    format: asBm25,
    explain({ slot, candidates: { index, marks } }) {
      const words = tellingWords(index.lexical.detail(slot, present(marks, 'marks').words).terms);
      return { sentence: `shares ${inSentence(words, 'words')} with what you marked`, words };
    },
  },
  /** The class of a marked chunk, and what else is in that class: 1 for one marked `edit`, less for `read`. */
  {
    name: 'markedClass',
    title: 'In a class with a marked result',
    measure: (candidates) =>
      measureMarks(candidates, ({ positive }) => {
        const weights = largestBy(positive, ({ slot }) => [getClass(slot, candidates)]);
        weights.delete(-1);
        return (_, slot) => weights.get(getClass(slot, candidates)) ?? 0;
      }),
    format: asYesOrNo,
    explain: () => ({ sentence: 'its class has a result you marked' }),
  },
  /** In the file of a marked chunk: 1 for one marked `edit`, less for `read`. */
  {
    name: 'markedFile',
    title: 'In a file with a marked result',
    measure: (candidates) =>
      measureMarks(candidates, ({ positive }) => {
        const { index } = candidates;
        const weights = largestBy(positive, ({ slot }) => [index.chunk(slot).path]);
        return ({ path }) => weights.get(path) ?? 0;
      }),
    format: asYesOrNo,
    explain: () => ({ sentence: 'its file has a result you marked' }),
  },
  /** Calls a marked chunk or is called by one: 1 for one marked `edit`, less for `read`. Guessed calls do not count. */
  {
    name: 'markedCalls',
    title: 'Calls or called by a marked result',
    measure: (candidates) =>
      measureMarks(candidates, ({ positive }) => {
        const weights = largestBy(positive, ({ slot }) => neighborsOf(slot, candidates.index));
        return (_, slot) => weights.get(slot) ?? 0;
      }),
    format: asYesOrNo,
    explain({ slot, candidates: { index, marks } }) {
      const near = present(marks, 'marks').positive.filter((marked) =>
        neighborsOf(marked.slot, index).includes(slot),
      );
      const names = near.map((marked) => quoted(index.chunk(marked.slot).qualifiedName));
      return { sentence: `calls or is called by ${names.join(', ')}` };
    },
  },
  {
    name: 'likeRejected',
    title: 'Like what was not relevant',
    measure: (candidates) => measureSimilarity(candidates, candidates.marks?.likeIrrelevant),
    format: asCosine,
    explain: () => ({ sentence: 'unlike what you ruled out' }),
  },
]);

function measureSimilarity(
  candidates: Candidates,
  similarities: Float32Array | null | undefined,
): Float64Array {
  if (!similarities) return new Float64Array(candidates.slots.length);
  return measureMarks(candidates, () => (_, slot) => similarityAt(slot, similarities));
}

/** Measures by marks; NaN for what is marked `read` itself. */
function measureMarks(
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

function getClass(slot: number, { index }: Candidates): number {
  const { kind, parent } = index.chunk(slot);
  return kind === 'class' ? slot : parent;
}
