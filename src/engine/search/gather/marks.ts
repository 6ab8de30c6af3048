/**
 * Relevance feedback: chunks that a person marked refine the ranking.
 *
 * Rocchio's method (Rocchio, "Relevance feedback in information retrieval", in Salton, The SMART Retrieval System,
 * 1971) moves the query towards the mean of the relevant documents and away from that of the irrelevant ones. As a dot
 * product is linear in the query, a chunk's score for the moved query is its score for the issue plus that for each of
 * the means, so these are columns of evidence of their own, and weights of the ranker are Rocchio's factors. In the
 * space of words the mean of the relevant chunks is cut to its strongest terms (query expansion; Salton & Buckley,
 * "Improving retrieval performance by relevance feedback", JASIS 1990). docs/feedback.md has what it gains.
 *
 * Chunks marked `edit` are Rocchio's relevant documents. One marked `read` is like them, as it has to be read for the
 * fix, but is not to be edited itself: it counts half in all means, and its mark says nothing about the chunk itself.
 */
import { byMark, MARKS, type Mark } from '../../../shared/marks.ts';
import { present } from '../../../shared/present.ts';
import { quoted } from '../../../shared/quoted.ts';
import type { Feedback } from '../../../shared/search.ts';
import type { LexicalQuery } from '../../lexical/lexical-index.ts';
import { slotAt } from '../../snapshot/address.ts';
import type { SearchIndex } from '../../snapshot/types.ts';
import { largest } from '../../vectors/largest.ts';
import { ABSENT } from '../../vectors/vector-table.ts';

export type Marks = Readonly<Record<Mark, readonly number[]>>;

interface Weighted {
  slot: number;
  weight: number;
}

export interface MarkEvidence extends Marks {
  /** The chunks to be edited and, with less weight, those to be read. */
  positive: readonly Weighted[];
  /** The largest weight among them; 0 without any. Standardised values have lost it. */
  strength: number;
  /** By slot: the weighted mean cosine similarity to the positive chunks; null when none of them has an embedding. */
  likePositive: Float32Array | null;
  likeIrrelevant: Float32Array | null;
  /** The positive chunks' strongest terms, and by slot how well a chunk matches them. */
  words: LexicalQuery;
  lexical: Float32Array;
}

/** How much a chunk to be read counts; one to be edited counts 1. Chosen, not fitted: no data tells what was read. */
const READ_WEIGHT = 0.5;
const TERMS = 20;
/** Chunks added to the candidates for their similarity to the positive ones. */
const NEAREST = 100;
const MAX_IN_FILES = 300;

export const NO_MARKS: Marks = byMark(() => []);

/** The marked chunks that this snapshot has, and a note on those that it lacks. A chunk marked in two ways says nothing. */
export function readMarks(
  feedback: Feedback | undefined,
  index: SearchIndex,
): { marks: Marks; notes: string[] } {
  if (!feedback) return { marks: NO_MARKS, notes: [] };
  const unknown = new Set<string>();
  const slotsOf = (addresses: readonly string[]) => {
    const slots = new Set<number>();
    for (const address of addresses) {
      const slot = slotAt(index, address);
      if (slot === undefined) unknown.add(address);
      else slots.add(slot);
    }
    return slots;
  };
  const marked = byMark((mark) => slotsOf(feedback[mark] ?? []));
  const isOnly = (mark: Mark, slot: number) =>
    MARKS.every((other) => other === mark || !marked[other].has(slot));
  const marks = byMark((mark) => [...marked[mark]].filter((slot) => isOnly(mark, slot)));
  return { marks, notes: unknown.size > 0 ? [noteOn([...unknown])] : [] };
}

function noteOn(unknown: string[]): string {
  const shown = unknown.slice(0, 3).map(quoted).join(', ');
  const more = unknown.length > 3 ? ` and ${unknown.length - 3} more` : '';
  const what = unknown.length === 1 ? 'A marked result is' : `${unknown.length} marked results are`;
  return `${what} not in this version of the repository and did not refine the list: ${shown}${more}.`;
}

export function evidenceOfMarks(marks: Marks, index: SearchIndex): MarkEvidence | null {
  if (MARKS.every((mark) => marks[mark].length === 0)) return null;
  const positive = [...weighted(marks.edit, 1), ...weighted(marks.read, READ_WEIGHT)];
  const total = totalOf(positive);
  const words = index.lexical.termsOf(
    positive.map(({ slot }) => slot),
    TERMS,
    positive.map(({ weight }) => weight / total),
  );
  return {
    ...marks,
    positive,
    strength: positive[0]?.weight ?? 0,
    likePositive: similaritiesToMean(positive, index),
    likeIrrelevant: similaritiesToMean(weighted(marks.irrelevant, 1), index),
    words,
    lexical: index.lexical.score(words),
  };
}

const weighted = (slots: readonly number[], weight: number): Weighted[] =>
  slots.map((slot) => ({ slot, weight }));

const totalOf = (marked: readonly { weight: number }[]): number =>
  marked.reduce((sum, { weight }) => sum + weight, 0);

function similaritiesToMean(marked: readonly Weighted[], { vectors }: SearchIndex) {
  const known = marked.flatMap(({ slot, weight }) => {
    const vector = vectors.vector(slot);
    return vector ? { vector, weight } : [];
  });
  if (known.length === 0) return null;
  const total = totalOf(known);
  const mean = new Float32Array(vectors.dimensions);
  for (const { vector, weight } of known) {
    for (const [i, x] of vector.entries()) {
      mean[i] = present(mean[i], 'a dimension of the mean') + (x * weight) / total;
    }
  }
  return vectors.similarities(mean);
}

/** Returns the candidates that marks add: the marked chunks, their callers and callees, and chunks in their files or most similar. */
export function slotsNearMarks(evidence: MarkEvidence, index: SearchIndex): Set<number> {
  const { likePositive } = evidence;
  const positive = evidence.positive.map(({ slot }) => slot);
  const near = new Set<number>([...positive, ...evidence.irrelevant]);
  for (const slot of positive) for (const neighbor of neighborsOf(slot, index)) near.add(neighbor);
  const paths = new Set(positive.map((slot) => index.chunk(slot).path));
  const inFiles = [...paths].flatMap((path) => index.slotsByPath(path));
  for (const slot of inFiles.slice(0, MAX_IN_FILES)) near.add(slot);
  if (likePositive) {
    const { slots, similarities } = largest(likePositive, Math.min(NEAREST, likePositive.length));
    for (const [i, slot] of slots.entries()) if (similarities[i] !== ABSENT) near.add(slot);
  }
  return near;
}

/** Callers and callees; guessed calls do not count. */
export function neighborsOf(slot: number, index: SearchIndex): number[] {
  return [...index.callers(slot), ...index.callees(slot)]
    .filter((neighbor) => !neighbor.guess && neighbor.slot !== slot)
    .map((neighbor) => neighbor.slot);
}
