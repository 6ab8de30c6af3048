import './no-telemetry.ts';
import { Worker } from 'node:worker_threads';
import type { LocusError } from '../../shared/errors.ts';
import {
  type Answers,
  type FromWorker,
  fromPlain,
  type Request,
  stopped,
  type ToWorker,
  type WorkerStart,
} from './messages.ts';

const CLOSE_MS = 5_000;

interface Pending {
  resolve(value: never): void;
  reject(error: Error): void;
}

/** The engine's end of a worker thread with a model in it. When the thread dies, what it owes is rejected. */
export class EncodeThread {
  readonly #worker: Worker;
  readonly #pending = new Map<number, Pending>();
  #nextId = 1;
  #dead: LocusError | null = null;
  device = '';
  fallback: string | null = null;

  private constructor(worker: Worker) {
    this.#worker = worker;
  }

  /**
   * Starts a thread and waits until its model is loaded. `onDeath` is called when it ends, for whatever reason.
   * @throws LocusError `bad-model`, or `device` when the thread dies
   */
  static async start(options: WorkerStart, onDeath: () => void): Promise<EncodeThread> {
    const worker = new Worker(new URL('./encode-worker.ts', import.meta.url), {
      workerData: options,
      name: 'encoder',
      // What needs more ends its thread, not the process.
      resourceLimits: { maxYoungGenerationSizeMb: 24, maxOldGenerationSizeMb: options.maxHeap },
    });
    const thread = new EncodeThread(worker);
    const ready = new Promise<void>((resolve, reject) => {
      worker.on('message', (message: FromWorker) => {
        if (message.type === 'ready') {
          thread.device = message.device;
          thread.fallback = message.fallback;
          resolve();
        } else if (message.type === 'failed') reject(fromPlain(message.error));
        else thread.#settle(message);
      });
      // An error is followed by the exit, when a new thread may have taken this one's place already.
      let dead = false;
      const die = (why: string) => {
        if (dead) return;
        dead = true;
        onDeath();
        thread.#die(stopped(why));
        reject(stopped(why));
      };
      worker.on('error', (error: NodeJS.ErrnoException) => {
        const full = error.code === 'ERR_WORKER_OUT_OF_MEMORY';
        die(full ? 'its thread ran out of memory' : error.message);
      });
      worker.on('exit', (code) => die(`its thread ended with code ${code}`));
    });
    await ready;
    // Only work under way keeps the process alive.
    worker.unref();
    return thread;
  }

  async ask<T extends Request>(request: T): Promise<Answers[T['type']]> {
    return this.send(request).answer;
  }

  /** Like `ask`, for callers that need the request's id. */
  send<T extends Request>(request: T): { id: number; answer: Promise<Answers[T['type']]> } {
    const id = this.#nextId++;
    const answer = new Promise<Answers[T['type']]>((resolve, reject) => {
      if (this.#dead) return reject(this.#dead);
      this.#pending.set(id, { resolve, reject });
      this.#worker.ref();
      this.#post({ ...request, id });
    });
    return { id, answer };
  }

  /** Lets go of what a request prepared. */
  forget(prepared: number): void {
    if (!this.#dead) this.#post({ type: 'forget', prepared });
  }

  /** Rejects what is under way with `reason`, and lets the thread end after its current batch. */
  async close(reason: LocusError): Promise<void> {
    if (this.#dead) return;
    this.#die(reason);
    this.#worker.ref();
    const ended = new Promise<void>((resolve) => this.#worker.once('exit', () => resolve()));
    this.#post({ type: 'close' });
    const timer = setTimeout(() => this.#worker.terminate(), CLOSE_MS);
    await ended;
    clearTimeout(timer);
  }

  #settle(message: Extract<FromWorker, { id: number }>): void {
    const pending = this.#pending.get(message.id);
    this.#pending.delete(message.id);
    if (this.#pending.size === 0) this.#worker.unref();
    if (message.type === 'error') pending?.reject(fromPlain(message.error));
    else pending?.resolve(message.value as never);
  }

  #die(reason: LocusError): void {
    this.#dead ??= reason;
    for (const { reject } of this.#pending.values()) reject(this.#dead);
    this.#pending.clear();
  }

  #post(message: ToWorker): void {
    this.#worker.postMessage(message);
  }
}
