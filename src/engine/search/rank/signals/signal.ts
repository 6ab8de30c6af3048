import type ranker1 from '../../../../../models/ranker-1/initial.json';
import type rerankModel from '../../../../../models/ranker-1/reranked.json';
import { assertPresent } from '../../../../shared/assert-present.ts';
import type { Family, FieldScore, IssueSpan, WordScore } from '../../../../shared/evidence.ts';
import type { IndexedChunk } from '../../../snapshot/types.ts';
import { ABSENT } from '../../../vectors/vector-table.ts';
import type { Candidates } from '../../gather/gather.ts';

/** Names of signals, from the ranker's weights: a signal without a weight does not compile. */
type SignalName = keyof typeof ranker1.weights;

/** A signal of a ranking, with its explanation for people. */
export interface ExplainedSignal {
  /** Key of its weight and of its evidence. */
  name: keyof typeof rerankModel.weights;
  family: Family;
  /** Name for people: `Words of the issue`. */
  title: string;
  /** Formats a value for people: `cosine 0.61`. */
  format(value: number): string;
  /**
   * Explains a chunk's value. Called only for results, and only if the value is not 0. Null for signals that describe the
   * chunk itself, not why it matches the issue.
   */
  explain: ((value: ExplainedValue) => Explanation) | null;
  /** A more specific signal: if it has a value, this one gives no reason. */
  impliedBy?: SignalName;
}

/** A signal of the initial ranking. */
export interface Signal extends ExplainedSignal {
  name: SignalName;
  /** Returns values parallel to `candidates.slots`; NaN if a chunk has none, which then contributes nothing. */
  measure(candidates: Candidates): Float64Array;
}

export interface ExplainedValue {
  slot: number;
  value: number;
  candidates: Candidates;
  /** Returns the rank of a chunk in this ranking, from 1; infinity if it is not a candidate. */
  rankOf: (slot: number) => number;
}

interface Explanation {
  /** Reason for a result, as a clause. Code and text of the issue are between backquotes. Null if no reason is convincing. */
  sentence: string | null;
  /** Value for people, if the number alone does not say enough: `16 changes, last in 2024`. */
  measured?: string;
  /** Text in the issue that the reason is about. */
  spans?: IssueSpan[];
  words?: WordScore[];
  fields?: FieldScore[];
}

/** Returns the signals with their family. `explain` is null for signals that leave it out. */
export function withFamily(
  family: Family,
  signals: readonly (Omit<Signal, 'family' | 'explain'> & Partial<Pick<Signal, 'explain'>>)[],
): Signal[] {
  return signals.map((signal) => ({ explain: null, ...signal, family }));
}

/** Returns the values of candidates, given by slot; 0 for all others. */
export function measureSlots(
  candidates: Candidates,
  values: ReadonlyMap<number, number>,
): Float64Array {
  return measureEach(candidates, (_, slot) => values.get(slot) ?? 0);
}

export function measureEach(
  { slots, index }: Candidates,
  measure: (chunk: IndexedChunk, slot: number) => number,
): Float64Array {
  // An indexed loop, since this runs for dozens of signals: `Float64Array.from` takes several times as long, and iterators
  // allocate an object for each candidate.
  const values = new Float64Array(slots.length);
  for (let i = 0; i < slots.length; i++) {
    const slot = assertPresent(slots[i], 'a candidate');
    values[i] = measure(index.getChunk(slot), slot);
  }
  return values;
}

/** Returns a chunk's similarity as the value of a signal; NaN if it has no embedding. */
export function getSimilarity(slot: number, similarities: Float32Array | null | undefined): number {
  const similarity = similarities?.[slot] ?? ABSENT;
  return similarity === ABSENT ? Number.NaN : similarity;
}

/** Caches a value for the length of a search, even if its candidates are widened. */
export function cachePerSearch<Value>(
  compute: (candidates: Candidates) => Value,
): (candidates: Candidates) => Value {
  const computed = new WeakMap<Candidates['words'], { value: Value }>();
  return (candidates) => {
    // Each search has one `words` object, which all its candidates share.
    const cached = computed.get(candidates.words) ?? { value: compute(candidates) };
    computed.set(candidates.words, cached);
    return cached.value;
  };
}
