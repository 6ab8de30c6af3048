/** Server side of a worker thread or process: runs the methods that `WorkerClient` calls. */
import { parentPort } from 'node:worker_threads';
import { assertPresent } from '../shared/assert-present.ts';
import { type Failure, toFailure } from '../shared/errors.ts';

export type ToWorker =
  | { id: number; method: string; params: unknown }
  | { cancel: number }
  | { close: true };

export type FromWorker =
  | { id: number; part: unknown }
  | { id: number; result: unknown }
  | { id: number; failure: Failure }
  | { notice: unknown };

export interface WorkerCall<Part = never> {
  /** Aborts when the caller cancels, and when the worker is closed. */
  signal: AbortSignal;
  send(part: Part): void;
}

export type WorkerMethods = Record<string, (params: never, call: WorkerCall<never>) => unknown>;

/** Worker's end of the channel to the client. */
export interface WorkerPort {
  post(message: FromWorker, transfers?: readonly ArrayBuffer[]): void;
  onMessage(listener: (message: ToWorker) => void): void;
  close(): void;
}

export function createThreadPort(): WorkerPort {
  const port = assertPresent(parentPort, 'the port of a worker thread');
  return {
    post: (message, transfers) => port.postMessage(message, transfers),
    onMessage: (listener) => port.on('message', listener),
    close: () => port.close(),
  };
}

export function createProcessPort(): WorkerPort {
  return {
    // Once the channel is closed, nobody waits for a result.
    post: (message) => void (process.connected && process.send?.(message)),
    onMessage: (listener) => process.on('message', listener),
    close: () => process.disconnect?.(),
  };
}

const transfersByResult = new WeakMap<object, readonly ArrayBuffer[]>();

/** Marks the buffers of a result, so that they are transferred to the client instead of copied. Returns the result. */
export function markTransfers<T extends object>(result: T, buffers: readonly ArrayBuffer[]): T {
  transfersByResult.set(result, buffers);
  return result;
}

export interface ServeOptions {
  /** Converts the error of a method before it is sent; unchanged by default. */
  explain?: (error: unknown) => unknown;
  onClose?: () => Promise<void>;
}

/** Runs methods for the client. Returns a function that sends a message to the client outside of any call. */
export function serveWorker(
  port: WorkerPort,
  methods: WorkerMethods,
  { explain = (error) => error, onClose = async () => {} }: ServeOptions = {},
): (notice: unknown) => void {
  const running = new Map<number, AbortController>();

  async function answer(id: number, method: string, params: unknown): Promise<void> {
    const controller = new AbortController();
    running.set(id, controller);
    const call = { signal: controller.signal, send: (part: unknown) => port.post({ id, part }) };
    try {
      const run = assertPresent(methods[method], 'a method of the worker');
      const result = await run(params as never, call);
      port.post({ id, result }, transfersByResult.get(Object(result)));
    } catch (error) {
      port.post({ id, failure: toFailure(explain(error)) });
    } finally {
      running.delete(id);
    }
  }

  async function close(): Promise<void> {
    for (const controller of running.values()) controller.abort();
    await onClose();
    port.close();
  }

  port.onMessage((message) => {
    if ('cancel' in message) running.get(message.cancel)?.abort();
    else if ('close' in message) void close();
    else void answer(message.id, message.method, message.params);
  });
  return (notice) => port.post({ notice });
}
