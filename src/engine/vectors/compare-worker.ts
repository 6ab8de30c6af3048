/**
 * A thread that helps to compare rows, see `compare-threads.ts`. It waits for jobs, and receives its messages only when a job
 * has an unknown memory.
 */
import { parentPort, receiveMessageOnPort, workerData } from 'node:worker_threads';
import { assertPresent } from '../../shared/assert-present.ts';
import { awaitJob, compareBlocks } from './compare-job.ts';
import { createDotKernel, type DotKernel } from './dot-kernel.ts';
import type { SharedMemory } from './wasm.ts';

/** A message that gives a thread a memory. */
export interface MemoryMessage {
  id: number;
  memory: SharedMemory;
}

const port = assertPresent(parentPort, 'the port of a thread');
const shared: Int32Array<SharedArrayBuffer> = workerData;
const kernels = new Map<number, DotKernel>();

for (let number = 0; ; ) {
  const next = awaitJob(shared, number);
  number = next.number;
  const kernel = kernels.get(next.job.memory) ?? receiveKernel(next.job.memory);
  if (kernel) compareBlocks(shared, number, next.job, kernel);
}

/** Receives all waiting messages. Returns the kernel for a memory; undefined if it did not arrive. */
function receiveKernel(id: number): DotKernel | undefined {
  for (let read = receiveMessageOnPort(port); read; read = receiveMessageOnPort(port)) {
    const { id, memory }: MemoryMessage = read.message;
    kernels.set(id, createDotKernel(memory));
  }
  return kernels.get(id);
}
