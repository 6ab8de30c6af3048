import { throwIfCancelled } from '../../base/cancel.ts';
import { GitFailure } from '../../base/git/git.ts';
import type { PhaseRunner } from '../../base/progress.ts';
import {
  findPendingHistory,
  type HistoryStageContext,
  linkHistory,
  MAX_COMMITS,
  type PendingHistory,
  readHistory,
} from './history-stage.ts';

/**
 * Reads the history of commits in the background of other stages, which don't need it. Git runs in a process of its own, while
 * this thread resolves calls or stores embeddings. `finish` then reports progress and links the snapshot to the commits.
 */
export class BackgroundHistory {
  readonly #context: HistoryStageContext;
  readonly #abort = new AbortController();
  #reading: HistoryReading | null = null;
  /** Number of commits found that have not been reported. */
  #unreported = 0;
  #advance = (by: number): void => {
    this.#unreported += by;
  };

  constructor(parts: HistoryStageContext) {
    this.#context = parts;
  }

  start(): HistoryReading {
    this.#reading ??= this.#read();
    return this.#reading;
  }

  /**
   * Waits for the history, as a phase of its own, and links it. If git cannot read the history, ranking does not use it, and the
   * returned notes say why.
   * @throws LocusError `cancelled`
   */
  async finish(meter: PhaseRunner): Promise<string[]> {
    const { pending, commitIds } = this.start();
    try {
      const found = await pending;
      if (!found) return [];
      const total = Math.min(found.hashes.length, MAX_COMMITS);
      await meter('history', total, async (advance) => {
        advance(this.#unreported);
        this.#advance = advance;
        const ids = await commitIds;
        throwIfCancelled(this.#context.signal, 'Indexing');
        linkHistory(this.#context, found.state, ids);
      });
      return [];
    } catch (error) {
      if (!(error instanceof GitFailure)) throw error;
      return [`Ranking does not use the repository's history. ${error.message}`];
    }
  }

  /** Cancels reading. Nothing is written after that. */
  async stop(): Promise<void> {
    this.#abort.abort();
    // `finish` reports the error.
    await this.#reading?.commitIds.catch(() => {});
  }

  #read(): HistoryReading {
    const { signal } = this.#context;
    const signals = [this.#abort.signal, ...(signal ? [signal] : [])];
    const stoppable = { ...this.#context, signal: AbortSignal.any(signals) };
    const pending = findPendingHistory(stoppable);
    const commitIds = pending.then((found) =>
      readHistory(stoppable, found?.hashes ?? [], (by) => this.#advance(by)),
    );
    commitIds.catch(() => {}); // `finish` reports it.
    return { pending, commitIds };
  }
}

interface HistoryReading {
  /** History to read; null if none exists. */
  pending: Promise<PendingHistory | null>;
  commitIds: Promise<number[]>;
}
