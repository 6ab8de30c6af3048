import type { Store } from '../store/store.ts';
import { RepositoryIndex } from './repository-index.ts';

/** The embeddings that an index in memory holds. */
export interface IndexModel {
  /** As the store names it: id and version. */
  key: string;
  dimensions: number;
}

/**
 * A snapshot in memory that other processes may write too. Work that writes is done one at a time in this process and
 * one process at a time, on what is in the store then; searches meanwhile read what is in memory.
 */
export class LiveSnapshot {
  readonly #store: Store;
  readonly #revision: string | null;
  readonly #model: IndexModel;
  #index: RepositoryIndex;
  #queue: Promise<unknown> = Promise.resolve();
  #running = 0;

  /** Reads the snapshot of this revision, null for the working tree; a new one is empty. */
  constructor(store: Store, revision: string | null, model: IndexModel) {
    this.#store = store;
    this.#revision = revision;
    this.#model = model;
    this.#index = this.#load();
  }

  /** The snapshot in memory. Work that writes replaces it where another process wrote. */
  get index(): RepositoryIndex {
    return this.#index;
  }

  /** Whether work that writes is under way. */
  get busy(): boolean {
    return this.#running > 0;
  }

  /** Runs work that writes, when its turn comes. @throws LocusError `busy` or `cancelled`, see `WriterLock.hold`. */
  exclusively<T>(
    signal: AbortSignal | undefined,
    work: (index: RepositoryIndex) => Promise<T>,
  ): Promise<T> {
    const result = this.#queue.then(() =>
      this.#store.lock.hold(() => this.#run(work), undefined, signal),
    );
    this.#queue = result.catch(() => {});
    return result;
  }

  /** Resolves when all work that was asked for so far has ended, however it ended. */
  async idle(): Promise<void> {
    await this.#queue;
  }

  async #run<T>(work: (index: RepositoryIndex) => Promise<T>): Promise<T> {
    if (this.#store.changedElsewhere()) this.#index = this.#load();
    this.#running++;
    try {
      return await work(this.#index);
    } finally {
      this.#running--;
    }
  }

  #load(): RepositoryIndex {
    const store = this.#store;
    const { key, dimensions } = this.#model;
    const id = store.snapshots.open(this.#revision);
    const { index, graphDirty } = store.read(() => ({
      index: RepositoryIndex.load(store, id, key, dimensions),
      graphDirty: store.snapshots.state(id).graphDirty,
    }));
    // While a graph is dirty its edges may lead anywhere; else both ends of each are chunks of the snapshot.
    if (index.strayEdges > 0 && !graphDirty) this.#distrustGraph(index);
    return index;
  }

  #distrustGraph({ snapshotId, strayEdges }: RepositoryIndex): void {
    this.#store.transaction(() => this.#store.snapshots.markDirty(snapshotId));
    const edges = strayEdges === 1 ? '1 edge leads' : `${strayEdges} edges lead`;
    this.#store.notes.push(
      `the call graph in the index did not fit its files: ${edges} from or to what is not there; it is resolved anew`,
    );
  }
}
