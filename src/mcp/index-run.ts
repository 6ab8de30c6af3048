import { LocusError } from '../shared/errors.ts';
import type { IndexProgress, IndexReport } from '../shared/indexing.ts';
import type { Repository } from '../shared/repository.ts';

/** One run that brings an index up to date, for all who asked before it looked at the first file. */
export class IndexRun {
  /** Of the run as such; rejects as `Repository.index`. */
  readonly ended: Promise<IndexReport>;
  /** Whether it has begun to look at files: an edit from now on may not be in it. */
  started = false;
  readonly #ending = new AbortController();
  #wanted = 0;

  constructor(repository: Repository, onProgress: (progress: IndexProgress) => void) {
    this.ended = repository.index({
      signal: this.#ending.signal,
      onProgress: (progress) => {
        this.started = true;
        onProgress(progress);
      },
    });
    this.ended.catch(() => {}); // Who joins is told; who gave up waiting need not listen.
  }

  /** Ends it, whoever wants it. */
  end(): void {
    this.#ending.abort();
  }

  /**
   * Resolves when the run has ended. Once all who joined have cancelled, it is ended.
   * @throws LocusError `cancelled` when the signal aborts, and as `Repository.index`.
   */
  join(signal: AbortSignal): Promise<IndexReport> {
    this.#wanted++;
    return new Promise((resolve, reject) => {
      const leave = () => {
        if (--this.#wanted === 0) this.end();
        reject(new LocusError('cancelled', 'the call was cancelled', 'call again to go on'));
      };
      if (signal.aborted) return leave();
      signal.addEventListener('abort', leave, { once: true });
      this.ended.then(resolve, reject).finally(() => signal.removeEventListener('abort', leave));
    });
  }
}
