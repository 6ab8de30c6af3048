import { Worker } from 'node:worker_threads';
import { throwIfCancelled } from '../event-loop/pacer.ts';
import type { BaseTask } from './worker.ts';

/** Megabytes of heap for the thread; the index lies elsewhere. */
const HEAP = 256;

/**
 * Builds or checks an index in a thread of its own. Returns what came of it; false where the thread could not.
 * @throws LocusError `cancelled` when the signal aborts, once the thread has ended
 */
export async function inThread(task: BaseTask, signal: AbortSignal): Promise<boolean> {
  throwIfCancelled(signal);
  const worker = new Worker(new URL('./worker.ts', import.meta.url), {
    workerData: task,
    name: 'nearest',
    resourceLimits: { maxOldGenerationSizeMb: HEAP },
  });
  // Nobody waits for it: it is made anew another time.
  worker.unref();
  const stop = () => void worker.terminate();
  signal.addEventListener('abort', stop);
  try {
    return await new Promise<boolean>((resolve) => {
      let done = false;
      worker.on('message', (answer: boolean) => {
        done = answer;
      });
      // An error is followed by the exit.
      worker.on('error', () => {});
      worker.on('exit', () => resolve(done));
    });
  } finally {
    signal.removeEventListener('abort', stop);
    throwIfCancelled(signal);
  }
}
