import type { WatchUpdate } from '../../shared/indexing.ts';
import type { LiveSnapshot } from '../snapshot/live-snapshot.ts';
import type { RepositoryIndex } from '../snapshot/repository-index.ts';
import type { ChangeBatch } from '../source/watch.ts';
import type { Indexer } from './indexer.ts';

/** Keeps a snapshot equal to files that change, as a watcher reports them, until a signal aborts. */
export class Following {
  readonly #snapshot: LiveSnapshot;
  readonly #indexer: Indexer;
  readonly #signal: AbortSignal;
  /** Ends what is only a preparation for edits: one has come. */
  #preparing = new AbortController();
  readonly #prepare: boolean;
  /** There may be changes that are not in the index, and that no batch will tell of again. */
  #missed = true;

  /** @param prepare whether the first edit is to find the whole graph resolved, which takes memory and a processor. */
  constructor(snapshot: LiveSnapshot, indexer: Indexer, signal: AbortSignal, prepare = true) {
    this.#snapshot = snapshot;
    this.#indexer = indexer;
    this.#signal = signal;
    this.#prepare = prepare;
  }

  /**
   * Brings the index up to date, then, where it is to be prepared, loads what updates need, so that the first edit does not wait for it.
   * @throws LocusError `cancelled` when the signal aborts, and as `Indexer.run`.
   */
  async catchUp(): Promise<void> {
    const signal = this.#signal;
    await this.#snapshot.exclusively(signal, (index) =>
      this.#indexer.run(index, { signal, follow: true }),
    );
    this.#missed = false;
    if (!this.#prepare) return;
    const preparing = new AbortController();
    this.#preparing = preparing;
    const either = AbortSignal.any([signal, preparing.signal]);
    try {
      await this.#snapshot.exclusively(either, (index) =>
        this.#indexer.prepareUpdates(index, either),
      );
    } catch (error) {
      // The update that interrupted it does what is left, once its files are in search.
      if (!preparing.signal.aborted || signal.aborted) throw error;
    }
  }

  /**
   * Brings the files of a batch up to date, and all others where an earlier batch, or catching up, has failed.
   * @throws LocusError `cancelled` when the signal aborts, and as `Indexer.update`.
   */
  async apply(batch: ChangeBatch): Promise<WatchUpdate> {
    const seen = performance.now();
    this.#preparing.abort();
    try {
      const update = await this.#snapshot.exclusively(this.#signal, (index) =>
        this.#bringIn(index, batch, seen),
      );
      this.#missed = false;
      return update;
    } catch (error) {
      this.#missed = true;
      throw error;
    }
  }

  async #bringIn(index: RepositoryIndex, batch: ChangeBatch, seen: number): Promise<WatchUpdate> {
    let searchableMs = 0;
    const options = {
      signal: this.#signal,
      onSearchable: () => {
        searchableMs = performance.now() - seen;
      },
    };
    const { changed, removed, chunksEncoded } =
      batch.rescan || this.#missed
        ? await this.#indexer.run(index, { ...options, follow: true })
        : await this.#indexer.update(index, batch.paths, options);
    return { changed, removed, chunksEncoded, searchableMs, totalMs: performance.now() - seen };
  }
}
