import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { throwIfCancelled } from '../../base/cancel.ts';
import { runIfFree } from '../../base/file-lock.ts';
import { SEARCH_PRIORITY } from '../../base/priority-gate.ts';
import { SerialQueue } from '../../base/serial-queue.ts';
import { linkThread, WorkerClient } from '../../base/worker-client.ts';
import { Pacer } from '../event-loop/pacer.ts';
import {
  type BaseIndexFile,
  getBasePath,
  listBaseFiles,
  removeStrayBases,
} from '../store/base-file.ts';
import type { EmbeddingModel } from '../store/row-format.ts';
import {
  listGenerations,
  type RowFileGeneration,
  removeIfPossible,
} from '../store/row-generations.ts';
import type { Store } from '../store/store.ts';
import type { VectorTable } from '../vectors/vector-table.ts';
import { BaseIndex } from './base-index.ts';
import type { BaseJob } from './build.ts';
import type { BaseMethods } from './worker.ts';

/** Heap of the thread in megabytes; the index is outside the heap. */
const HEAP_MB = 256;

/**
 * Builds or checks an index in its own thread. Returns the result, or false if the thread failed.
 * @throws LocusError `cancelled` if the signal aborts, after the thread has ended
 */
async function runInThread(
  method: keyof BaseMethods,
  job: BaseJob,
  signal: AbortSignal,
): Promise<boolean> {
  throwIfCancelled(signal, 'Indexing');
  const thread = new Worker(new URL('./worker.ts', import.meta.url), {
    name: 'nearest',
    resourceLimits: { maxOldGenerationSizeMb: HEAP_MB },
  });
  const client = new WorkerClient<BaseMethods>(linkThread(thread), {
    explainEnd: (reason) => reason,
    // The process may exit before the index is complete: the next one builds it.
    holdsProcess: false,
  });
  try {
    return await client.call(method, job, { signal });
  } catch {
    // The index is built another time.
    return false;
  } finally {
    await client.kill(new Error('The thread is no longer needed.'));
    throwIfCancelled(signal, 'Indexing');
  }
}

/**
 * Minimum number of embeddings for an index. Up to here, exact comparison with all embeddings is fast enough, as measured by
 * `lab/bench/similar.ts` (docs/reference/figures.md#similar-functions).
 */
const MIN_INDEXED = 300_000;

/** Share of embeddings outside the index, which are compared exactly, at which the index is rebuilt. */
const REBUILD_SHARE = 0.05;
/** Share of embeddings outside the index at which exact comparison with all is as fast. */
const MAX_OUTSIDE = 0.25;

/** Number of chunks that are looked up between two pauses. */
const PAGE_SIZE = 256;

const LOCK_FILE = 'nearest.lock';

/** A snapshot in memory, as far as indexing its embeddings needs it. */
export interface NearestSnapshot {
  readonly snapshotId: number;
  readonly vectors: VectorTable;
  getSlot(chunkId: number): number | undefined;
}

type Rows = RowFileGeneration & { rows: number };

/**
 * Provides an index of a large snapshot's embeddings. The index is optional: without it, or with an older one, answers are the
 * same but slower. It is loaded or built in the background, and canceled for more important work.
 */
export class NearestIndexes {
  readonly #store: Store;
  readonly #model: EmbeddingModel;
  readonly #minEmbeddings: number;
  /** Current index, and its snapshot. */
  #base: BaseIndex | null = null;
  #snapshot: NearestSnapshot | null = null;
  #pending: { snapshot: NearestSnapshot; abort: AbortController; work: Promise<void> } | null =
    null;
  readonly #queue = new SerialQueue();
  #failed = false;

  /** @param minEmbeddings minimum number of embeddings for an index */
  constructor(store: Store, model: EmbeddingModel, minEmbeddings = MIN_INDEXED) {
    this.#store = store;
    this.#model = model;
    this.#minEmbeddings = minEmbeddings;
  }

  /** Returns the index of this snapshot; null if none exists, or it is too old to be faster than exact comparison. */
  getIndex(snapshot: NearestSnapshot): BaseIndex | null {
    return snapshot === this.#snapshot && this.#hasInside(1 - MAX_OUTSIDE) ? this.#base : null;
  }

