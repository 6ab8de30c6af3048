import type { WatchUpdate } from '../../shared/indexing.ts';
import type { LiveSnapshot } from '../snapshot/live-snapshot.ts';
import type { RepositoryIndex } from '../snapshot/repository-index.ts';
import type { ChangeBatch } from '../source/watch.ts';
import type { Indexer, UpdateOptions, UpdateResult } from './indexer.ts';

/** Milliseconds without an edit after which what is only for the next one leaves memory. */
const IDLE_MS = 10 * 60_000;
/** Milliseconds from when a search has an edit, after which it is told of though it is not complete. */
const TOLD_AFTER_MS = 100;

/** Keeps a snapshot that is up to date equal to files that change, as a watcher reports them, until a signal aborts. */
export class Following {
  readonly #snapshot: LiveSnapshot;
  readonly #indexer: Indexer;
  readonly #signal: AbortSignal;
  /** Ends what is only a preparation for edits: one has come. */
  #preparing = new AbortController();
  readonly #prepare: boolean;
  readonly #idleMs: number;
  #idle: NodeJS.Timeout | undefined;
  /** True if there may be changes that are not in the index, and that no batch will tell of again. */
  #missed = false;

  /**
   * @param options.prepare whether the first edit is to find the whole graph resolved, which takes memory and a processor
   * @param options.idleMs milliseconds without an edit after which the next one need not find it so, ten minutes by default
   */
  constructor(
    snapshot: LiveSnapshot,
    indexer: Indexer,
    signal: AbortSignal,
    { prepare = true, idleMs = IDLE_MS } = {},
  ) {
    this.#snapshot = snapshot;
    this.#indexer = indexer;
    this.#signal = signal;
    this.#prepare = prepare;
    this.#idleMs = idleMs;
    signal.addEventListener('abort', () => clearTimeout(this.#idle), { once: true });
  }

  /**
   * Loads a parser, so that the first edit does not wait for it; then, where it is to be prepared, all else that updates need.
   * @throws LocusError `cancelled` when the signal aborts, and as `Indexer.prepareUpdates`.
   */
  async prepareEdits(): Promise<void> {
    const signal = this.#signal;
    this.#indexer.warm(this.#snapshot.index);
    this.#restLater();
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
    } finally {
      this.#restLater();
    }
  }

  #restLater(): void {
    clearTimeout(this.#idle);
    if (this.#signal.aborted) return;
    const rest = () => (this.#snapshot.busy ? this.#restLater() : void this.#indexer.rest());
    this.#idle = setTimeout(rest, this.#idleMs).unref();
  }

  /**
   * Brings the files of a batch up to date, and all others if an earlier batch failed.
   * @param onSearchable told, where the rest takes long, that search has the text of the files, and, if they have few chunks, embeddings; their calls follow.
   * @throws LocusError `cancelled` when the signal aborts, and as `Indexer.update`.
   */
  async apply(
    batch: ChangeBatch,
    onSearchable: (update: WatchUpdate) => void = () => {},
  ): Promise<WatchUpdate> {
    const seen = performance.now();
    this.#preparing.abort();
    try {
      const update = await this.#snapshot.exclusively(this.#signal, (index) =>
        this.#bringIn(index, batch, seen, onSearchable),
      );
      this.#missed = false;
      return update;
    } catch (error) {
      this.#missed = true;
      throw error;
    } finally {
      this.#restLater();
    }
  }

  async #bringIn(
    index: RepositoryIndex,
    batch: ChangeBatch,
    seen: number,
    onSearchable: (update: WatchUpdate) => void,
  ): Promise<WatchUpdate> {
    let searchableMs = 0;
    let telling: NodeJS.Timeout | undefined;
    const soFar = () => ({ searchableMs, totalMs: performance.now() - seen });
    const tell = (update: UpdateResult) => {
      clearTimeout(telling);
      onSearchable({ ...update, ...soFar() });
    };
    const options: UpdateOptions = {
      signal: this.#signal,
      onSearchable: (files) => {
        searchableMs = performance.now() - seen;
        telling = setTimeout(() => tell({ ...files, chunksEncoded: 0 }), TOLD_AFTER_MS);
      },
      onWholeGraph: tell,
    };
    try {
      const { changed, removed, chunksEncoded } =
        batch.rescan || this.#missed
          ? await this.#indexer.run(index, { ...options, follow: true })
          : await this.#indexer.update(index, batch.paths, options);
      return { changed, removed, chunksEncoded, ...soFar() };
    } finally {
      clearTimeout(telling);
    }
  }
}
