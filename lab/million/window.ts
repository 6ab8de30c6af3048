/** Runs the app's session and a window in one process, to measure the costs of the window. */

import { startSession } from '../../src/backend/engine-host.ts';
import type { EngineSession } from '../../src/backend/session.ts';
import { RpcClient } from '../../src/shared/rpc/client.ts';
import type { Events } from '../../src/shared/rpc/events.ts';
import type { Channel } from '../../src/shared/rpc/messages.ts';
import type { EngineMethods } from '../../src/shared/rpc/methods.ts';
import type { SearchResponse } from '../../src/shared/search.ts';
import { encodeWorkspace } from '../../src/shared/workspace.ts';

/** One end of a connection. Messages arrive at the other end asynchronously. */
class End implements Channel {
  #other: End | null = null;
  #listener: (text: string) => void = () => {};
  #onClose: () => void = () => {};

  static pair(): [End, End] {
    const [one, other] = [new End(), new End()];
    one.#other = other;
    other.#other = one;
    return [one, other];
  }

  post(text: string): void {
    setImmediate(() => {
      if (this.#other) this.#other.#listener(text);
    });
  }

  onMessage(listener: (text: string) => void): void {
    this.#listener = listener;
  }

  onClose(listener: () => void): void {
    this.#onClose = listener;
  }

  close(): void {
    this.#onClose();
  }
}

export class Window {
  readonly #session: EngineSession;
  readonly #client: RpcClient<EngineMethods, Events>;
  #repository = '';

  constructor(dataDir: string) {
    this.#session = startSession({ dataDir, device: 'cpu' });
    this.#client = new RpcClient();
    const [here, there] = End.pair();
    this.#client.attach(here);
    this.#session.connect(there);
  }

  /** Opens one folder or a workspace, and starts indexing. `current` resolves when all are indexed and watched. */
  async open(roots: readonly string[]): Promise<{ current: Promise<void> }> {
    const [only] = roots;
    const root = roots.length === 1 && only !== undefined ? only : encodeWorkspace(roots);
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    this.#client.on('indexing', ({ repository, state, members }) => {
      const isWhole = roots.length === 1 || members !== undefined;
      if (!isWhole || repository !== this.#repository) return;
      if (state.phase === 'current') resolve();
      if (state.phase === 'failed') reject(new Error(state.failure?.message));
    });
    promise.catch(() => {});
    const { id, indexing } = await this.#client.call('repository.open', { root });
    this.#repository = id;
    if (indexing.phase === 'current') resolve();
    return { current: promise };
  }

  /** Searches for the initial ranking, without reranking. */
  search(issue: string, limit = 20): Promise<SearchResponse> {
    const request = { issue, limit, rerank: { count: 0 } };
    return this.#client.call('search', { repository: this.#repository, request });
  }

  /** Resolves when the window is next notified of changed files in the index. */
  updated(): Promise<void> {
    return new Promise((resolve) => {
      const stop = this.#client.on('updated', () => {
        stop();
        resolve();
      });
    });
  }

  /** Returns the code of a function, by its address. */
  async code(chunk: string): Promise<string> {
    return (await this.#client.call('show', { repository: this.#repository, request: { chunk } }))
      .code;
  }

  close(): Promise<void> {
    return this.#session.close();
  }
}
