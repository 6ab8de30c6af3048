/** Gives work that a user waits for priority over background work, which pauses meanwhile. */
export class PriorityGate {
  #held = 0;
  readonly #resting = new Set<() => void>();

  /** Runs work that a user waits for. It must not wait for paused background work, such as indexing, since both would hang. */
  async run<T>(work: () => Promise<T>): Promise<T> {
    this.#held++;
    try {
      return await work();
    } finally {
      if (--this.#held === 0) for (const go of this.#resting) go();
    }
  }

  /** Resolves when no work with priority is running, or when the signal aborts. Background work awaits it between steps. */
  async waitUntilFree(signal?: AbortSignal): Promise<void> {
    while (this.#held > 0 && !signal?.aborted) {
      await new Promise<void>((resolve) => {
        const go = () => {
          this.#resting.delete(go);
          signal?.removeEventListener('abort', go);
          resolve();
        };
        this.#resting.add(go);
        signal?.addEventListener('abort', go);
      });
    }
  }
}

/** Priority of all searches in this thread. It is shared, since work on one repository would delay a search of another. */
export const SEARCH_PRIORITY = new PriorityGate();
