/** Makes the calls of the app's window: to an engine session in this process, or to one that `locus serve` runs. */

import { startSession } from '../../src/backend/engine-host.ts';
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
    const [first, second] = [new End(), new End()];
    first.#other = second;
    second.#other = first;
    return [first, second];
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

/** Client of an engine session that makes the same calls as the app's window. */
export class WindowClient {
  readonly #client = new RpcClient<EngineMethods, Events>();
  readonly #close: () => Promise<void>;
  #repository = '';

  /**
   * @param channel connection to the engine session
   * @param close ends the session
   */
  constructor(channel: Channel, close: () => Promise<void>) {
    this.#close = close;
    this.#client.attach(channel);
  }

  /** Starts a session in this process. */
  static inProcess(dataDir: string): WindowClient {
    const session = startSession({ dataDir, device: 'cpu' });
    const [clientEnd, sessionEnd] = End.pair();
    const window = new WindowClient(clientEnd, () => session.close());
    session.connect(sessionEnd);
    return window;
  }

  /**
   * Opens one folder, or several as a workspace, and starts indexing. `whenCurrent` resolves when all folders are indexed and
   * watched, and rejects if that fails. Rejects with LocusError `bad-repository` if a folder cannot be opened.
   */
  async open(roots: readonly string[]): Promise<{ whenCurrent: Promise<void> }> {
    const [first] = roots;
    const root = roots.length === 1 && first !== undefined ? first : encodeWorkspace(roots);
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    this.#client.on('indexing', ({ repository, state, members }) => {
      // A workspace has an event with `members` for all of it, and events without for each of its repositories.
      const isForAllRoots = roots.length === 1 || members !== undefined;
      if (!isForAllRoots || repository !== this.#repository) return;
      if (state.phase === 'current') resolve();
      if (state.phase === 'failed') reject(new Error(state.failure?.message));
    });
    promise.catch(() => {});
    const { id, indexing } = await this.#client.call('repository.open', { root });
    this.#repository = id;
    if (indexing.phase === 'current') resolve();
    return { whenCurrent: promise };
  }

  /** Returns the initial ranking, or the list of which the first `reranked` results are reranked. */
  search(issue: string, limit = 20, reranked = 0): Promise<SearchResponse> {
    const request = { issue, limit, rerank: { count: reranked } };
    return this.#client.call('search', { repository: this.#repository, request });
  }

  /** Resolves when the session next reports that the index includes changed files. */
  waitForUpdate(): Promise<void> {
    return new Promise((resolve) => {
      const stop = this.#client.on('updated', () => {
        stop();
        resolve();
      });
    });
  }

  /** Returns the code of the chunk with this address. */
  async readCode(address: string): Promise<string> {
    const request = { chunk: address };
    return (await this.#client.call('show', { repository: this.#repository, request })).code;
  }

  close(): Promise<void> {
    return this.#close();
  }
}
