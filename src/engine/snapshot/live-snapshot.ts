import { SerialQueue } from '../../base/serial-queue.ts';
import { LocusError } from '../../shared/errors.ts';
import { IdTable } from '../columns/id-table.ts';
import type { PrefetchedSections } from '../columns/section-file.ts';
import type { SourceEntry } from '../source/types.ts';
import type { PrefetchedRows } from '../store/embedding-row-map.ts';
import type { EmbeddingModel } from '../store/row-format.ts';
import type { Store } from '../store/store.ts';
import { RepositoryIndex } from './repository-index.ts';
import { removeOtherSnapshotFiles, type SnapshotColumns, SnapshotFiles } from './snapshot-file.ts';

/** Data of a snapshot that other threads have read, or are reading, before the store is opened. */
export interface PrefetchedSnapshot {
  columns: PrefetchedSections | null;
  rows: PrefetchedRows | null;
}

export const NOTHING_PREFETCHED: PrefetchedSnapshot = { columns: null, rows: null };

/**
 * Snapshot in memory that other processes may also write. Tasks that write run one at a time in this process and across
 * processes, on the current state of the store. Searches meanwhile read the snapshot in memory.
 */
export class LiveSnapshot {
  readonly #store: Store;
  readonly #revision: string | null;
  readonly #model: EmbeddingModel;
  #index: RepositoryIndex;
  readonly #queue = new SerialQueue();
  #running = 0;
  /** True if memory may differ from the store. The snapshot is then reloaded before anything is written. */
  #stale = false;
  /** Identity of the snapshot in the newest file, as far as is known; null if there is no file. */
  #savedIdentity: string | null = null;

  /**
   * Reads the snapshot of a revision, or of the working tree for null. A new snapshot is empty.
   * @param ahead data that was prefetched.
   */
  constructor(
    store: Store,
    revision: string | null,
    model: EmbeddingModel,
    ahead: PrefetchedSnapshot = NOTHING_PREFETCHED,
  ) {
    this.#store = store;
    this.#revision = revision;
    this.#model = model;
    this.#index = this.#load(ahead);
  }

  /**
   * Resolves when prefetched embeddings are loaded. Await it before any query.
   * @throws Damage
   */
  async waitUntilLoaded(): Promise<void> {
    await this.#index.vectorsLoaded;
  }

  /** Snapshot in memory. A task that writes replaces it if another process has written. */
  get index(): RepositoryIndex {
    return this.#index;
  }

  /** True while a task that writes is running. */
  get isBusy(): boolean {
    return this.#running > 0;
  }

  /**
   * Runs a task that writes, after those queued before it.
   * @throws LocusError `read-only` if the index is read-only; `busy` or `cancelled`, see `WriterLock.hold`; `DamagedIndex` if
   * another process has quarantined the index.
   */
  runExclusive<T>(
    signal: AbortSignal | undefined,
    work: (index: RepositoryIndex) => Promise<T>,
    waitMs?: number,
    onWait?: (writer: number | null) => void,
  ): Promise<T> {
    if (this.#store.readOnly) return Promise.reject(createReadOnlyError(this.#store.path));
    return this.#queue.add(() =>
      this.#store.lock.hold(() => this.#run(work), waitMs, signal, onWait),
    );
  }

  /** Resolves when all tasks queued so far have ended. */
  waitUntilIdle(): Promise<void> {
    return this.#queue.waitUntilIdle();
  }

