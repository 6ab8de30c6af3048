/**
 * Relevance feedback: chunks that a person marked improve the ranking.
 *
 * Rocchio's method (Rocchio, "Relevance feedback in information retrieval", in Salton, The SMART Retrieval System,
 * 1971) moves the query towards the mean of the relevant documents and away from the mean of the irrelevant ones. A dot
 * product is linear in the query, so a chunk's score for the moved query is its score for the issue plus its scores for the
 * means. Each mean is therefore a signal of its own, and the ranker's weights are Rocchio's factors. In the space of words,
 * the mean of the relevant chunks is cut to its strongest terms (query expansion; Salton & Buckley, "Improving retrieval
 * performance by relevance feedback", JASIS 1990). lab/notes/2026-11-28-marks.md has the gains.
 *
 * Chunks marked `edit` are Rocchio's relevant documents. A chunk marked `read` is related to the fix but not edited by it:
 * it counts half in all means, and its mark does not affect the chunk itself.
 */

import { assertPresent } from '../../../shared/assert-present.ts';
import { MARKS, type Mark, mapMarks } from '../../../shared/marks.ts';
import { quoteText } from '../../../shared/quote.ts';
import type { Feedback } from '../../../shared/search.ts';
import type { LexicalQuery } from '../../lexical/lexical-index.ts';
import { findSlot } from '../../snapshot/address.ts';
import type { SearchIndex } from '../../snapshot/types.ts';
import { findLargest } from '../../vectors/largest.ts';
import { ABSENT } from '../../vectors/vector-table.ts';
import { isCertainCall } from './chunks.ts';

/** Slots of marked chunks, by mark. */
export type MarkedSlots = Readonly<Record<Mark, readonly number[]>>;

interface WeightedSlot {
  slot: number;
  weight: number;
}

export interface MarkEvidence extends MarkedSlots {
  /** Chunks marked `edit` and, with less weight, those marked `read`. */
  positive: readonly WeightedSlot[];
  /** Largest weight of the positive chunks; 0 without any. Standardized values no longer contain it. */
  strength: number;
  /** By slot: weighted mean cosine similarity to the positive chunks; null if none of them has an embedding. */
  similarToPositive: Float32Array | null;
  /** By slot: mean cosine similarity to the irrelevant chunks; null if none of them has an embedding. */
  similarToIrrelevant: Float32Array | null;
  /** Strongest terms of the positive chunks. */
  words: LexicalQuery;
  /** By slot: BM25F of `words`. */
  lexical: Float32Array;
}

/** Weight of a chunk marked `read`; `edit` has 1. Chosen, not fitted: no data records which chunks were only read. */
const READ_WEIGHT = 0.5;
const MAX_TERMS = 20;
/** Maximum number of candidates added for their similarity to the positive chunks. */
const MAX_NEAREST = 100;
const MAX_IN_FILES = 300;

export const NO_MARKS: MarkedSlots = mapMarks(() => []);

/** Resolves marked chunks in this snapshot, with a note on missing ones. A chunk with two marks is ignored. */
export function resolveMarks(
  feedback: Feedback | undefined,
  index: SearchIndex,
): { marks: MarkedSlots; notes: string[] } {
  if (!feedback) return { marks: NO_MARKS, notes: [] };
  const unknown = new Set<string>();
  const resolveSlots = (addresses: readonly string[]) => {
    const slots = new Set<number>();
    for (const address of addresses) {
      const slot = findSlot(index, address);
      if (slot === undefined) unknown.add(address);
      else slots.add(slot);
    }
    return slots;
  };
  const marked = mapMarks((mark) => resolveSlots(feedback[mark] ?? []));
  const isOnlyMark = (mark: Mark, slot: number) =>
    MARKS.every((other) => other === mark || !marked[other].has(slot));
  const marks = mapMarks((mark) => [...marked[mark]].filter((slot) => isOnlyMark(mark, slot)));
  return { marks, notes: unknown.size > 0 ? [describeMissing([...unknown])] : [] };
}

