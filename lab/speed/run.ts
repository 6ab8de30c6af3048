/** Contracts of the bench's runs. */
import type { Values } from './figures.ts';
import type { Measured } from './folders.ts';

/** A version of Locus. */
export interface Subject {
  name: string;
  /** Program and arguments that start `locus`. */
  command: readonly string[];
  /** The same for its checkout, or null for a package without one. */
  checkout: readonly string[] | null;
  /** True if `locus search` can ask a resident engine, which `--no-daemon` forbids. */
  hasResident: boolean;
}

export interface Bench {
  scratch: string;
  small: Measured;
  large: Measured;
  ripgrep: string;
  ctags: string;
}

/** Reason why something was not measured. */
export interface Missing {
  missing: string;
}

export interface Run {
  id: string;
  /** Number of rounds that it takes part in; all by default. */
  rounds?: number;
  /** Run that makes the index that this one finds. */
  needs?: string;
}

/** Run of Locus itself: versions that are compared take turns. */
export interface LocusRun extends Run {
  measure(bench: Bench, subject: Subject): Promise<Values | Missing>;
}

/** Run of anything else, once a round. */
export interface PeerRun extends Run {
  measure(bench: Bench): Promise<Values | Missing>;
}
