import { SerialQueue } from '../../base/serial-queue.ts';
import { LocusError } from '../../shared/errors.ts';
import { IdTable } from '../columns/id-table.ts';
import type { ReadAhead } from '../columns/section-file.ts';
import type { RowsAhead } from '../store/embedding-places.ts';
import type { EmbeddingModel } from '../store/row-format.ts';
import type { Store } from '../store/store.ts';
import { RepositoryIndex } from './repository-index.ts';
import { removeFilesBut, SnapshotFiles } from './snapshot-file.ts';

/** What other threads read of a snapshot, or are reading, before the store was opened. */
export interface SnapshotAhead {
  columns: ReadAhead | null;
  rows: RowsAhead | null;
}

export const NOTHING_AHEAD: SnapshotAhead = { columns: null, rows: null };

/**
 * A snapshot in memory that other processes may write too. Work that writes is done one at a time in this process and
 * one process at a time, on what is in the store then; searches meanwhile read what is in memory.
 */
export class LiveSnapshot {
  readonly #store: Store;
  readonly #revision: string | null;
  readonly #model: EmbeddingModel;
  #index: RepositoryIndex;
  readonly #queue = new SerialQueue();
  #running = 0;
  /** What is in memory may be more, or less, than what is stored: it is read again before anything is written. */
  #stale = false;
  /** Of what the newest file is, as far as is known; null: of none. */
  #saved: string | null = null;

  /**
   * Reads the snapshot of this revision, null for the working tree; a new one is empty.
   * @param ahead what was read of it already
   */
  constructor(
    store: Store,
    revision: string | null,
    model: EmbeddingModel,
    ahead: SnapshotAhead = NOTHING_AHEAD,
  ) {
    this.#store = store;
    this.#revision = revision;
    this.#model = model;
    this.#index = this.#load(ahead);
  }

  /**
   * Resolves when all that was read ahead is there; to be awaited before anything is asked.
   * @throws Damage
   */
  async arrived(): Promise<void> {
    await this.#index.arrival;
  }

  /** The snapshot in memory. Work that writes replaces it where another process wrote. */
  get index(): RepositoryIndex {
    return this.#index;
  }

  /** Whether work that writes is under way. */
  get busy(): boolean {
    return this.#running > 0;
  }

  /**
   * Runs work that writes, when its turn comes.
   * @throws LocusError `read-only` where nothing may be written, `busy` or `cancelled`, see `WriterLock.hold`, and
   * `DamagedIndex` when another process set the index aside.
   */
  exclusively<T>(
    signal: AbortSignal | undefined,
    work: (index: RepositoryIndex) => Promise<T>,
    waitMs?: number,
    onWait?: () => void,
  ): Promise<T> {
    if (this.#store.readOnly) return Promise.reject(readOnlyError(this.#store.path));
    return this.#queue.add(() =>
      this.#store.lock.hold(() => this.#run(work), waitMs, signal, onWait),
    );
  }

  /** Resolves when all work that was asked for so far has ended. */
  idle(): Promise<void> {
    return this.#queue.idle();
  }

