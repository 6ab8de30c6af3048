/** Client of a worker thread or process: calls, cancellation, errors, and the end of the worker. */
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Worker } from 'node:worker_threads';
import { fromFailure } from '../shared/errors.ts';
import { throwIfCancelled, waitUnlessCancelled } from './cancel.ts';
import type { FromWorker, ToWorker, WorkerCall, WorkerMethods } from './worker-server.ts';

/** Reason of a worker that ended without an error of its own. */
export class WorkerExit extends Error {}

/** Connection to a worker thread or process. */
export interface WorkerLink {
  post(message: ToWorker): void;
  onMessage(listener: (message: FromWorker) => void): void;
  /** Calls the listener when the worker fails and when it ends. */
  onEnd(listener: (reason: Error) => void): void;
  /** Keeps this process running, or lets it exit. */
  keepProcessAlive(isHeld: boolean): void;
  /** Terminates the worker. Resolves when it has ended. */
  kill(): Promise<void>;
}

export function linkThread(thread: Worker): WorkerLink {
  return {
    post: (message) => thread.postMessage(message),
    onMessage: (listener) => thread.on('message', listener),
    onEnd: (listener) => {
      thread.on('error', (error) => listener(error as Error));
      thread.on('exit', (code) => listener(new WorkerExit(`its thread ended with code ${code}`)));
    },
    keepProcessAlive: (isHeld) => (isHeld ? thread.ref() : thread.unref()),
    kill: async () => void (await thread.terminate()),
  };
}

export function linkProcess(child: ChildProcess): WorkerLink {
  let end: (reason: Error) => void = () => {};
  return {
    post: (message) => child.send(message, (error) => error && end(error)),
    onMessage: (listener) => child.on('message', (message) => listener(message as FromWorker)),
    onEnd: (listener) => {
      end = listener;
      child.on('error', listener);
      child.on('exit', (code, signal) =>
        listener(new WorkerExit(`its process ended with ${signal ?? `code ${code}`}`)),
      );
    },
    keepProcessAlive: (isHeld) => {
      const method = isHeld ? 'ref' : 'unref';
      child[method]();
      child.channel?.[method]();
    },
    kill: async () => {
      if (child.exitCode !== null || child.signalCode !== null || !child.pid) return;
      const ended = once(child, 'exit');
      child.kill('SIGKILL');
      await ended;
    },
  };
}

export interface WorkerClientOptions {
  /** Returns the error of pending calls when the worker fails or ends. */
  explainEnd: (reason: Error) => Error;
  onEnd?: (reason: Error) => void;
  /** Called with messages that the worker sends outside of any call. */
  onNotice?: (notice: never) => void;
  /** False if this process may exit while calls are pending; true by default. */
  holdsProcess?: boolean;
}

export interface CallOptions<Part> {
  signal?: AbortSignal | undefined;
  /** Name of the work in the error of a cancellation, such as "The transfer"; "The work" by default. */
  name?: string;
  onPart?: ((part: Part) => void) | undefined;
}

type MethodParams<Method> = Method extends (params: infer Params, call: never) => unknown
  ? Params
  : never;
type MethodResult<Method> = Method extends (...args: never) => infer Result
  ? Awaited<Result>
  : never;
type MethodPart<Method> = Method extends (params: never, call: WorkerCall<infer Part>) => unknown
  ? Part
  : never;

interface PendingCall {
  resolve(result: never): void;
  reject(error: Error): void;
  onPart(part: never): void;
}

/** Calls the methods that a worker serves with `serveWorker`. */
export class WorkerClient<T extends { [Name in keyof T]: WorkerMethods[string] }> {
  readonly #link: WorkerLink;
  readonly #options: WorkerClientOptions;
  readonly #pending = new Map<number, PendingCall>();
  readonly #ended = Promise.withResolvers<void>();
  #calls = 0;
  /** Error of all further calls; null while the worker can be used. */
  #end: Error | null = null;
  #isClosing = false;

