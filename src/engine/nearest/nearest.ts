import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { throwIfCancelled } from '../../base/cancel.ts';
import { whileFree } from '../../base/file-lock.ts';
import { SEARCHES } from '../../base/right-of-way.ts';
import { SerialQueue } from '../../base/serial-queue.ts';
import { linkThread, WorkerClient } from '../../base/worker-client.ts';
import { Pacer } from '../event-loop/pacer.ts';
import { type BaseFile, basePath, basesIn, removeStrayBases } from '../store/base-file.ts';
import type { EmbeddingModel } from '../store/row-format.ts';
import { type Generation, generationsIn, removeIfPossible } from '../store/row-generations.ts';
import type { Store } from '../store/store.ts';
import type { VectorTable } from '../vectors/vector-table.ts';
import { BaseIndex } from './base-index.ts';
import type { BaseJob } from './build.ts';
import type { BaseMethods } from './worker.ts';

/** Megabytes of heap for the thread; the index lies elsewhere. */
const HEAP = 256;

/**
 * Builds or checks an index in a thread of its own. Returns what came of it; false where the thread could not.
 * @throws LocusError `cancelled` when the signal aborts, once the thread has ended
 */
async function inThread(
  method: keyof BaseMethods,
  job: BaseJob,
  signal: AbortSignal,
): Promise<boolean> {
  throwIfCancelled(signal, 'Indexing');
  const thread = new Worker(new URL('./worker.ts', import.meta.url), {
    name: 'nearest',
    resourceLimits: { maxOldGenerationSizeMb: HEAP },
  });
  const client = new WorkerClient<BaseMethods>(linkThread(thread), {
    explainEnd: (reason) => reason,
    // The process may end before the index is complete: it is built again another time.
    holdsProcess: false,
  });
  try {
    return await client.call(method, job, { signal });
  } catch {
    // The index is made again another time.
    return false;
  } finally {
    await client.kill(new Error('The thread is no longer needed.'));
    throwIfCancelled(signal, 'Indexing');
  }
}

/**
 * From so many embeddings on, an index is built: by `lab/bench/similar.ts` the exact comparison, which grows with their
 * number, comes near the time of a search here (docs/measurements.md#more-like-this).
 */
const INDEXED_FROM = 300_000;

/** The part of all embeddings that may be outside of the index, and is compared exactly, until one is built anew. */
const OUTSIDE = 0.05;
/** The part that makes the exact comparison with all of them as quick. */
const MOST_OUTSIDE = 0.25;

/** Chunks that are looked up between two breaths. */
const PAGE = 256;

const LOCK_FILE = 'nearest.lock';

/** What is indexed: a snapshot in memory. */
export interface NearestSnapshot {
  readonly snapshotId: number;
  readonly vectors: VectorTable;
  slotOf(chunkId: number): number | undefined;
}

type Rows = Generation & { rows: number };

/**
 * The index of a large snapshot's embeddings, of which there need not be one: without, or with one of before, everything
 * answers as well, later. It is made, or found, in the background, and given up for anything that matters more.
 */
export class Nearest {
  readonly #store: Store;
  readonly #model: EmbeddingModel;
  readonly #from: number;
  /** What answers, and of which snapshot. */
  #base: BaseIndex | null = null;
  #snapshot: NearestSnapshot | null = null;
  #underWay: { snapshot: NearestSnapshot; abort: AbortController; work: Promise<void> } | null =
    null;
  readonly #queue = new SerialQueue();
  #failed = false;

  /** @param from how many embeddings make an index worth while. */
  constructor(store: Store, model: EmbeddingModel, from = INDEXED_FROM) {
    this.#store = store;
    this.#model = model;
    this.#from = from;
  }

  /** The index of this snapshot; null while there is none that is worth asking. */
  of(snapshot: NearestSnapshot): BaseIndex | null {
    return snapshot === this.#snapshot && this.#hasInside(1 - MOST_OUTSIDE) ? this.#base : null;
  }

