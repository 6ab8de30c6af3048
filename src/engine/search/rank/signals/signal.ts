import type ranker1 from '../../../../../models/ranker-1/ranker.json';
import type refined from '../../../../../models/ranker-1/refined.json';
import type { Family, FieldScore, IssueSpan, WordScore } from '../../../../shared/evidence.ts';
import { present } from '../../../../shared/present.ts';
import type { IndexedChunk } from '../../../snapshot/types.ts';
import { ABSENT } from '../../../vectors/vector-table.ts';
import type { Candidates } from '../../gather/gather.ts';

/** The ranker's weights name the signals: one without a weight does not compile. */
type SignalName = keyof typeof ranker1.weights;

/** A value that scores are made of, with what a person is told of it. */
export interface ExplainedSignal {
  /** The key of its weight and of its evidence. */
  name: keyof typeof refined.weights;
  family: Family;
  /** Its name for people: `Words of the issue`. */
  title: string;
  /** A value as people read it: `cosine 0.61`. */
  format(value: number): string;
  /**
   * Returns what to tell of a chunk's value; called for results only, and only if the value is not 0. Null for signals that
   * say what a chunk is, not why it fits the issue.
   */
  explain: ((value: ExplainedValue) => Explanation) | null;
  /** A signal that says the same: where that one has a value, this one gives no reason. */
  impliedBy?: SignalName;
}

/** A value that the initial ranking is made of. */
export interface Signal extends ExplainedSignal {
  name: SignalName;
  /** Returns values parallel to `candidates.slots`; NaN where a chunk has none, which then weighs nothing. */
  measure(candidates: Candidates): Float64Array;
}

export interface ExplainedValue {
  slot: number;
  value: number;
  candidates: Candidates;
  /** The rank of a chunk in this ranking, from 1; infinite for one that is no candidate. */
  rankOf: (slot: number) => number;
}

interface Explanation {
  /** A clause; names and text of the issue between backquotes. */
  sentence: string;
  spans?: IssueSpan[];
  words?: WordScore[];
  fields?: FieldScore[];
}

/** Returns the signals of one family. Those without an explanation say what a chunk is, not why it fits the issue. */
export function withFamily(
  family: Family,
  signals: readonly (Omit<Signal, 'family' | 'explain'> & Partial<Pick<Signal, 'explain'>>)[],
): Signal[] {
  return signals.map((signal) => ({ explain: null, ...signal, family }));
}

/** Measures candidates that have a value by slot; 0 for all others. */
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
  // By index: `Float64Array.from` takes several times as long, and iterators leave as many objects. There are dozens of measures.
  const values = new Float64Array(slots.length);
  for (let i = 0; i < slots.length; i++) {
    const slot = present(slots[i], 'a candidate');
    values[i] = measure(index.chunk(slot), slot);
  }
  return values;
}

/** Returns a chunk's similarity as a signal's value: NaN where it has no embedding. */
export function similarityAt(slot: number, similarities: Float32Array | null | undefined): number {
  const similarity = similarities?.[slot] ?? ABSENT;
  return similarity === ABSENT ? Number.NaN : similarity;
}

/** Computes a value once for each search, also if its candidates are widened. */
export function oncePerSearch<Value>(
  compute: (candidates: Candidates) => Value,
): (candidates: Candidates) => Value {
  const computed = new WeakMap<Candidates['words'], { value: Value }>();
  return (candidates) => {
    // The words are read once for each search, and the same for all breadths.
    const cached = computed.get(candidates.words) ?? { value: compute(candidates) };
    computed.set(candidates.words, cached);
    return cached.value;
  };
}