  constructor(link: WorkerLink, options: WorkerClientOptions) {
    this.#link = link;
    this.#options = options;
    link.onMessage((message) => this.#receive(message));
    link.onEnd((reason) => {
      this.#ended.resolve();
      this.abandon(options.explainEnd(reason), reason);
    });
    this.#updateKeepAlive();
  }

  /** Number of calls without a result yet, not counting cancelled ones. */
  get pending(): number {
    return this.#pending.size;
  }

  /**
   * Calls a method of the worker.
   * @throws LocusError `cancelled`; the error of the method; the error from `explainEnd` if the worker fails or ends
   */
  async call<Name extends keyof T & string>(
    method: Name,
    params: MethodParams<T[Name]>,
    { signal, name = 'The work', onPart = () => {} }: CallOptions<MethodPart<T[Name]>> = {},
  ): Promise<MethodResult<T[Name]>> {
    throwIfCancelled(signal, name);
    if (this.#end) throw this.#end;
    const id = this.#calls++;
    const { promise, resolve, reject } = Promise.withResolvers<never>();
    this.#pending.set(id, { resolve, reject, onPart });
    this.#updateKeepAlive();
    try {
      this.#link.post({ id, method, params });
      return await waitUnlessCancelled(promise, signal, name);
    } finally {
      if (this.#pending.delete(id) && !this.#end) this.#link.post({ cancel: id });
      this.#updateKeepAlive();
    }
  }

  /** Calls a method, yields the parts that it sends, and returns its result. Cancels the call if the consumer stops. */
  async *stream<Name extends keyof T & string>(
    method: Name,
    params: MethodParams<T[Name]>,
    { signal, name }: Omit<CallOptions<never>, 'onPart'> = {},
  ): AsyncGenerator<MethodPart<T[Name]>, MethodResult<T[Name]>> {
    const stopped = new AbortController();
    const parts: MethodPart<T[Name]>[] = [];
    let isSettled = false;
    let wake = () => {};
    const onPart = (part: MethodPart<T[Name]>) => {
      parts.push(part);
      wake();
    };
    const either = AbortSignal.any([stopped.signal, ...(signal ? [signal] : [])]);
    const result = this.call(method, params, { signal: either, name, onPart }).finally(() => {
      isSettled = true;
      wake();
    });
    // The error is thrown after the last part.
    result.catch(() => {});
    try {
      for (;;) {
        const part = parts.shift();
        if (part !== undefined) yield part;
        else if (isSettled) return await result;
        else
          await new Promise<void>((resolve) => {
            wake = resolve;
          });
      }
    } finally {
      stopped.abort();
    }
  }

  /** Rejects all calls, now and later, with `error`. The worker itself keeps running. */
  abandon(error: Error, reason = error): void {
    if (this.#end) return;
    this.#end = error;
    for (const { reject } of this.#pending.values()) reject(error);
    this.#pending.clear();
    this.#options.onEnd?.(reason);
  }

  /**
   * Rejects all calls with `error`, and asks the worker to end.
   * @returns false if it has not ended after `patienceMs`
   */
  async close(error: Error, patienceMs?: number): Promise<boolean> {
    if (this.#end) return true;
    this.#isClosing = true;
    this.abandon(error);
    this.#link.post({ close: true });
    this.#updateKeepAlive();
    const ended = this.#ended.promise.then(() => true);
    if (patienceMs === undefined) return ended;
    const patience = new AbortController();
    try {
      return await Promise.race([ended, sleep(patienceMs, false, patience)]);
    } finally {
      patience.abort();
    }
  }

  /** Rejects all calls with `error` and terminates the worker. Resolves when it has ended. */
  async kill(error: Error): Promise<void> {
    // Otherwise this process could exit while the caller waits.
    this.#isClosing = true;
    this.abandon(error);
    this.#updateKeepAlive();
    await this.#link.kill();
  }

  /** Terminates a worker that may be stuck in a system call, without waiting. This process can exit before the worker ends. */
  killWithoutWaiting(error: Error): void {
    this.abandon(error);
    this.#updateKeepAlive();
    void this.#link.kill();
  }

  #receive(message: FromWorker): void {
    if ('notice' in message) {
      this.#options.onNotice?.(message.notice as never);
      return;
    }
    const pending = this.#pending.get(message.id);
    if ('part' in message) {
      pending?.onPart(message.part as never);
      return;
    }
    this.#pending.delete(message.id);
    if ('failure' in message) pending?.reject(fromFailure(message.failure));
    else pending?.resolve(message.result as never);
  }

  #updateKeepAlive(): void {
    const { holdsProcess = true } = this.#options;
    this.#link.keepProcessAlive(this.#isClosing || (holdsProcess && this.#pending.size > 0));
  }
}
