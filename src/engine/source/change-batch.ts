export interface ChangeBatch {
  /** Paths of files that were written, created or removed, relative to the root. Git may ignore some of them. */
  paths: Set<string>;
  /** True if other files may have changed as well, so that the tree has to be listed again. */
  rescan: boolean;
}

/** Time without a change after which a batch is delivered, and the longest that its first change waits. */
const QUIET_MS = 30;
const MAX_DELAY_MS = 500;

/** Collects changes until they pause, so that one save or one branch switch becomes one update. */
export class ChangeBatcher {
  readonly #onBatch: (batch: ChangeBatch) => void;
  #batch: ChangeBatch = { paths: new Set(), rescan: false };
  #timer: NodeJS.Timeout | undefined;
  #firstAt = 0;

  constructor(onBatch: (batch: ChangeBatch) => void) {
    this.#onBatch = onBatch;
  }

  addFile(path: string): void {
    this.#batch.paths.add(path);
    this.#schedule();
  }

  requestRescan(): void {
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
      Math.min(QUIET_MS, Math.max(0, this.#firstAt + MAX_DELAY_MS - now)),
    );
  }
}
