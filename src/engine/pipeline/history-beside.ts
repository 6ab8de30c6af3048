import { throwIfCancelled } from '../../base/cancel.ts';
import { GitFailure } from '../../base/git/git.ts';
import type { Meter } from '../../base/progress.ts';
import {
  type HistoryStageParts,
  linkHistory,
  MAX_COMMITS,
  type PendingHistory,
  pendingHistory,
  readHistory,
} from './history-stage.ts';

/**
 * Reads the history of commits beside other stages, which need nothing of it: git works in a process of its own, while one
 * thread resolves calls or stores embeddings. The snapshot is linked with it, and progress told, when somebody waits for it.
 */
export class HistoryBeside {
  readonly #parts: HistoryStageParts;
  readonly #abort = new AbortController();
  #reading: Reading | null = null;
  /** Commits found that nobody was told of. */
  #found = 0;
  #advance = (by: number): void => {
    this.#found += by;
  };

  constructor(parts: HistoryStageParts) {
    this.#parts = parts;
  }

  begin(): Reading {
    this.#reading ??= this.#read();
    return this.#reading;
  }

  /**
   * Waits until it is read, as a phase of its own, and links it. Ranking does without history where git cannot read it:
   * what is returned says why. Rejects with LocusError `cancelled`.
   */
  async finish(meter: Meter): Promise<string[]> {
    const { pending, commitIds } = this.begin();
    try {
      const found = await pending;
      if (!found) return [];
      const total = Math.min(found.hashes.length, MAX_COMMITS);
      await meter('history', total, async (advance) => {
        advance(this.#found);
        this.#advance = advance;
        const ids = await commitIds;
        throwIfCancelled(this.#parts.signal, 'Indexing');
        linkHistory(this.#parts, found.state, ids);
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
    // Whoever waits for the history is told.
    await this.#reading?.commitIds.catch(() => {});
  }

  #read(): Reading {
    const { signal } = this.#parts;
    const signals = [this.#abort.signal, ...(signal ? [signal] : [])];
    const stoppable = { ...this.#parts, signal: AbortSignal.any(signals) };
    const pending = pendingHistory(stoppable);
    const commitIds = pending.then((found) =>
      readHistory(stoppable, found?.hashes ?? [], (by) => this.#advance(by)),
    );
    commitIds.catch(() => {}); // Who waits for it is told.
    return { pending, commitIds };
  }
}

interface Reading {
  /** What there is to read; null for nothing. */
  pending: Promise<PendingHistory | null>;
  commitIds: Promise<number[]>;
}
