/** What a person waits for goes first: work that nobody waits for rests meanwhile. */
export class RightOfWay {
  #held = 0;
  readonly #resting = new Set<() => void>();

  /** Runs what a person waits for. It must not wait for work that rests meanwhile, such as indexing: neither would ever end. */
  async hold<T>(work: () => Promise<T>): Promise<T> {
    this.#held++;
    try {
      return await work();
    } finally {
      if (--this.#held === 0) for (const go of this.#resting) go();
    }
  }

  /** Resolves when nobody holds it, or the signal aborts. */
  async free(signal?: AbortSignal): Promise<void> {
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

/** That of all searches in this thread: the work of one repository would keep a search of another waiting. */
export const SEARCHES = new RightOfWay();
