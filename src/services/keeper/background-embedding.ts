import type { IndexProgress } from '../../shared/indexing.ts';
import type { Repository } from '../../shared/repository.ts';

/** Milliseconds of rest after the last search, edit or settings change, and until a retry. */
const REST_MS = 30_000;
const TRY_AGAIN_MS = 300_000;
/** Milliseconds of waiting after which no progress is shown. */
const HIDE_MS = 200;

export interface BackgroundEmbeddingOptions {
  repository: () => Promise<Repository>;
  /** Returns true if the user wants it. When that changes, `wake` or `stop` is called. */
  isWanted: () => boolean;
  /** Returns true if nothing prevents it now, such as battery power or background embedding in another repository. */
  isFree: () => Promise<boolean>;
  /** Resolves when no other program needs the machine. Awaited before each batch. */
  waitUntilIdle?: ((signal: AbortSignal | undefined) => Promise<void>) | undefined;
  /** Called with the progress, and with null at the end. */
  onProgress: (progress: IndexProgress | null) => void;
  restMs?: number | undefined;
  tryAgainMs?: number;
}

/**
 * Embeds all functions of a repository in advance with the reranker models, while the machine is idle: it starts some time after the
 * last search or edit, if the user allows it. A search always takes precedence. See `Repository.embedForReranking`.
 */
export class BackgroundEmbedding {
  readonly #options: BackgroundEmbeddingOptions;
  /** True if functions may be left to embed. */
  #isDue = false;
  #timer: NodeJS.Timeout | undefined;
  #stop: AbortController | null = null;
  #work: Promise<void> = Promise.resolve();

  constructor(options: BackgroundEmbeddingOptions) {
    this.#options = options;
  }

  /** Schedules a run because there may be something new to embed. */
  wake(): void {
    this.#isDue = this.#options.isWanted();
    this.postpone();
  }

  /** Postpones a scheduled run because the machine is needed. A run in progress continues. */
  postpone(ms = this.#options.restMs ?? REST_MS): void {
    clearTimeout(this.#timer);
    if (this.#isDue) this.#timer = setTimeout(() => this.#start(), ms).unref();
  }

  /** Cancels the current and the scheduled run, until `wake`. Resolves when the run has ended. */
  async stop(): Promise<void> {
    this.#isDue = false;
    clearTimeout(this.#timer);
    this.#stop?.abort();
    await this.#work;
  }

  #start(): void {
    if (this.#stop) {
      this.postpone();
      return;
    }
    const stop = new AbortController();
    this.#stop = stop;
    this.#isDue = false;
    this.#work = this.#run(stop.signal).finally(() => {
      this.#stop = null;
    });
  }

  /** Runs once. A failure is retried later: searches embed what they need, and report problems themselves. */
  async #run(signal: AbortSignal): Promise<void> {
    const { isFree, tryAgainMs = TRY_AGAIN_MS } = this.#options;
    const isDone = (await isFree()) && (await this.#embedAll(signal).catch(() => false));
    if (isDone || signal.aborted) return;
    this.#isDue = true;
    this.postpone(tryAgainMs);
  }

  async #embedAll(signal: AbortSignal): Promise<boolean> {
    const { repository, onProgress, waitUntilIdle } = this.#options;
    const opened = await repository();
    if (signal.aborted) return false;
    try {
      await opened.embedForReranking({
        signal,
        onProgress,
        waitUntilIdle: async () => {
          // Hides the progress while other programs need the machine.
          const timer = setTimeout(() => onProgress(null), HIDE_MS);
          try {
            await waitUntilIdle?.(signal);
          } finally {
            clearTimeout(timer);
          }
        },
      });
    } finally {
      onProgress(null);
    }
    return true;
  }
}
