import { doublingDelays, RetryTimer } from '../../base/retry.ts';
import type { WatchUpdate } from '../../shared/indexing.ts';
import type { ChangeBatch } from '../source/watch.ts';
import type { ChangeFollower } from './change-follower.ts';

/** Initial and maximum delay before a failed update is retried, in milliseconds. */
const RETRY_MS = 2_000;
const MAX_RETRY_MS = 15_000;

export interface RetryingFollowerOptions {
  signal: AbortSignal;
  onSearchable?: ((update: WatchUpdate) => void) | undefined;
  onUpdate: (update: WatchUpdate) => void;
  /** Called with the reason why changes are not in the index, and with null once they are. */
  onFailure: (failure: Error | null) => void;
  /** Milliseconds until the first retry; 2000 by default. */
  retryMs?: number;
}

type Updates = Pick<ChangeFollower, 'apply' | 'prepareEdits'>;

/**
 * Applies batches of changes, and retries failed ones, since the watcher doesn't report those changes again. Batches that arrive
 * before `start` are merged and wait for it.
 */
export class RetryingFollower {
  readonly #follower: Updates;
  readonly #options: RetryingFollowerOptions;
  readonly #retry: RetryTimer;
  #failure: Error | null = null;
  #hasStarted = false;
  #waiting: ChangeBatch | null = null;

  constructor(following: Updates, options: RetryingFollowerOptions) {
    this.#follower = following;
    this.#options = options;
    this.#retry = new RetryTimer(doublingDelays(options.retryMs ?? RETRY_MS, MAX_RETRY_MS));
    options.signal.addEventListener('abort', () => this.#retry.stop(), { once: true });
  }

  /** Applies the waiting batch, then prepares for edits. Call once all files are indexed. Never rejects. */
  async start(): Promise<void> {
    this.#hasStarted = true;
    const waiting = this.#waiting;
    this.#waiting = null;
    if (waiting) await this.apply(waiting);
    await this.#attempt(() => this.#follower.prepareEdits());
  }

  /** Updates the files of a batch. Never rejects. */
  async apply(batch: ChangeBatch): Promise<void> {
    if (!this.#hasStarted) {
      this.#waiting = this.#waiting ? mergeBatches(this.#waiting, batch) : batch;
      return;
    }
    await this.#attempt(async () => {
      const update = await this.#follower.apply(batch, this.#options.onSearchable);
      this.#options.onUpdate(update);
    });
  }

  async #attempt(work: () => Promise<void>): Promise<void> {
    const { signal, onFailure } = this.#options;
    try {
      await work();
      if (signal.aborted || this.#failure === null) return;
      this.#retry.stop();
      this.#retry.reset();
      this.#failure = null;
      onFailure(null);
    } catch (error) {
      if (signal.aborted) return;
      const failure = error as Error;
      if (failure.message !== this.#failure?.message) onFailure(failure);
      this.#failure = failure;
      this.#retry.schedule(() => void this.apply({ paths: new Set(), rescan: true }));
    }
  }
}

function mergeBatches(first: ChangeBatch, second: ChangeBatch): ChangeBatch {
  return {
    paths: new Set([...first.paths, ...second.paths]),
    rescan: first.rescan || second.rescan,
  };
}
