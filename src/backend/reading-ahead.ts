import type { IndexProgress } from '../shared/indexing.ts';
import type { Repository } from '../shared/repository.ts';

/** Milliseconds after the last search, edit or setting; and after which it is asked again whether it may be. */
const REST_MS = 30_000;
const ASK_AGAIN_MS = 300_000;

export interface ReadingAheadParts {
  repository: () => Promise<Repository>;
  /** Whether the user wants it, and the machine has the power for it. */
  isAllowed: () => Promise<boolean>;
  /** Told how far it is; null at its end. */
  onProgress: (progress: IndexProgress | null) => void;
  restMs?: number;
  askAgainMs?: number;
}

/**
 * Has all functions of a repository read in advance, by the models of the second step, while nobody needs the machine: from some
 * time after the last search or edit on, where it is allowed. What a search needs goes first, see `Repository.readAll`.
 */
export class ReadingAhead {
  readonly #parts: ReadingAheadParts;
  /** Whether something is there that was not read. */
  #isDue = false;
  #timer: NodeJS.Timeout | undefined;
  #stop: AbortController | null = null;
  #work: Promise<void> = Promise.resolve();

  constructor(parts: ReadingAheadParts) {
    this.#parts = parts;
  }

  /** There is something else to read now: it begins some time from now. */
  wake(): void {
    this.#isDue = true;
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

  async #read(signal: AbortSignal): Promise<void> {
    const { repository, isAllowed, onProgress, askAgainMs = ASK_AGAIN_MS } = this.#parts;
    try {
      if (!(await isAllowed())) {
        this.#isDue = true;
        if (!signal.aborted) this.later(askAgainMs);
        return;
      }
      const opened = await repository();
      if (!signal.aborted) await opened.readAll({ signal, onProgress });
    } catch {
      // Without it searches read what they need: whatever is in the way is told by what people ask for themselves.
    } finally {
      onProgress(null);
    }
  }
}