  /** Loads or builds a current index of the snapshot in the background. Resolves when it is ready, canceled or failed. */
  prepare(snapshot: NearestSnapshot): Promise<void> {
    if (this.#pending?.snapshot === snapshot) return this.#pending.work;
    if (this.#failed || snapshot.vectors.size < this.#minEmbeddings || this.#isCurrent(snapshot))
      return Promise.resolve();
    this.cancel();
    const abort = new AbortController();
    const work = this.#queue
      .add(() => this.#prepare(snapshot, abort.signal))
      .catch(() => {
        // The cause, most likely a full disk, would fail the next build too. No caller needs the error.
        this.#failed ||= !abort.signal.aborted;
      })
      .finally(() => {
        if (this.#pending?.abort === abort) this.#pending = null;
      });
    this.#pending = { snapshot, abort, work };
    return work;
  }

  /** Cancels loading or building; the current index stays in use. */
  cancel(): void {
    this.#pending?.abort.abort();
    this.#pending = null;
  }

  async close(): Promise<void> {
    this.cancel();
    await this.#queue.waitUntilIdle();
    this.#setCurrent(null, null);
  }

  #isCurrent(snapshot: NearestSnapshot): boolean {
    return snapshot === this.#snapshot && this.#hasInside(1 - REBUILD_SHARE);
  }

  #hasInside(share: number): boolean {
    const { size = 0 } = this.#snapshot?.vectors ?? {};
    return this.#base !== null && size - this.#base.outsideCount >= share * size;
  }

  async #prepare(snapshot: NearestSnapshot, signal: AbortSignal): Promise<void> {
    throwIfCancelled(signal, 'Indexing');
    const rows = this.#store.embeddings.getGeneration(this.#model);
    if (!rows) return;
    for (const file of this.#listFiles(rows))
      if (await this.#open(file, snapshot, rows, signal)) break;
    if (!this.#isCurrent(snapshot) && !this.#store.readOnly)
      await this.#build(snapshot, rows, signal);
  }

  /** Lists finished index files over the first of these rows, the largest first. */
  #listFiles({ digest, number, rows }: Rows): BaseIndexFile[] {
    return listBaseFiles(this.#store.directory).filter(
      (file) =>
        file.digest === digest &&
        file.generation === number &&
        !file.unfinished &&
        file.rows <= rows,
    );
  }

  /** Opens an index file, or removes it if it is damaged. Returns true if it is in use. */
  async #open(
    { path, rows: count }: Pick<BaseIndexFile, 'path' | 'rows'>,
    snapshot: NearestSnapshot,
    rows: Rows,
    signal: AbortSignal,
  ): Promise<boolean> {
    const job = { model: this.#model, rowsPath: rows.path, rows: count, path };
    if (!(await runInThread('check', job, signal))) {
      if (!this.#store.readOnly) removeIfPossible(path);
      return false;
    }
    // Only one index at a time can follow the table.
    this.#setCurrent(null, null);
    const base = await BaseIndex.map(path, snapshot.vectors, rows.number, count);
    if (!base || !(await this.#assignRows(base, snapshot, signal))) return false;
    this.#setCurrent(base, snapshot);
    return true;
  }

  /**
   * Assigns rows to slots, as the store has them. A slot whose embedding differs from the row stays outside. Returns false if
   * the rows are no longer those of the index: another process may have rewritten them.
   */
  async #assignRows(
    base: BaseIndex,
    snapshot: NearestSnapshot,
    signal: AbortSignal,
  ): Promise<boolean> {
    const { embeddings } = this.#store;
    const pacer = new Pacer(signal, SEARCH_PRIORITY);
    let placed = false;
    try {
      for (let after: number | null = -1; after !== null; ) {
        if (embeddings.getGeneration(this.#model)?.number !== base.generation) return false;
        const page = embeddings.getPage(snapshot.snapshotId, this.#model, after, PAGE_SIZE);
        for (const { chunkId, row, vector } of page.places) {
          const slot = snapshot.getSlot(chunkId);
          if (slot !== undefined) base.assignRow(slot, row, vector);
        }
        after = page.last;
        await pacer.yieldIfDue();
      }
      placed = true;
    } finally {
      if (!placed) base.close();
    }
    return placed;
  }

  /** Builds an index in one process. Other processes find it when they look the next time. */
  async #build(snapshot: NearestSnapshot, rows: Rows, signal: AbortSignal): Promise<void> {
    const lock = join(this.#store.directory, LOCK_FILE);
    await runIfFree(lock, () => this.#buildAlone(snapshot, rows, signal));
  }

  async #buildAlone(snapshot: NearestSnapshot, rows: Rows, signal: AbortSignal): Promise<void> {
    const { directory } = this.#store;
    try {
      removeUnfinished(directory);
      const path = getBasePath(directory, rows.digest, rows.number, rows.rows);
      const job = { model: this.#model, rowsPath: rows.path, rows: rows.rows, path };
      if (!existsSync(path) && !(await runInThread('build', job, signal))) {
        this.#failed = true;
        return;
      }
      if (!(await this.#open(job, snapshot, rows, signal))) return;
      for (const file of this.#listFiles(rows)) if (file.path !== path) removeIfPossible(file.path);
      removeStrayBases(directory, listGenerations(directory));
    } finally {
      removeUnfinished(directory);
    }
  }

  #setCurrent(base: BaseIndex | null, snapshot: NearestSnapshot | null): void {
    this.#base?.close();
    this.#base = base;
    this.#snapshot = snapshot;
  }
}

/** Removes unfinished files, which nobody writes any more. The caller must hold the lock. */
function removeUnfinished(folder: string): void {
  for (const { path, unfinished } of listBaseFiles(folder)) if (unfinished) removeIfPossible(path);
}
