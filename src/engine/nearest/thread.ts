import { Worker } from 'node:worker_threads';
import { throwIfCancelled } from '../../base/cancel.ts';
import { linkThread, WorkerClient } from '../../base/worker-client.ts';
import type { BaseJob } from './build.ts';
import type { BaseMethods } from './worker.ts';

/** Megabytes of heap for the thread; the index lies elsewhere. */
const HEAP = 256;

/**
 * Builds or checks an index in a thread of its own. Returns what came of it; false where the thread could not.
 * @throws LocusError `cancelled` when the signal aborts, once the thread has ended
 */
export async function inThread(
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
