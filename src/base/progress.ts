import type { IndexPhase, IndexProgress } from '../shared/indexing.ts';

const REPORT_EVERY_MS = 100;
/** Seconds after which the time left is estimated. */
const MIN_ESTIMATE_SECONDS = 3;

/** Measures one phase of an indexing run and reports it, at most ten times a second and once at its end. */
export class PhaseMeter {
  readonly #phase: IndexPhase;
  readonly #report: (progress: IndexProgress) => void;
  readonly #start = performance.now();
  #total: number;
  #done = 0;
  #reported = 0;

  constructor(phase: IndexPhase, total: number, report: (progress: IndexProgress) => void) {
    this.#phase = phase;
    this.#total = total;
    this.#report = report;
    this.#emit();
  }

  advance(by = 1): void {
    this.#done += by;
    if (performance.now() - this.#reported >= REPORT_EVERY_MS) this.#emit();
  }

  /** Reports the end of the phase. Returns its duration in seconds. */
  finish(): number {
    this.#total = this.#done;
    this.#emit();
    return (performance.now() - this.#start) / 1000;
  }

  #emit(): void {
    this.#reported = performance.now();
    const seconds = (this.#reported - this.#start) / 1000;
    const rate = seconds > 0 ? this.#done / seconds : 0;
    const left = this.#total - this.#done;
    this.#report({
      phase: this.#phase,
      done: this.#done,
      total: this.#total,
      rate,
      // The beginning of a phase is too short for an estimate.
      secondsLeft: seconds > MIN_ESTIMATE_SECONDS && rate > 0 ? left / rate : null,
    });
  }
}

/** Function that runs a phase of indexing and reports its progress. The phase calls `advance`. */
export type PhaseRunner = <T>(
  phase: IndexPhase,
  total: number,
  work: (advance: (by?: number) => void) => Promise<T>,
) => Promise<T>;
