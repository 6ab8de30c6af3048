/**
 * Lets several threads compare rows of a shared memory with a query: the calling thread and its helpers. A job is split into
 * blocks, and each thread takes the next block when it is free. So a thread that gets no processor time delays nobody.
 *
 * The state is a few shared numbers. The number of the next block is stored together with the number of its job, so a thread
 * that is late, after another job has begun, takes no block.
 */
import type { DotKernel } from './dot-kernel.ts';

/** A comparison of rows with a query. Offsets are in bytes, as for `DotKernel`. */
export interface CompareJob {
  /** Id of the memory. */
  memory: number;
  /** Size of the query, which begins at offset 0. */
  queryBytes: number;
  /** Distance from the numbers of a row to those of the next. */
  rowBytes: number;
  rows: number;
  rowsEnd: number;
  out: number;
}

const FIELDS = ['memory', 'queryBytes', 'rowBytes', 'rows', 'rowsEnd', 'out'] as const;
// Indices of the shared numbers: the job's number, its next block, the number of finished blocks, then the job's fields.
const [JOB, NEXT, DONE, FIRST_FIELD] = [0, 1, 2, 3];
/** Number of lower bits of `NEXT` that are the block. The upper bits are the job's number. */
const BLOCK_BITS = 12;
const MAX_BLOCKS = 2 ** BLOCK_BITS - 1;
const MAX_JOB_NUMBER = 2 ** (31 - BLOCK_BITS) - 1;
/** Size of a block. Small enough that waiting for the last one takes only 0.1 ms. */
const BLOCK_BYTES = 1 << 20;

export function createSharedState(): Int32Array<SharedArrayBuffer> {
  const count = FIRST_FIELD + FIELDS.length;
  return new Int32Array(new SharedArrayBuffer(count * Int32Array.BYTES_PER_ELEMENT));
}

/** Begins a job and wakes the waiting threads. No other job may be in progress. @returns its number, and its number of blocks */
export function beginJob(shared: Int32Array, job: CompareJob): { number: number; blocks: number } {
  const number = (Atomics.load(shared, JOB) % MAX_JOB_NUMBER) + 1;
  for (const [i, field] of FIELDS.entries()) Atomics.store(shared, FIRST_FIELD + i, job[field]);
  Atomics.store(shared, DONE, 0);
  Atomics.store(shared, NEXT, number << BLOCK_BITS);
  Atomics.store(shared, JOB, number);
  Atomics.notify(shared, JOB);
  return { number, blocks: splitIntoBlocks(job).blocks };
}

/** Waits for a job other than the one with this number. @param number 0 before the first job */
export function awaitJob(shared: Int32Array, number: number): { number: number; job: CompareJob } {
  Atomics.wait(shared, JOB, number);
  const next = Atomics.load(shared, JOB);
  const [memory = 0, queryBytes = 0, rowBytes = 0, rows = 0, rowsEnd = 0, out = 0] = FIELDS.map(
    (_, i) => Atomics.load(shared, FIRST_FIELD + i),
  );
  return { number: next, job: { memory, queryBytes, rowBytes, rows, rowsEnd, out } };
}

/** Compares blocks of a job until none is left. */
export function compareBlocks(
  shared: Int32Array,
  number: number,
  job: CompareJob,
  dots: DotKernel,
): void {
  const { blocks, rowsPerBlock } = splitIntoBlocks(job);
  for (;;) {
    const next = Atomics.load(shared, NEXT);
    const block = next & MAX_BLOCKS;
    if (next >> BLOCK_BITS !== number || block >= blocks) return;
    if (Atomics.compareExchange(shared, NEXT, next, next + 1) !== next) continue;
    const rows = job.rows + block * rowsPerBlock * job.rowBytes;
    const rowsEnd = Math.min(rows + rowsPerBlock * job.rowBytes, job.rowsEnd);
    const out = job.out + block * rowsPerBlock * Float32Array.BYTES_PER_ELEMENT;
    compareRows(dots, { ...job, rows, rowsEnd, out });
    if (Atomics.add(shared, DONE, 1) + 1 === blocks) Atomics.notify(shared, DONE);
  }
}

/** Computes the products of the query with all rows of a job, in this thread. */
export function compareRows(
  dots: DotKernel,
  { queryBytes, rowBytes, rows, rowsEnd, out }: Omit<CompareJob, 'memory'>,
): void {
  dots(0, queryBytes, rows, rowsEnd, out, rowBytes - queryBytes / 2);
}

/** Waits until other threads have finished all blocks. @returns false if that takes too long */
export function awaitDone(shared: Int32Array, blocks: number, milliseconds: number): boolean {
  const deadline = performance.now() + milliseconds;
  for (;;) {
    const done = Atomics.load(shared, DONE);
    if (done >= blocks) return true;
    if (Atomics.wait(shared, DONE, done, deadline - performance.now()) === 'timed-out')
      return false;
  }
}

function splitIntoBlocks({ rowBytes, rows, rowsEnd }: CompareJob): {
  blocks: number;
  rowsPerBlock: number;
} {
  const count = (rowsEnd - rows) / rowBytes;
  const rowsPerBlock = Math.max(Math.floor(BLOCK_BYTES / rowBytes), Math.ceil(count / MAX_BLOCKS));
  return { blocks: Math.ceil(count / rowsPerBlock), rowsPerBlock };
}
