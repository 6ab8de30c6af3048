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
  takesLong,
} from './history-stage.ts';

/**
 * Reads the history of commits while other stages run, since none of them uses it. Git runs in its own process, while this thread
 * resolves calls or stores embeddings. At the end, `finish` reports progress and links the snapshot to the commits.
 */
export class BackgroundHistory {
  readonly #context: BackgroundHistoryContext;
  /** True if the snapshot stays without its newest history after this run. */
  #isLeftOut = false;
  readonly #abort = new AbortController();
  #reading: HistoryReading | null = null;
  /** Number of commits that were found before `finish`, which reports them as progress. */
  #unreported = 0;
  #onCommits = (by: number): void => {
    this.#unreported += by;
  };

  constructor(context: BackgroundHistoryContext) {
    this.#context = context;
    // Otherwise, git tells whether there are new commits.
    const { store, index } = context;
    index.isHistoryPending = store.history.getLinkedState(index.snapshotId) === null;
  }

  /** Starts reading unless it has started. */
  start(): HistoryReading {
    this.#reading ??= this.#read();
    return this.#reading;
  }

  /**
   * Waits until the history is read, as a separate phase, and links it. If git cannot read the history, ranking does not use it,
   * and the returned notes say why.
   * @throws LocusError `cancelled`
   */
  async finish(runPhase: PhaseRunner): Promise<string[]> {
    const { pendingHistory, commitIds } = this.start();
    try {
      const history = await pendingHistory;
      if (!history) return [];
      const total = Math.min(history.hashes.length, MAX_COMMITS);
      await runPhase('history', total, async (advance) => {
        advance(this.#unreported);
        this.#onCommits = advance;
        const ids = await commitIds;
        throwIfCancelled(this.#context.signal, 'Indexing');
        linkHistory(this.#context, history.state, ids);
      });
      return [];
    } catch (error) {
      if (!(error instanceof GitFailure)) throw error;
      return [`Ranking does not use the repository's history. ${error.message}`];
    } finally {
      this.#context.index.isHistoryPending = this.#isLeftOut;
    }
  }

  /** Cancels reading. Once the promise resolves, nothing more is written. */
  async stop(): Promise<void> {
    this.#abort.abort();
    // `finish` reports errors.
    await this.#reading?.commitIds.catch(() => {});
    this.#context.index.isHistoryPending = this.#isLeftOut;
  }

  #read(): HistoryReading {
    const { signal } = this.#context;
    const signals = [this.#abort.signal, ...(signal ? [signal] : [])];
    const context = { ...this.#context, signal: AbortSignal.any(signals) };
    const pendingHistory = findPendingHistory(context).then((history) => {
      context.index.isHistoryPending = history !== null;
      this.#isLeftOut = history !== null && !context.isWanted && takesLong(context, history);
      return this.#isLeftOut ? null : history;
    });
    const commitIds = pendingHistory.then((history) =>
      history ? readHistory(context, history.hashes, (count) => this.#onCommits(count)) : [],
    );
    // Until `finish` awaits it and reports errors, a rejection would count as unhandled.
    commitIds.catch(() => {});
    return { pendingHistory, commitIds };
  }
}

interface BackgroundHistoryContext extends HistoryStageContext {
  /** False leaves out a history that takes long to read. */
  isWanted: boolean;
}

interface HistoryReading {
  /** History to read; null if none exists, or if it is already linked or left out. */
  pendingHistory: Promise<PendingHistory | null>;
  /** Ids in the store of the commits to link, newest first. */
  commitIds: Promise<number[]>;
}
