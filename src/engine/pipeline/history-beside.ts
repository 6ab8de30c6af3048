import { throwIfCancelled } from '../event-loop/pacer.ts';
import { GitFailure } from '../source/git.ts';
import {
  type HistoryStageParts,
  linkHistory,
  MAX_COMMITS,
  type PendingHistory,
  pendingHistory,
  readHistory,
} from './history-stage.ts';
import type { Meter } from './progress.ts';

/**
 * Reads the history of commits beside other stages, which need nothing of it: git works in a process of its own, while one
 * thread resolves calls or stores embeddings. The snapshot is linked with it, and progress told, when somebody waits for it.
 */
export class HistoryBeside {
  readonly #parts: HistoryStageParts;
  readonly #abort = new AbortController();
  readonly #pending: Promise<PendingHistory | null>;
  readonly #read: Promise<number[]>;
  /** Commits found that nobody was told of. */
  #found = 0;
  #advance = (by: number): void => {
    this.#found += by;
  };

  constructor(parts: HistoryStageParts) {
    this.#parts = parts;
    const signals = [this.#abort.signal, ...(parts.signal ? [parts.signal] : [])];
    const stoppable = { ...parts, signal: AbortSignal.any(signals) };
    this.#pending = pendingHistory(stoppable);
    this.#read = this.#pending.then((pending) =>
      readHistory(stoppable, pending?.hashes ?? [], (by) => this.#advance(by)),
    );
    this.#read.catch(() => {}); // Who waits for it is told.
  }

  /**
   * Waits until it is read, as a phase of its own, and links it. Ranking does without history where git cannot read it:
   * what is returned says why. Rejects with LocusError `cancelled`.
   */
  async finish(meter: Meter): Promise<string[]> {
    try {
      const pending = await this.#pending;
      if (!pending) return [];
      const total = Math.min(pending.hashes.length, MAX_COMMITS);
      await meter('history', total, async (advance) => {
        advance(this.#found);
        this.#advance = advance;
        const commitIds = await this.#read;
        throwIfCancelled(this.#parts.signal);
        linkHistory(this.#parts, pending.state, commitIds);
      });
      return [];
    } catch (error) {
      if (!(error instanceof GitFailure)) throw error;
      return [`Ranking does without the repository's history. ${error.message}`];
    }
  }

  /** Ends it, where it is not done; nothing is written after that. */
  async stop(): Promise<void> {
    this.#abort.abort();
    await this.#read.catch(() => {});
  }
}
