/** The client side of RPC. Requests survive lost connections and restarts of the engine. */
import { cancelled, fromFailure, RemoteDefect } from '../errors.ts';
import { getOrAdd } from '../get-or-add.ts';
import type { Channel, EngineMessage, Methods } from './messages.ts';

/** The engine's first message on every connection. */
export interface EngineIdentity {
  /** Id of this run of the engine. */
  engine: string;
}

export type ConnectionState = 'connecting' | 'connected' | 'lost';

interface Pending {
  text: string;
  /** Connection epoch of the last send, and the engine that it was sent to; null if it was not sent yet. */
  epoch: number | null;
  engine: string | null;
  /** Number of engines that crashed during the request. */
  crashes: number;
  resolve: (result: never) => void;
  reject: (error: Error) => void;
}

/** A single crash may be caused by another request, so a request fails only after two. */
const MAX_CRASHES = 2;

export type AskEngine<M extends Methods> = <Name extends keyof M & string>(
  method: Name,
  params: M[Name]['params'],
  options?: { signal?: AbortSignal },
) => Promise<M[Name]['result']>;

type Prepare<M extends Methods> = (welcome: EngineIdentity, ask: AskEngine<M>) => Promise<void>;

export class RpcClient<M extends Methods, Events extends object> {
  readonly #prepare: Prepare<M>;
  readonly #pending = new Map<number, Pending>();
  readonly #listeners = new Map<keyof Events, Set<(data: never) => void>>();
  readonly #stateListeners = new Set<(state: ConnectionState) => void>();
  #channel: Channel | null = null;
  /** Connection epoch, increased by each welcome. Requests sent in earlier epochs may be lost. */
  #epoch = 0;
  #engine: string | null = null;
  #nextId = 1;
  #state: ConnectionState = 'connecting';

  /**
   * @param prepare restores the state in the engine that the client relies on. Called on every connection, before pending
   *   requests are sent; requests made with its `ask` are sent first.
   */
  constructor(prepare: Prepare<M> = async () => {}) {
    this.#prepare = prepare;
  }

  get state(): ConnectionState {
    return this.#state;
  }

  /** Switches to a channel. Unanswered requests are sent again after the engine's welcome. */
  attach(channel: Channel): void {
    const before = this.#channel;
    this.#channel = channel;
    before?.close();
    channel.onMessage((text) => {
      if (channel === this.#channel) this.#receive(JSON.parse(text) as EngineMessage);
    });
    channel.onClose(() => {
      if (channel === this.#channel) this.#lose();
    });
  }

  /**
   * Sends a request to the engine. Aborting the signal cancels the request there and rejects here.
   * @throws LocusError or RemoteDefect (as rejection) with the engine's code, message and remedy.
   */
  readonly call: AskEngine<M> = (method, params, options) =>
    this.#ask(method, params, options, this.#state === 'connected');

  /** Listens to an event. Returns a function that stops listening. */
  on<Name extends keyof Events>(event: Name, listener: (data: Events[Name]) => void): () => void {
    const listeners = getOrAdd(this.#listeners, event, () => new Set<(data: never) => void>());
    listeners.add(listener);
    return () => listeners.delete(listener);
  }

  onState(listener: (state: ConnectionState) => void): () => void {
    this.#stateListeners.add(listener);
    return () => this.#stateListeners.delete(listener);
  }

  #ask<Name extends keyof M & string>(
    method: Name,
    params: M[Name]['params'],
    { signal }: { signal?: AbortSignal } = {},
    now: boolean,
  ): Promise<M[Name]['result']> {
    const id = this.#nextId++;
    return new Promise((resolve, reject) => {
      if (signal?.aborted) return reject(cancelled('The request'));
      const text = JSON.stringify({ id, method, params });
      const pending = { text, epoch: null, engine: null, crashes: 0, resolve, reject };
      this.#pending.set(id, pending);
      signal?.addEventListener('abort', () => this.#cancel(id), { once: true });
      if (now) this.#send(pending);
    });
  }

  #receive(message: EngineMessage): void {
    if ('event' in message) {
      if (message.event === 'welcome') this.#begin(message.data as EngineIdentity);
      const listeners = this.#listeners.get(message.event as keyof Events) ?? [];
      for (const listener of listeners) listener(message.data as never);
      return;
    }
    if (message.id === null) return;
    const pending = this.#pending.get(message.id);
    // A restarted engine behind the same connection may have received it before `prepare`. It is sent again.
    if (pending && pending.epoch !== this.#epoch) return;
    this.#pending.delete(message.id);
    if ('error' in message) pending?.reject(fromFailure(message.error));
    else pending?.resolve(message.result as never);
  }

  async #begin(welcome: EngineIdentity): Promise<void> {
    const epoch = ++this.#epoch;
    // A host may restart its engine behind the same connection.
    this.#enter('connecting');
    if (this.#engine !== null && this.#engine !== welcome.engine) this.#countCrash(this.#engine);
    this.#engine = welcome.engine;
    await this.#prepare(welcome, (method, params, options) =>
      this.#ask(method, params, options, true),
    );
    if (epoch !== this.#epoch || !this.#channel) return;
    for (const pending of this.#pending.values()) {
      if (pending.epoch !== epoch) this.#send(pending);
    }
    this.#enter('connected');
  }

  #countCrash(engine: string): void {
    for (const [id, pending] of this.#pending) {
      if (pending.engine !== engine || ++pending.crashes < MAX_CRASHES) continue;
      this.#pending.delete(id);
      pending.reject(
        new RemoteDefect(
          'crashed',
          'The engine stopped twice while working on this.',
          'Try a smaller request, or check the log.',
        ),
      );
    }
  }

  #lose(): void {
    this.#channel = null;
    this.#enter('lost');
  }

  #send(pending: Pending): void {
    pending.epoch = this.#epoch;
    pending.engine = this.#engine;
    this.#channel?.post(pending.text);
  }

  #cancel(id: number): void {
    const pending = this.#pending.get(id);
    if (!pending) return;
    this.#pending.delete(id);
    if (pending.epoch === this.#epoch) this.#channel?.post(JSON.stringify({ cancel: id }));
    pending.reject(cancelled('The request'));
  }

  #enter(state: ConnectionState): void {
    if (this.#state === state) return;
    this.#state = state;
    for (const listener of this.#stateListeners) listener(state);
  }
}
