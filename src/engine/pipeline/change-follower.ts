import { IdleTimer } from '../../base/idle-timer.ts';
import type { WatchUpdate } from '../../shared/indexing.ts';
import type { LiveSnapshot } from '../snapshot/live-snapshot.ts';
import type { RepositoryIndex } from '../snapshot/repository-index.ts';
import type { ChangeBatch } from '../source/watch.ts';
import type { Indexer, UpdateOptions, UpdateResult } from './indexer.ts';

/** Milliseconds without an edit after which the data that speeds up edits is freed. */
const IDLE_MS = 10 * 60_000;
/** Milliseconds after an edit becomes searchable until it is reported, even if the update is not complete. */
const NOTIFY_AFTER_MS = 100;

/** Applies the changes that a watcher reports to a current snapshot, until a signal aborts. */
export class ChangeFollower {
  readonly #snapshot: LiveSnapshot;
  readonly #indexer: Indexer;
  readonly #signal: AbortSignal;
  /** Cancels the preparation for edits when an edit arrives. */
  #preparing = new AbortController();
  readonly #prepare: boolean;
  readonly #idleTimer: IdleTimer;
  /** True if changes may be missing from the index that no later batch will contain. */
  #hasMissedChanges = false;

  /**
   * @param options.prepare true to resolve the whole graph before the first edit, which takes memory and a processor.
   * @param options.idleMs milliseconds without an edit after which that memory is freed; ten minutes by default.
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
    this.#idleTimer = new IdleTimer(idleMs, () =>
      this.#snapshot.isBusy ? this.#releaseMemoryLater() : this.#indexer.releaseMemory(),
    );
    signal.addEventListener('abort', () => this.#idleTimer.stop(), { once: true });
  }

  /**
   * Loads a parser, so that the first edit doesn't wait for it. With `prepare`, also resolves the whole graph.
   * @throws LocusError `cancelled` if the signal aborts; other errors as for `Indexer.prepareUpdates`.
   */
  async prepareEdits(): Promise<void> {
    const signal = this.#signal;
    this.#indexer.warm(this.#snapshot.index);
    this.#releaseMemoryLater();
    if (!this.#prepare) return;
    const preparing = new AbortController();
    this.#preparing = preparing;
    const either = AbortSignal.any([signal, preparing.signal]);
    try {
      await this.#snapshot.runExclusive(either, (index) =>
        this.#indexer.prepareUpdates(index, either),
      );
    } catch (error) {
      // The edit that interrupted the preparation resolves the graph, once its files are searchable.
      if (!preparing.signal.aborted || signal.aborted) throw error;
    } finally {
      this.#releaseMemoryLater();
    }
  }

  #releaseMemoryLater(): void {
    if (!this.#signal.aborted) this.#idleTimer.restart();
  }

  /**
   * Updates the files of a batch, or all files if an earlier batch failed.
   * @param onSearchable called, if the update takes long, when the text of the files is searchable, and their embeddings if they
   *   have few chunks. Their calls follow later.
   * @throws LocusError `cancelled` if the signal aborts; other errors as for `Indexer.update`.
   */
  async apply(
    batch: ChangeBatch,
    onSearchable: (update: WatchUpdate) => void = () => {},
  ): Promise<WatchUpdate> {
    const seen = performance.now();
    this.#preparing.abort();
    try {
      const update = await this.#snapshot.runExclusive(this.#signal, (index) =>
        this.#updateFiles(index, batch, seen, onSearchable),
      );
      this.#hasMissedChanges = false;
      return update;
    } catch (error) {
      this.#hasMissedChanges = true;
      throw error;
    } finally {
      this.#releaseMemoryLater();
    }
  }

  async #updateFiles(
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
        telling = setTimeout(() => tell({ ...files, chunksEncoded: 0 }), NOTIFY_AFTER_MS);
      },
      onWholeGraph: tell,
    };
    try {
      const { changed, removed, chunksEncoded } =
        batch.rescan || this.#hasMissedChanges
          ? await this.#indexer.run(index, { ...options, follow: true })
          : await this.#indexer.update(index, batch.paths, options);
      return { changed, removed, chunksEncoded, ...soFar() };
    } finally {
      clearTimeout(telling);
    }
  }
}