/** Part of the note about marked results that the index does not have. */
export const MISSING_MARKS = 'not in this version of the repository';

function describeMissing(unknown: string[]): string {
  const shown = unknown.slice(0, 3).map(quoteText).join(', ');
  const more = unknown.length > 3 ? ` and ${unknown.length - 3} more` : '';
  const [subject, ignored] =
    unknown.length === 1
      ? ['A marked result is', 'it was']
      : [`${unknown.length} marked results are`, 'they were'];
  return `${subject} ${MISSING_MARKS}, so ${ignored} ignored: ${shown}${more}.`;
}

export function computeMarkEvidence(marks: MarkedSlots, index: SearchIndex): MarkEvidence | null {
  if (MARKS.every((mark) => marks[mark].length === 0)) return null;
  const positive = [...withWeight(marks.edit, 1), ...withWeight(marks.read, READ_WEIGHT)];
  const total = sumWeights(positive);
  const words = index.lexical.createQueryOf(
    positive.map(({ slot }) => slot),
    MAX_TERMS,
    positive.map(({ weight }) => weight / total),
  );
  return {
    ...marks,
    positive,
    strength: positive[0]?.weight ?? 0,
    similarToPositive: compareWithMean(positive, index),
    similarToIrrelevant: compareWithMean(withWeight(marks.irrelevant, 1), index),
    words,
    lexical: index.lexical.score(words),
  };
}

const withWeight = (slots: readonly number[], weight: number): WeightedSlot[] =>
  slots.map((slot) => ({ slot, weight }));

const sumWeights = (marked: readonly { weight: number }[]): number =>
  marked.reduce((sum, { weight }) => sum + weight, 0);

/** Returns the cosine similarities of all slots to the weighted mean of these; null if none has an embedding. */
function compareWithMean(marked: readonly WeightedSlot[], { vectors }: SearchIndex) {
  const embedded = marked.flatMap(({ slot, weight }) => {
    const vector = vectors.getVector(slot);
    return vector ? { vector, weight } : [];
  });
  if (embedded.length === 0) return null;
  const total = sumWeights(embedded);
  const mean = new Float32Array(vectors.dimensions);
  for (const { vector, weight } of embedded) {
    for (const [i, x] of vector.entries()) {
      mean[i] = assertPresent(mean[i], 'a dimension of the mean') + (x * weight) / total;
    }
  }
  return vectors.getSimilarities(mean);
}

/** Finds the candidates that marks add: the marked chunks, their callers and callees, their files, and the most similar chunks. */
export function findSlotsNearMarks(evidence: MarkEvidence, index: SearchIndex): Set<number> {
  const { similarToPositive } = evidence;
  const positive = evidence.positive.map(({ slot }) => slot);
  const near = new Set<number>([...positive, ...evidence.irrelevant]);
  for (const slot of positive)
    for (const neighbor of listNeighbors(slot, index)) near.add(neighbor);
  const paths = new Set(positive.map((slot) => index.getChunk(slot).path));
  const inFiles = [...paths].flatMap((path) => index.getSlotsByPath(path));
  for (const slot of inFiles.slice(0, MAX_IN_FILES)) near.add(slot);
  if (similarToPositive) {
    const { slots, similarities } = findLargest(
      similarToPositive,
      Math.min(MAX_NEAREST, similarToPositive.length),
    );
    for (const [i, slot] of slots.entries()) if (similarities[i] !== ABSENT) near.add(slot);
  }
  return near;
}

/** Lists the callers and callees of a chunk. Guessed calls do not count. */
export function listNeighbors(slot: number, index: SearchIndex): number[] {
  return [...index.getCallers(slot), ...index.getCallees(slot)]
    .filter((neighbor) => isCertainCall(neighbor) && neighbor.slot !== slot)
    .map((neighbor) => neighbor.slot);
}
