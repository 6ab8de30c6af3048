import '../../base/no-telemetry.ts';
import { Worker } from 'node:worker_threads';
import { linkThread, WorkerClient } from '../../base/worker-client.ts';
import type { EncoderPart } from '../../shared/detail.ts';
import type { Device } from '../../shared/devices.ts';
import { LocusError } from '../../shared/errors.ts';
import type { EncoderQuery } from '../issue/queries.ts';
import { explainFailure } from './encode-failures.ts';
import type { EncodeMethods } from './encode-worker.ts';
import type { EncoderDocument } from './types.ts';

const CLOSE_MS = 5_000;
const TICK_MS = 1_000;
/** Seconds that a thread may take for one step: to load its model, or to run it on one batch. */
export const MAX_STEP_SECONDS = 120;

export interface EncodeThreadOptions {
  modelFolder: string;
  device: Device;
  /** Megabytes of heap for the thread; the model itself lies elsewhere. */
  maxHeap: number;
}

export class EncodeThread {
  readonly #thread: Worker;
  readonly #client: WorkerClient<EncodeMethods>;
  #prepared = 0;
  device = '';
  fallback: string | null = null;

  private constructor(thread: Worker, client: WorkerClient<EncodeMethods>) {
    this.#thread = thread;
    this.#client = client;
  }

  /**
   * Starts a thread and waits until its model is loaded. `onEnd` is called when it ends, for whatever reason.
   * @throws LocusError `bad-model`, also when a step takes too long; `device` when the thread dies
   */
  static async start(
    { modelFolder, device, maxHeap }: EncodeThreadOptions,
    maxStepSeconds: number,
    onEnd: () => void,
  ): Promise<EncodeThread> {
    const worker = new Worker(new URL('./encode-worker.ts', import.meta.url), {
      name: 'encoder',
      // What needs more ends its thread, not the process.
      resourceLimits: { maxYoungGenerationSizeMb: 24, maxOldGenerationSizeMb: maxHeap },
    });
    /** Seconds of the step under way, as far as this process ran meanwhile. */
    let stepSeconds = 0;
    const client = new WorkerClient<EncodeMethods>(linkThread(worker), {
      explainEnd: explainFailure,
      onEnd: () => {
        clearInterval(watch);
        onEnd();
      },
      onNotice: () => {
        stepSeconds = 0;
      },
    });
    // Counts instead of looking at the clock: a process that was suspended has not waited.
    const watch = setInterval(() => {
      if (client.pending === 0) stepSeconds = 0;
      else if (++stepSeconds > maxStepSeconds) {
        client.abandon(tooSlow(modelFolder, maxStepSeconds));
        abandon(worker);
      }
    }, TICK_MS).unref();
    const thread = new EncodeThread(worker, client);
    try {
      const loaded = await client.call('load', { modelFolder, device });
      thread.device = loaded.device;
      thread.fallback = loaded.fallback;
      return thread;
    } catch (error) {
      void client.close(explainFailure(error));
      throw error;
    }
  }

  async prepare(documents: EncoderDocument[]): Promise<{ id: number; keys: string[] }> {
    const id = this.#prepared++;
    return { id, keys: await this.#client.call('prepare', { id, documents }) };
  }

  run(id: number, wanted: number[]) {
    return this.#client.call('run', { id, wanted });
  }

  release(id: number): void {
    // A thread that has ended has none.
    this.#client.call('release', { id }).catch(() => {});
  }

  query(issue: EncoderQuery): Promise<Float32Array> {
    return this.#client.call('query', { issue });
  }

  explain(document: EncoderDocument): Promise<EncoderPart[]> {
    return this.#client.call('explain', { document });
  }

  /** Rejects what is under way with `reason`, and lets the thread end after its current batch. */
  async close(reason: LocusError): Promise<void> {
    if (!(await this.#client.close(reason, CLOSE_MS))) abandon(this.#thread);
  }
}

/** Ends a thread that does not end by itself. In native code it goes on: the process is killed then, when all else is done. */
function abandon(worker: Worker): void {
  const kill = () => process.kill(process.pid, 'SIGKILL');
  process.once('exit', kill);
  worker.once('exit', () => process.off('exit', kill));
  void worker.terminate();
  // Terminating has the process wait for the thread.
  worker.unref();
}

function tooSlow(modelFolder: string, seconds: number): LocusError {
  return new LocusError(
    'bad-model',
    `The model in ${modelFolder} was stopped: one step took more than ${seconds} s.`,
    'Choose a smaller model, or check where this one comes from.',
  );
}
