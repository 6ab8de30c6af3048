import type { Encoder, FixedIssue, HistoryFilter } from '../../src/engine/lab.ts';

export interface MineOptions extends HistoryFilter {
  /** Name of the repository in the file, `owner+name`. */
  name: string;
  /** Revision to start at. */
  revision: string;
  /** Maximum number of edited chunks of a commit. */
  maxChunks: number;
  /** Issues whose fixes are mined. If null, all commits that `revision` can reach. */
  issues: readonly FixedIssue[] | null;
  /** Maximum number of commits, spread evenly over the history. If null, all. */
  limit: number | null;
  /** Accepts a commit only if an edited chunk ranks among the first `topK`. If null, accepts all. */
  topK: number | null;
  /** Number of hard negatives for each commit. */
  negatives: number;
  /** Opens the encoder that ranks for `topK` and `negatives`. Unused without them. */
  encoder?: () => Promise<Encoder>;
  signal?: AbortSignal;
  onProgress?: (progress: MineProgress) => void;
}

export interface MineProgress {
  phase: 'history' | 'snapshot' | 'commits' | 'ranking' | 'writing';
  done: number;
  total: number;
}

/** Reports progress, and measures how long the phases take. */
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
