/** Runs GGUF models in processes of their own, which end when idle, when a request is cancelled or late, and with this process. */
import { fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { IdleTimer } from '../../base/idle-timer.ts';
import { SerialQueue } from '../../base/serial-queue.ts';
import { linkProcess, WorkerClient } from '../../base/worker-client.ts';
import { cancelled, LocusError } from '../../shared/errors.ts';
import { selectVariables } from './agents.ts';
import type { GgufAnswer, GgufMethods, GgufQuestion, GgufServerOptions } from './gguf-server.ts';

/** Milliseconds without a request after which a model leaves the memory. */
const IDLE_MS = 120_000;
/** Megabytes of JavaScript in the process. The model itself is not counted. */
const HEAP_MB = 1024;
/** Variables of graphics drivers. */
const DRIVERS = /^(LD_LIBRARY_PATH|DYLD_LIBRARY_PATH|CUDA_\w+|NVIDIA_\w+|VK_\w+)$/;

export type GgufProcessOptions = GgufServerOptions & { idleMs?: number };

/** One model. Its process starts with the first question. */
export class GgufProcess {
  readonly #options: GgufProcessOptions;
  readonly #queue = new SerialQueue();
  readonly #idle: IdleTimer;
  #running: { client: WorkerClient<GgufMethods>; pid: number | undefined } | null = null;

  constructor(options: GgufProcessOptions) {
    this.#options = options;
    this.#idle = new IdleTimer(options.idleMs ?? IDLE_MS, () => void this.close());
  }

  /** Id of the process; null while the model is not loaded. */
  get pid(): number | null {
    return this.#running?.pid ?? null;
  }

  /**
   * Returns the model's answer, and reports it in parts while it is written. If the signal aborts, the process ends at once, even in the middle of a token.
   * @throws LocusError `cancelled`; `bad-model` if the file is no usable model; `device` if there is not enough memory
   */
  ask(
    question: GgufQuestion,
    signal: AbortSignal,
    onPart?: (text: string) => void,
  ): Promise<GgufAnswer> {
    return this.#queue.add(async () => {
      this.#idle.stop();
      try {
        const { client } = this.#start();
        return await client.call('ask', question, { signal, name: 'The check', onPart });
      } catch (error) {
        if (!isAboutQuestion(error)) await this.close();
        throw error;
      } finally {
        this.#idle.restart();
      }
    });
  }

  async close(): Promise<void> {
    this.#idle.stop();
    await this.#running?.client.kill(cancelled('The check'));
  }

  /** Ends the process after the questions that it was asked. */
  closeWhenFree(): Promise<void> {
    return this.#queue.add(() => this.close());
  }

  #start() {
    if (this.#running) return this.#running;
    const { idleMs: _, ...options } = this.#options;
    const script = fileURLToPath(new URL('./gguf-server.ts', import.meta.url));
    const child = fork(script, [JSON.stringify(options)], {
      execArgv: [`--max-old-space-size=${HEAP_MB}`],
      env: selectVariables(process.env, DRIVERS),
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    });
    const client = new WorkerClient<GgufMethods>(linkProcess(child), {
      explainEnd: ({ message }) => createEndedError(this.#options.file, message),
      onEnd: () => {
        if (this.#running?.client === client) this.#running = null;
      },
    });
    this.#running = { client, pid: child.pid };
    return this.#running;
  }
}

/** Returns true if the process can answer another question. */
const isAboutQuestion = (error: unknown): boolean =>
  error instanceof LocusError && error.code === 'bad-input';

const processes = new Map<string, GgufProcess>();

/** Returns the process of a model, which all requests share. Other models leave the memory. */
export async function openProcess(options: GgufProcessOptions): Promise<GgufProcess> {
  const key = JSON.stringify(options);
  const known = processes.get(key);
  if (known) return known;
  const opened = new GgufProcess(options);
  const others = [...processes.values()];
  processes.clear();
  processes.set(key, opened);
  await Promise.all(others.map((other) => other.closeWhenFree()));
  return opened;
}

const createEndedError = (file: string, reason: string): LocusError =>
  new LocusError(
    'device',
    `The model ${file} could not be run: ${reason}.`,
    'It may need more memory than is free, or its file may be damaged. Check it with locus models verify, or use a smaller model.',
  );