  async #run<T>(work: (index: RepositoryIndex) => Promise<T>): Promise<T> {
    this.#store.throwIfReplaced();
    if (this.#store.changedElsewhere()) this.#stale = true;
    if (this.#stale) this.#index = this.#load();
    this.#stale = true;
    this.#running++;
    try {
      const done = await work(this.#index);
      this.#stale = false;
      return done;
    } finally {
      this.#running--;
    }
  }

  /**
   * Lets go of what is read again in a moment, for its memory, unless the index is being written, here or elsewhere.
   * @throws Damage
   */
  rest(): void {
    if (this.busy || this.#stale || this.#store.changedElsewhere()) return;
    this.#index.restVectors(this.#store, this.#model.key);
  }

  /**
   * Writes the snapshot's file where that is not of what is in memory, for who opens it next; does nothing where the index is
   * not complete, or may not be written. A file that cannot be written costs time at the next opening, and nothing else.
   * @throws LocusError `busy` while another process writes, and as `exclusively`.
   */
  async save(): Promise<void> {
    const store = this.#store;
    const { snapshotId } = this.#index;
    if (store.readOnly || !store.snapshots.state(snapshotId).complete) return;
    if (this.#isSaved(this.#index, store.snapshots.identity(snapshotId))) return;
    await this.exclusively(undefined, (index) => this.#write(index), 0);
  }

  async #write(index: RepositoryIndex): Promise<void> {
    const store = this.#store;
    const { snapshotId } = index;
    if (!store.snapshots.state(snapshotId).complete) return;
    store.transaction(() => store.snapshots.identify());
    const state = store.snapshots.identity(snapshotId);
    if (state === null || this.#isSaved(index, state)) return;
    const columns = index.columns();
    const slotOfId = new IdTable(index.live);
    for (const [slot, id] of columns.chunks.numbers.id.entries()) slotOfId.set(id, slot);
    const slotOf = (id: number) => slotOfId.get(id);
    const embeddings = store.embeddings.places(snapshotId, this.#model, slotOf);
    const all = { ...columns, terms: store.terms.known(), embeddings };
    try {
      await new SnapshotFiles(store.directory, snapshotId).write(state, all);
      this.#saved = state;
      index.misplaced = false;
      removeFilesBut(new Set(store.snapshots.ids()), store.directory);
    } catch (error) {
      if (!(error instanceof Error && 'code' in error)) throw error;
    }
  }

  #load(ahead = NOTHING_AHEAD): RepositoryIndex {
    const store = this.#store;
    const { key, dimensions } = this.#model;
    const id = store.snapshots.open(this.#revision);
    const { index, graphDirty } = store.read(() => ({
      index: this.#fromFile(id, ahead) ?? RepositoryIndex.load(store, id, key, dimensions),
      graphDirty: store.snapshots.state(id).graphDirty,
    }));
    // While a graph is dirty its edges may lead anywhere; else both ends of each are chunks of the snapshot.
    if (index.strayEdges > 0 && !graphDirty) this.#distrustGraph(index);
    return index;
  }

  /** The snapshot by its file; null where none is current. */
  #fromFile(id: number, ahead: SnapshotAhead): RepositoryIndex | null {
    const store = this.#store;
    const { key, dimensions } = this.#model;
    const state = store.snapshots.identity(id);
    const files = new SnapshotFiles(store.directory, id);
    const columns = state === null ? null : files.read(state, ahead.columns);
    if (!columns) return null;
    store.terms.adopt(columns.terms);
    const index = RepositoryIndex.of(store, id, key, dimensions, columns, ahead.rows);
    this.#saved = state;
    return index;
  }

  /** Whether the newest file is of this state, and right. */
  #isSaved({ misplaced }: RepositoryIndex, state: string | null): boolean {
    return state !== null && state === this.#saved && !misplaced;
  }

  #distrustGraph({ snapshotId, strayEdges }: RepositoryIndex): void {
    const { readOnly, notes } = this.#store;
    if (!readOnly) this.#store.transaction(() => this.#store.snapshots.markDirty(snapshotId));
    const edges = strayEdges === 1 ? '1 edge leads' : `${strayEdges} edges lead`;
    const cure = readOnly
      ? 'it cannot be resolved anew, for it may not be written'
      : 'it is resolved anew';
    notes.push(
      `the call graph in the index did not fit its files: ${edges} from or to what is not there; ${cure}`,
    );
  }
}

export function readOnlyError(path: string): LocusError {
  return new LocusError(
    'read-only',
    `the index at ${path} may only be read, so it cannot be brought up to date`,
    'give the permission to write it, or choose another data directory with --data-dir or LOCUS_DATA_DIR',
  );
}
