import type { Encoder, HistoryFilter } from '../../src/engine/lab.ts';
import type { FixedIssue } from './fixed-issues.ts';

export interface MineOptions extends HistoryFilter {
  /** What the file calls the repository: `owner+name`. */
  name: string;
  /** Any name of the commit to begin at. */
  revision: string;
  /** Edited chunks of a commit at most. */
  maxChunks: number;
  /** Issues to mine the fixes of, and nothing else; the commits that `revision` can reach when null. */
  issues: readonly FixedIssue[] | null;
  /** Commits at most, taken evenly over the history; all when null. */
  limit: number | null;
  /** Keep a commit only if an edited chunk ranks among the first `topK`; null keeps all. */
  topK: number | null;
  /** Hard negatives for each commit. */
  negatives: number;
  /** Ranks for `topK` and `negatives`; not used without them. */
  encoder?: () => Promise<Encoder>;
  signal?: AbortSignal;
  onProgress?: (progress: MineProgress) => void;
}

export interface MineProgress {
  phase: 'history' | 'snapshot' | 'commits' | 'ranking' | 'writing';
  done: number;
  total: number;
}

/** Tells how far the work is, and measures how long its phases take. */
export class Clock {
  readonly #spent = { history: 0, snapshot: 0, commits: 0, ranking: 0, writing: 0 };
  readonly #start = performance.now();
  readonly #onProgress: (progress: MineProgress) => void;

  constructor(onProgress: (progress: MineProgress) => void) {
    this.#onProgress = onProgress;
  }

  async time<T>(phase: MineProgress['phase'], work: () => Promise<T>): Promise<T> {
    const start = performance.now();
    this.report(phase, 0, 0);
    try {
      return await work();
    } finally {
      this.#spent[phase] += (performance.now() - start) / 1000;
    }
  }

  report(phase: MineProgress['phase'], done: number, total: number): void {
    this.#onProgress({ phase, done, total });
  }

  seconds(): Record<MineProgress['phase'] | 'total', number> {
    return { ...this.#spent, total: (performance.now() - this.#start) / 1000 };
  }
}
