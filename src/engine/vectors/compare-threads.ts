/** Threads that help to compare many rows, one less than there are processors. */
import { availableParallelism } from 'node:os';
import { Worker } from 'node:worker_threads';
import {
  awaitDone,
  begin,
  type CompareJob,
  compareRows,
  sharedNumbers,
  work,
} from './compare-job.ts';
import type { Introduction } from './compare-worker.ts';
import type { DotKernel } from './dot-kernel.ts';
import type { SharedMemory } from './wasm.ts';

/** More get no more out of the machine's memory. */
const MOST_THREADS = 3;
/** Fewer bytes of rows are compared before another thread wakes. */
const LEAST_BYTES = 4 << 20;
/** Milliseconds from the first comparison to when threads begin: a command that searches once has ended by then. */
const BEGIN_AFTER = 1000;
/** Milliseconds that a block is waited for which another thread has taken: a hundred thousand times what it takes. */
const PATIENCE = 10_000;
/** Megabytes of heap for a thread, whose rows lie elsewhere. */
const HEAP = { maxYoungGenerationSizeMb: 1, maxOldGenerationSizeMb: 16 };

/** The threads of this process. They begin with a job that is large enough, and know the memories that were asked about. */
export class CompareThreads {
  /** 0 where they were no help. */
  #count: number;
  readonly #leastBytes: number;
  readonly #beginAfter: number;
  #firstAsked: number | null = null;
  #shared = sharedNumbers();
  #threads: Worker[] = [];
  /** Of the memories that the threads know; they keep them from being freed. */
  #ids = new WeakMap<SharedMemory, number>();
  #lastId = 0;
  #freed = this.#stopWhenFreed();

  /** @param count of threads besides the one that asks */
  constructor(
    count = Math.min(availableParallelism() - 1, MOST_THREADS),
    leastBytes = LEAST_BYTES,
    beginAfter = BEGIN_AFTER,
  ) {
    this.#count = count;
    this.#leastBytes = leastBytes;
    this.#beginAfter = beginAfter;
  }

  get running(): number {
    return this.#threads.length;
  }

  /**
   * As `compareRows`, with the help of threads where there are many rows. Returns when all is written.
   * @param dots the kernel of this thread in the memory
   */
  compare(memory: SharedMemory, dots: DotKernel, job: Omit<CompareJob, 'memory'>): void {
    if (this.#isShared(job) && this.#together(memory, dots, job)) return;
    compareRows(dots, job);
  }

  #isShared({ rows, rowsEnd }: Omit<CompareJob, 'memory'>): boolean {
    if (this.#count < 1 || rowsEnd - rows < this.#leastBytes) return false;
    const now = performance.now();
    this.#firstAsked ??= now;
    return now - this.#firstAsked >= this.#beginAfter;
  }

  /** @returns false when a thread has ended, or stands still, with a block that it has taken */
  #together(memory: SharedMemory, dots: DotKernel, job: Omit<CompareJob, 'memory'>): boolean {
    const asked = { ...job, memory: this.#introduce(memory) };
    const { number, blocks } = begin(this.#shared, asked);
    work(this.#shared, number, asked, dots);
    if (awaitDone(this.#shared, blocks, PATIENCE)) return true;
    this.stop();
    this.#count = 0;
    return false;
  }

  /** Ends the threads, which lets go of the memories that they know; the next job begins them again. */
  stop(): void {
    for (const thread of this.#threads) void thread.terminate();
    this.#threads = [];
    this.#ids = new WeakMap();
    this.#freed = this.#stopWhenFreed();
    this.#shared = sharedNumbers();
  }

  /** Has all threads know a memory. @returns its id */
  #introduce(memory: SharedMemory): number {
    this.#start();
    const known = this.#ids.get(memory);
    if (known !== undefined) return known;
    const id = ++this.#lastId;
    this.#ids.set(memory, id);
    this.#freed.register(memory, undefined);
    const told: Introduction = { id, memory };
    for (const thread of this.#threads) thread.postMessage(told);
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
      // Without it all is compared by those that are left.
      thread.on('error', () => {});
      this.#threads.push(thread);
    }
  }

  /** One registry for each time that threads begin: of what those of before knew, these need not be stopped. */
  #stopWhenFreed(): FinalizationRegistry<undefined> {
    return new FinalizationRegistry(() => this.stop());
  }
}

/** Of this process: one comparison at a time, since who asks waits. */
export const COMPARE_THREADS = new CompareThreads();
