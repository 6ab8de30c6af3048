import type { IndexProgress } from '../../shared/indexing.ts';
import type { Repository } from '../../shared/repository.ts';

/** Milliseconds after the last search, edit or setting; and after which it is tried again where it could not be. */
const REST_MS = 30_000;
const TRY_AGAIN_MS = 300_000;

export interface ReadingAheadParts {
  repository: () => Promise<Repository>;
  /** Whether the user wants it; where that changes, `wake` or `stop` is called. */
  isWanted: () => boolean;
  /** Whether nothing is in its way now: that the machine runs on its battery, or reads another repository. */
  isFree: () => Promise<boolean>;
  /** Told how far it is, and null at its end. */
  onProgress: (progress: IndexProgress | null) => void;
  restMs?: number | undefined;
  tryAgainMs?: number;
}

/**
 * Has all functions of a repository read in advance, by the models of the second step, while nobody needs the machine: from some
 * time after the last search or edit on, where it is allowed. What a search needs goes first, see `Repository.readAll`.
 */
export class ReadingAhead {
  readonly #parts: ReadingAheadParts;
  /** Whether something is there that was not read, and that is to be. */
  #isDue = false;
  #timer: NodeJS.Timeout | undefined;
  #stop: AbortController | null = null;
  #work: Promise<void> = Promise.resolve();

  constructor(parts: ReadingAheadParts) {
    this.#parts = parts;
  }

  /** There may be something else to read now: it begins some time from now. */
  wake(): void {
    this.#isDue = this.#parts.isWanted();
    this.later();
  }

  /** The machine is needed: what is to begin begins some time from now. What is under way goes on. */
  later(ms = this.#parts.restMs ?? REST_MS): void {
    clearTimeout(this.#timer);
    if (this.#isDue) this.#timer = setTimeout(() => this.#begin(), ms).unref();
  }

  /** Ends what is under way, and what was to begin, until `wake`. Resolves when it has. */
  async stop(): Promise<void> {
    this.#isDue = false;
    clearTimeout(this.#timer);
    this.#stop?.abort();
    await this.#work;
  }

  #begin(): void {
    if (this.#stop) {
      this.later();
      return;
    }
    const stop = new AbortController();
    this.#stop = stop;
    this.#isDue = false;
    this.#work = this.#read(stop.signal).finally(() => {
      this.#stop = null;
    });
  }

  /** What fails is tried again later: without it searches read what they need, and say what keeps them from it. */
  async #read(signal: AbortSignal): Promise<void> {
    const { isFree, tryAgainMs = TRY_AGAIN_MS } = this.#parts;
    const isDone = (await isFree()) && (await this.#readWith(signal).catch(() => false));
    if (isDone || signal.aborted) return;
    this.#isDue = true;
    this.later(tryAgainMs);
  }

  async #readWith(signal: AbortSignal): Promise<boolean> {
    const { repository, onProgress } = this.#parts;
    const opened = await repository();
    if (signal.aborted) return false;
    try {
      await opened.readAll({ signal, onProgress });
    } finally {
      onProgress(null);
    }
    return true;
  }
}
