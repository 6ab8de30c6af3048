/** Helper threads for comparing many rows, by default one less than there are processors. */
import { availableParallelism } from 'node:os';
import { Worker } from 'node:worker_threads';
import {
  awaitDone,
  beginJob,
  type CompareJob,
  compareBlocks,
  compareRows,
  createSharedState,
} from './compare-job.ts';
import type { MemoryMessage } from './compare-worker.ts';
import type { DotKernel } from './dot-kernel.ts';
import type { SharedMemory } from './wasm.ts';

/** Maximum number of helpers. Memory bandwidth is the limit, so more do not help. */
const MAX_THREADS = 3;
/** Minimum size of a job for helpers. Fewer bytes are compared before another thread wakes. */
const MIN_BYTES = 4 << 20;
/** Milliseconds after the first comparison before helpers start. A command that searches once has ended by then. */
const START_DELAY_MS = 1000;
/** Maximum wait for a block that another thread has taken: a hundred thousand times its usual duration. */
const MAX_WAIT_MS = 10_000;
/** Heap limits of a thread. Its rows are outside the heap. */
const HEAP = { maxYoungGenerationSizeMb: 1, maxOldGenerationSizeMb: 16 };

/** The helper threads of this process. They start with the first job that is large enough. */
export class CompareThreads {
  /** 0 after a helper has failed. */
  #count: number;
  readonly #minBytes: number;
  readonly #startDelayMs: number;
  #firstComparison: number | null = null;
  #shared = createSharedState();
  #threads: Worker[] = [];
  /** Ids of the memories that the threads have received, and therefore keep from being freed. */
  #ids = new WeakMap<SharedMemory, number>();
  #lastId = 0;
  #freed = this.#stopWhenFreed();

  /** @param count number of threads besides the calling one */
  constructor(
    count = Math.min(availableParallelism() - 1, MAX_THREADS),
    minBytes = MIN_BYTES,
    startDelayMs = START_DELAY_MS,
  ) {
    this.#count = count;
    this.#minBytes = minBytes;
    this.#startDelayMs = startDelayMs;
  }

  get running(): number {
    return this.#threads.length;
  }

  /**
   * Does the same as `compareRows`, with helpers if there are many rows. Returns when all products are written.
   * @param dots kernel of this thread in the memory
   */
  compare(memory: SharedMemory, dots: DotKernel, job: Omit<CompareJob, 'memory'>): void {
    if (this.#needsHelpers(job) && this.#compareTogether(memory, dots, job)) return;
    compareRows(dots, job);
  }

  #needsHelpers({ rows, rowsEnd }: Omit<CompareJob, 'memory'>): boolean {
    if (this.#count < 1 || rowsEnd - rows < this.#minBytes) return false;
    const now = performance.now();
    this.#firstComparison ??= now;
    return now - this.#firstComparison >= this.#startDelayMs;
  }

  /** @returns false if a helper ended or hangs with a block that it has taken */
  #compareTogether(
    memory: SharedMemory,
    dots: DotKernel,
    job: Omit<CompareJob, 'memory'>,
  ): boolean {
    const fullJob = { ...job, memory: this.#sendMemory(memory) };
    const { number, blocks } = beginJob(this.#shared, fullJob);
    compareBlocks(this.#shared, number, fullJob, dots);
    if (awaitDone(this.#shared, blocks, MAX_WAIT_MS)) return true;
    this.stop();
    this.#count = 0;
    return false;
  }

  /** Ends the threads, which frees the memories that only they use. The next large job starts them again. */
  stop(): void {
    for (const thread of this.#threads) void thread.terminate();
    this.#threads = [];
    this.#ids = new WeakMap();
    this.#freed = this.#stopWhenFreed();
    this.#shared = createSharedState();
  }

  /** Sends a memory to all threads, once. @returns its id */
  #sendMemory(memory: SharedMemory): number {
    this.#start();
    const sent = this.#ids.get(memory);
    if (sent !== undefined) return sent;
    const id = ++this.#lastId;
    this.#ids.set(memory, id);
    this.#freed.register(memory, undefined);
    const message: MemoryMessage = { id, memory };
    for (const thread of this.#threads) thread.postMessage(message);
    return id;
  }

  #start(): void {
    while (this.#threads.length < this.#count) {
      const thread = new Worker(new URL('./compare-worker.ts', import.meta.url), {
        name: 'compare',
        workerData: this.#shared,
        resourceLimits: HEAP,
      });
      thread.unref();
      // The remaining threads do its share.
      thread.on('error', () => {});
      this.#threads.push(thread);
    }
  }

  /** Stops the threads when a memory is freed. Each start of threads has its own registry, for the memories sent to them. */
  #stopWhenFreed(): FinalizationRegistry<undefined> {
    return new FinalizationRegistry(() => this.stop());
  }
}

/** The helpers of this process. There is one comparison at a time, since the caller waits. */
export const COMPARE_THREADS = new CompareThreads();