  async #run<T>(work: (index: RepositoryIndex) => Promise<T>): Promise<T> {
    this.#store.throwIfReplaced();
    if (this.#store.hasChangedElsewhere()) this.#stale = true;
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
   * Fills an empty snapshot from the complete one that shares most contents with these files, so that only what differs is
   * parsed and encoded. Files that differ are missing then, and the graph is dirty, unless nothing differs. Removes the snapshot that
   * was copied from another index. Call inside `runExclusive`.
   * @param getParser returns the parser version for a path; files of other versions differ.
   * @returns the new state in memory; unchanged if no snapshot is similar.
   */
  startFromSimilar(
    entries: readonly SourceEntry[],
    getParser: (path: string) => string,
  ): RepositoryIndex {
    const store = this.#store;
    const { snapshots } = store;
    const { snapshotId } = this.#index;
    const hashes = new Map(entries.map(({ path, hash }) => [path, hash]));
    const from = snapshots.findSimilar(hashes);
    if (from === null) {
      snapshots.removeCopied();
      return this.#index;
    }
    const files = snapshots.getFiles(from);
    const different = files.filter(
      ({ path, hash, parser }) => hashes.get(path) !== hash || parser !== getParser(path),
    );
    const paths = different.map(({ path }) => path);
    const versions = different.map(({ versionId }) => versionId);
    store.transaction(() => {
      snapshots.copyFiles(snapshotId, from, paths);
      store.edges.copy(snapshotId, from, versions);
      store.embeddings.copyLinks(snapshotId, from, versions);
      // Calls depend on the files alone.
      if (different.length === 0 && files.length === entries.length) {
        store.graphNotes.copy(snapshotId, from);
        snapshots.markResolved(snapshotId);
      }
    });
    const { key, dimensions } = this.#model;
    const columns = this.#readFile(from, snapshots.getIdentity(from));
    snapshots.removeCopied();
    this.#index = columns
      ? RepositoryIndex.fromColumns(store, snapshotId, key, dimensions, {
          ...columns,
          history: null,
        })
      : RepositoryIndex.load(store, snapshotId, key, dimensions);
    for (const path of paths) this.#index.removeFile(path);
    return this.#index;
  }

  /**
   * Frees the memory of embeddings and of the store's caches, which are quick to read again, unless this or another process is
   * writing the index.
   * @throws Damage
   */
  releaseMemory(): void {
    if (this.isBusy || this.#stale || this.#store.hasChangedElsewhere()) return;
    this.#index.releaseVectors(this.#store, this.#model.key);
    this.#store.releaseMemory();
  }

  /**
   * Writes the snapshot's file, so that the next opening is fast. Does nothing if the file is current, or if the index is
   * incomplete or read-only. A failure to write the file is ignored: it only slows down the next opening.
   * @throws LocusError `busy` while another process writes; other errors as for `runExclusive`.
   */
  async save(): Promise<void> {
    const store = this.#store;
    const { snapshotId } = this.#index;
    if (store.readOnly || !store.snapshots.getState(snapshotId).complete) return;
    if (this.#isSaved(this.#index, store.snapshots.getIdentity(snapshotId))) return;
    await this.runExclusive(undefined, (index) => this.#write(index), 0);
  }

  async #write(index: RepositoryIndex): Promise<void> {
    const store = this.#store;
    const { snapshotId } = index;
    if (!store.snapshots.getState(snapshotId).complete) return;
    store.transaction(() => store.snapshots.ensureIdentity());
    const state = store.snapshots.getIdentity(snapshotId);
    if (state === null || this.#isSaved(index, state)) return;
    const columns = index.toColumns();
    const slotOfId = new IdTable(index.liveCount);
    for (const [slot, id] of columns.chunks.numbers.id.entries()) slotOfId.set(id, slot);
    const slotOf = (id: number) => slotOfId.get(id);
    const embeddings = store.embeddings.createRowMap(snapshotId, this.#model, slotOf);
    const all = { ...columns, terms: store.terms.getAll(), embeddings };
    try {
      await new SnapshotFiles(store.directory, snapshotId).write(state, all);
      this.#savedIdentity = state;
      index.hasInvalidRowMap = false;
      removeOtherSnapshotFiles(new Set(store.snapshots.getIds()), store.directory);
    } catch (error) {
      if (!(error instanceof Error && 'code' in error)) throw error;
    }
  }

  #load(ahead = NOTHING_PREFETCHED): RepositoryIndex {
    const store = this.#store;
    const { key, dimensions } = this.#model;
    const id = store.snapshots.open(this.#revision);
    const { index, graphDirty } = store.read(() => ({
      index: this.#loadFromFile(id, ahead) ?? RepositoryIndex.load(store, id, key, dimensions),
      graphDirty: store.snapshots.getState(id).graphDirty,
    }));
    // Edges of a dirty graph may lead anywhere. Otherwise, both ends of each edge must be chunks of the snapshot.
    if (index.strayEdgeCount > 0 && !graphDirty) this.#markGraphDirty(index);
    return index;
  }

  /** Loads the snapshot from its file. Returns null if no file is current. */
  #loadFromFile(id: number, ahead: PrefetchedSnapshot): RepositoryIndex | null {
    const { key, dimensions } = this.#model;
    const state = this.#store.snapshots.getIdentity(id);
    const columns = this.#readFile(id, state, ahead.columns);
    if (!columns) return null;
    this.#savedIdentity = state;
    return RepositoryIndex.fromColumns(this.#store, id, key, dimensions, columns, ahead.rows);
  }

  /**
   * Reads a snapshot and the terms from its file. Returns null if no file is current.
   * @param state identity of the snapshot; null if no file can be current.
   */
  #readFile(
    id: number,
    state: string | null,
    ahead: PrefetchedSections | null = null,
  ): SnapshotColumns | null {
    const { directory, terms } = this.#store;
    const columns = state === null ? null : new SnapshotFiles(directory, id).read(state, ahead);
    if (columns) terms.restore(columns.terms);
    return columns;
  }

  /** Returns true if the newest file has this identity and its row map is valid. */
  #isSaved({ hasInvalidRowMap }: RepositoryIndex, state: string | null): boolean {
    return state !== null && state === this.#savedIdentity && !hasInvalidRowMap;
  }

  #markGraphDirty({ snapshotId, strayEdgeCount }: RepositoryIndex): void {
    const { readOnly, notes } = this.#store;
    if (!readOnly) this.#store.transaction(() => this.#store.snapshots.markDirty(snapshotId));
    const calls = strayEdgeCount === 1 ? '1 call' : `${strayEdgeCount} calls`;
    const cure = readOnly
      ? 'It cannot be rebuilt, because the index is read-only.'
      : 'It is being rebuilt.';
    notes.push(
      `The call graph in the index does not match its files: it has ${calls} from or to missing functions. ${cure}`,
    );
  }
}

export function createReadOnlyError(path: string): LocusError {
  return new LocusError(
    'read-only',
    `The index at ${path} is read-only, so it cannot be updated.`,
    'Make it writable, or choose another data directory with --data-dir or LOCUS_DATA_DIR.',
  );
}