  /** Sees to it that the snapshot has a current index, in the background. Resolves when it has, or when that was given up. */
  prepare(snapshot: NearestSnapshot): Promise<void> {
    if (this.#underWay?.snapshot === snapshot) return this.#underWay.work;
    if (this.#failed || snapshot.vectors.size < this.#from || this.#isCurrent(snapshot))
      return Promise.resolve();
    this.cancel();
    const abort = new AbortController();
    const work = this.#queue
      .add(() => this.#prepare(snapshot, abort.signal))
      .catch(() => {
        // What keeps it from an index, a disk without room above all, keeps it from the next one. Nobody waits for it.
        this.#failed ||= !abort.signal.aborted;
      })
      .finally(() => {
        if (this.#underWay?.abort === abort) this.#underWay = null;
      });
    this.#underWay = { snapshot, abort, work };
    return work;
  }

  /** Ends what is under way; what answers already goes on answering. */
  cancel(): void {
    this.#underWay?.abort.abort();
    this.#underWay = null;
  }

  async close(): Promise<void> {
    this.cancel();
    await this.#queue.idle();
    this.#take(null, null);
  }

  #isCurrent(snapshot: NearestSnapshot): boolean {
    return snapshot === this.#snapshot && this.#hasInside(1 - OUTSIDE);
  }

  #hasInside(share: number): boolean {
    const { size = 0 } = this.#snapshot?.vectors ?? {};
    return this.#base !== null && size - this.#base.outside >= share * size;
  }

  async #prepare(snapshot: NearestSnapshot, signal: AbortSignal): Promise<void> {
    throwIfCancelled(signal, 'Indexing');
    const rows = this.#store.embeddings.generation(this.#model);
    if (!rows) return;
    for (const file of this.#filesOf(rows))
      if (await this.#open(file, snapshot, rows, signal)) break;
    if (!this.#isCurrent(snapshot) && !this.#store.readOnly)
      await this.#build(snapshot, rows, signal);
  }

  /** The finished files over the first of these rows, those over the most first. */
  #filesOf({ digest, number, rows }: Rows): BaseFile[] {
    return basesIn(this.#store.directory).filter(
      (file) =>
        file.digest === digest &&
        file.generation === number &&
        !file.unfinished &&
        file.rows <= rows,
    );
  }

  /** Takes a file into use, or removes it where it is damaged. Returns whether it is in use. */
  async #open(
    { path, rows: count }: Pick<BaseFile, 'path' | 'rows'>,
    snapshot: NearestSnapshot,
    rows: Rows,
    signal: AbortSignal,
  ): Promise<boolean> {
    const job = { model: this.#model, rowsPath: rows.path, rows: count, path };
    if (!(await inThread('check', job, signal))) {
      if (!this.#store.readOnly) removeIfPossible(path);
      return false;
    }
    // One at a time follows the table.
    this.#take(null, null);
    const base = await BaseIndex.map(path, snapshot.vectors, rows.number, count);
    if (!base || !(await this.#place(base, snapshot, signal))) return false;
    this.#take(base, snapshot);
    return true;
  }

  /**
   * Finds out by the store which slots have which row; a slot whose embedding is not the row's is left outside. Returns
   * whether the rows are still those of the index: another process may have written them anew.
   */
  async #place(base: BaseIndex, snapshot: NearestSnapshot, signal: AbortSignal): Promise<boolean> {
    const { embeddings } = this.#store;
    const pacer = new Pacer(signal, SEARCHES);
    let placed = false;
    try {
      for (let after: number | null = -1; after !== null; ) {
        if (embeddings.generation(this.#model)?.number !== base.generation) return false;
        const page = embeddings.placesAfter(snapshot.snapshotId, this.#model, after, PAGE);
        for (const { chunkId, row, vector } of page.places) {
          const slot = snapshot.slotOf(chunkId);
          if (slot !== undefined) base.place(slot, row, vector);
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

  /** One process builds; the others find what it built the next time that they look. */
  async #build(snapshot: NearestSnapshot, rows: Rows, signal: AbortSignal): Promise<void> {
    const lock = join(this.#store.directory, LOCK_FILE);
    await whileFree(lock, () => this.#buildAlone(snapshot, rows, signal));
  }

  async #buildAlone(snapshot: NearestSnapshot, rows: Rows, signal: AbortSignal): Promise<void> {
    const { directory } = this.#store;
    try {
      removeUnfinished(directory);
      const path = basePath(directory, rows.digest, rows.number, rows.rows);
      const job = { model: this.#model, rowsPath: rows.path, rows: rows.rows, path };
      if (!existsSync(path) && !(await inThread('build', job, signal))) {
        this.#failed = true;
        return;
      }
      if (!(await this.#open(job, snapshot, rows, signal))) return;
      for (const file of this.#filesOf(rows)) if (file.path !== path) removeIfPossible(file.path);
      removeStrayBases(directory, generationsIn(directory));
    } finally {
      removeUnfinished(directory);
    }
  }

  #take(base: BaseIndex | null, snapshot: NearestSnapshot | null): void {
    this.#base?.close();
    this.#base = base;
    this.#snapshot = snapshot;
  }
}

/** Files that somebody began to write and cannot finish; call while holding the lock. */
function removeUnfinished(folder: string): void {
  for (const { path, unfinished } of basesIn(folder)) if (unfinished) removeIfPossible(path);
}
