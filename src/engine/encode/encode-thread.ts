import '../../base/no-telemetry.ts';
import { Worker } from 'node:worker_threads';
import { linkThread, WorkerClient } from '../../base/worker-client.ts';
import type { EncoderPart } from '../../shared/detail.ts';
import type { Device } from '../../shared/devices.ts';
import { LocusError } from '../../shared/errors.ts';
import type { EncoderQuery } from '../issue/queries.ts';
import { explainEncodeFailure } from './encode-failures.ts';
import type { EncodeMethods } from './encode-worker.ts';
import type { ModelManifest } from './manifest.ts';
import type { EncoderDocument } from './types.ts';

const CLOSE_MS = 5_000;
const TICK_MS = 1_000;
/** Maximum number of seconds for one step of a thread: to load its model, or to run it on one batch. */
export const MAX_STEP_SECONDS = 120;

export interface EncodeThreadOptions {
  modelFolder: string;
  manifest: ModelManifest;
  device: Device;
  /** Maximum heap of the thread, in megabytes. The model is outside the heap. */
  maxHeap: number;
}

/** A thread that loads a model and runs it. */
export class EncodeThread {
  readonly #thread: Worker;
  readonly #client: WorkerClient<EncodeMethods>;
  #nextId = 0;
  device = '';
  fallback: string | null = null;

  private constructor(thread: Worker, client: WorkerClient<EncodeMethods>) {
    this.#thread = thread;
    this.#client = client;
  }

  /**
   * Starts a thread and waits until its model is loaded.
   * @param onEnd called when the thread ends, for whatever reason
   * @throws LocusError `bad-model`, also if a step takes too long; `device` if the thread dies
   */
  static async start(
    { modelFolder, manifest, device, maxHeap }: EncodeThreadOptions,
    maxStepSeconds: number,
    onEnd: () => void,
  ): Promise<EncodeThread> {
    const worker = new Worker(new URL('./encode-worker.ts', import.meta.url), {
      name: 'encoder',
      // Running out of memory ends the thread, not the process.
      resourceLimits: { maxYoungGenerationSizeMb: 24, maxOldGenerationSizeMb: maxHeap },
    });
    /** Duration of the current step in seconds, without the time in which this process was suspended. */
    let stepSeconds = 0;
    const client = new WorkerClient<EncodeMethods>(linkThread(worker), {
      explainEnd: explainEncodeFailure,
      onEnd: () => {
        clearInterval(watch);
        onEnd();
      },
      onNotice: () => {
        stepSeconds = 0;
      },
    });
    // Counts ticks instead of reading the clock, so that time while the process is suspended does not count.
    const watch = setInterval(() => {
      if (client.pending === 0) stepSeconds = 0;
      else if (++stepSeconds > maxStepSeconds) {
        client.abandon(createSlowError(modelFolder, maxStepSeconds));
        forceEnd(worker);
      }
    }, TICK_MS).unref();
    const thread = new EncodeThread(worker, client);
    try {
      const loaded = await client.call('load', { modelFolder, manifest, device });
      thread.device = loaded.device;
      thread.fallback = loaded.fallback;
      return thread;
    } catch (error) {
      void client.close(explainEncodeFailure(error));
      throw error;
    }
  }

  async prepare(documents: EncoderDocument[]): Promise<{ id: number; keys: string[] }> {
    const id = this.#nextId++;
    return { id, keys: await this.#client.call('prepare', { id, documents }) };
  }

  run(id: number, wanted: number[]) {
    return this.#client.call('run', { id, wanted });
  }

  release(id: number): void {
    // A thread that has ended has nothing to release.
    this.#client.call('release', { id }).catch(() => {});
  }

  query(issue: EncoderQuery): Promise<Float32Array> {
    return this.#client.call('query', { issue });
  }

  score(issue: EncoderQuery, document: EncoderDocument): Promise<number> {
    return this.#client.call('score', { issue, document });
  }

  explain(document: EncoderDocument): Promise<EncoderPart[]> {
    return this.#client.call('explain', { document });
  }

  /** Rejects pending calls with `reason`, and lets the thread end after its current batch. */
  async close(reason: LocusError): Promise<void> {
    if (!(await this.#client.close(reason, CLOSE_MS))) forceEnd(this.#thread);
  }
}

/**
 * Ends a thread that does not end by itself. A thread in native code cannot be stopped; then the process kills itself when
 * everything else has finished.
 */
function forceEnd(worker: Worker): void {
  const kill = () => process.kill(process.pid, 'SIGKILL');
  process.once('exit', kill);
  worker.once('exit', () => process.off('exit', kill));
  void worker.terminate();
  // After `terminate`, the process would wait for the thread.
  worker.unref();
}

function createSlowError(modelFolder: string, seconds: number): LocusError {
  return new LocusError(
    'bad-model',
    `The model in ${modelFolder} was stopped because one step took more than ${seconds} s.`,
    'Choose a smaller model, or check the source of this one.',
  );
}
