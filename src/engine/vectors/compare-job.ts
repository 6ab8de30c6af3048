/**
 * Rows of a shared memory that threads compare with a query together: the one that asks and those that help it. A job is cut
 * into blocks, and whoever is free takes the next one, so that a thread that the machine has no time for keeps nobody waiting.
 *
 * All of it is in a few numbers that the threads share. Which block is next is kept with the number of its job: a thread that
 * comes late, when another job was begun, takes none.
 */
import type { DotKernel } from './dot-kernel.ts';

/** Byte offsets in the memory with this id, as of `DotKernel`. */
export interface CompareJob {
  memory: number;
  /** Of the query, which begins at 0. */
  queryBytes: number;
  /** From the numbers of a row to those of the next. */
  rowBytes: number;
  rows: number;
  rowsEnd: number;
  out: number;
}

const FIELDS = ['memory', 'queryBytes', 'rowBytes', 'rows', 'rowsEnd', 'out'] as const;
/** Where the shared numbers are: the last job's, the next block with its job, how many are done; then the job. */
const [JOB, NEXT, DONE, FIRST_FIELD] = [0, 1, 2, 3];
/** The lower bits of `NEXT` are the block. */
const BLOCK_BITS = 12;
const MOST_BLOCKS = 2 ** BLOCK_BITS - 1;
const JOBS = 2 ** (31 - BLOCK_BITS) - 1;
/** Small enough that the last one to end is not waited for long: 0.1 ms. */
const BLOCK_BYTES = 1 << 20;

export function sharedNumbers(): Int32Array<SharedArrayBuffer> {
  const count = FIRST_FIELD + FIELDS.length;
  return new Int32Array(new SharedArrayBuffer(count * Int32Array.BYTES_PER_ELEMENT));
}

/** Begins a job; none may be under way. Wakes the threads that wait. @returns its number and how many blocks it has */
export function begin(shared: Int32Array, job: CompareJob): { number: number; blocks: number } {
  const number = (Atomics.load(shared, JOB) % JOBS) + 1;
  for (const [i, field] of FIELDS.entries()) Atomics.store(shared, FIRST_FIELD + i, job[field]);
  Atomics.store(shared, DONE, 0);
  Atomics.store(shared, NEXT, number << BLOCK_BITS);
  Atomics.store(shared, JOB, number);
  Atomics.notify(shared, JOB);
  return { number, blocks: cut(job).blocks };
}

/** Waits until there is another job than the one with this number; 0 before the first. */
export function awaitJob(shared: Int32Array, number: number): { number: number; job: CompareJob } {
  Atomics.wait(shared, JOB, number);
  const next = Atomics.load(shared, JOB);
  const [memory = 0, queryBytes = 0, rowBytes = 0, rows = 0, rowsEnd = 0, out = 0] = FIELDS.map(
    (_, i) => Atomics.load(shared, FIRST_FIELD + i),
  );
  return { number: next, job: { memory, queryBytes, rowBytes, rows, rowsEnd, out } };
}

/** Compares blocks of a job until none is left to take. */
export function work(shared: Int32Array, number: number, job: CompareJob, dots: DotKernel): void {
  const { blocks, rowsOfBlock } = cut(job);
  for (;;) {
    const next = Atomics.load(shared, NEXT);
    const block = next & MOST_BLOCKS;
    if (next >> BLOCK_BITS !== number || block >= blocks) return;
    if (Atomics.compareExchange(shared, NEXT, next, next + 1) !== next) continue;
    const rows = job.rows + block * rowsOfBlock * job.rowBytes;
    const rowsEnd = Math.min(rows + rowsOfBlock * job.rowBytes, job.rowsEnd);
    const out = job.out + block * rowsOfBlock * Float32Array.BYTES_PER_ELEMENT;
    compareRows(dots, { ...job, rows, rowsEnd, out });
    if (Atomics.add(shared, DONE, 1) + 1 === blocks) Atomics.notify(shared, DONE);
  }
}

/** The products of the query with all rows of a job, in this thread. */
export function compareRows(
  dots: DotKernel,
  { queryBytes, rowBytes, rows, rowsEnd, out }: Omit<CompareJob, 'memory'>,
): void {
  dots(0, queryBytes, rows, rowsEnd, out, rowBytes - queryBytes / 2);
}

/** Waits until all blocks are done, which others have taken. @returns false when that takes longer than it can */
export function awaitDone(shared: Int32Array, blocks: number, milliseconds: number): boolean {
  const until = performance.now() + milliseconds;
  for (;;) {
    const done = Atomics.load(shared, DONE);
    if (done >= blocks) return true;
    if (Atomics.wait(shared, DONE, done, until - performance.now()) === 'timed-out') return false;
  }
}

function cut({ rowBytes, rows, rowsEnd }: CompareJob): { blocks: number; rowsOfBlock: number } {
  const all = (rowsEnd - rows) / rowBytes;
  const rowsOfBlock = Math.max(Math.floor(BLOCK_BYTES / rowBytes), Math.ceil(all / MOST_BLOCKS));
  return { blocks: Math.ceil(all / rowsOfBlock), rowsOfBlock };
}
