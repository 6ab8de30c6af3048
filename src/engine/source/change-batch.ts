export interface ChangeBatch {
  /** Files that were written, created or removed, relative to the root; some may be ignored by git. */
  paths: Set<string>;
  /** More than those may have changed: list the tree again and compare. */
  rescan: boolean;
}

/** Milliseconds without a change before a batch is handed on, and the longest that its first change waits. */
const QUIET = 30;
const LONGEST = 500;

/** Collects changes until they pause, so that one save or one branch switch becomes one update. */
export class ChangeBatcher {
  readonly #onBatch: (batch: ChangeBatch) => void;
  #batch: ChangeBatch = { paths: new Set(), rescan: false };
  #timer: NodeJS.Timeout | undefined;
  #firstAt = 0;

  constructor(onBatch: (batch: ChangeBatch) => void) {
    this.#onBatch = onBatch;
  }

  file(path: string): void {
    this.#batch.paths.add(path);
    this.#schedule();
  }

  rescan(): void {
    this.#batch.rescan = true;
    this.#schedule();
  }

  clear(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#batch = { paths: new Set(), rescan: false };
  }

  #schedule(): void {
    const now = performance.now();
    if (!this.#timer) this.#firstAt = now;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(
      () => {
        const batch = this.#batch;
        this.clear();
        this.#onBatch(batch);
      },
      Math.min(QUIET, Math.max(0, this.#firstAt + LONGEST - now)),
    );
  }
}
