import type ranker1 from '../../../../models/ranker-1/ranker.json';
import type refined from '../../../../models/ranker-1/refined.json';
import type { Family, FieldScore, IssueSpan, WordScore } from '../../../shared/evidence.ts';
import type { Candidates } from '../candidates.ts';

/** The ranker's weights name the signals: one without a weight does not compile. */
type SignalName = keyof typeof ranker1.weights;

/** What a person is told of a column of the ranking. */
export interface Evident {
  /** The key of its weight and of its evidence. */
  name: keyof typeof refined.weights;
  family: Family;
  /** Its name for people: `Words of the issue`. */
  title: string;
  /** A value as people read it: `cosine 0.61`. */
  format(value: number): string;
  /**
   * What to tell of a chunk's value; asked for results only, and only where the value is not 0. Null for signals that say
   * what a chunk is, not why it fits the issue.
   */
  explain: ((found: Found) => Explanation) | null;
  /** A signal that says the same: where that one has a value, this one gives no reason. */
  impliedBy?: SignalName;
}

/** One column of the ranking. */
export interface Signal extends Evident {
  name: SignalName;
  /** Values parallel to `candidates.slots`; NaN where a chunk has none, which then weighs nothing. */
  measure(candidates: Candidates): Float64Array;
}

/** A result's value of a signal. */
interface Found {
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
