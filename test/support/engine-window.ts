import { setTimeout as sleep } from 'node:timers/promises';
import { Supervisor } from '../../src/backend/supervisor.ts';
import { type ForkedEngine, forkEngine } from '../../src/server/child.ts';
import type { Device } from '../../src/shared/devices.ts';
import type { MarkedChunk, MarksResult } from '../../src/shared/marks.ts';
import type { PostResult } from '../../src/shared/post.ts';
import { RpcClient } from '../../src/shared/rpc/client.ts';
import type { Events } from '../../src/shared/rpc/events.ts';
import type { EngineMethods } from '../../src/shared/rpc/methods.ts';
import type { SearchRequest, SearchResponse } from '../../src/shared/search.ts';
import { ISSUE_ID } from './journey-parts.ts';
import { ISSUES } from './rerank-and-exit.ts';

/** A window of one repository and its supervised engine, without a socket between them. */
export class EngineWindow {
  /** Number of engines that were started. */
  starts = 0;
  readonly #root: string;
  readonly #client: RpcClient<EngineMethods, Events>;
  readonly #supervisor: Supervisor<ForkedEngine>;
  #repository = '';
  #receive: (text: string) => void = () => {};

  private constructor(dataDir: string, root: string, device: Device) {
    this.#root = root;
    this.#client = new RpcClient(async (_welcome, ask) => {
      await ask('repository.open', { root });
    });
    const client = 'window';
    this.#client.attach({
      post: (text) => this.#supervisor.process?.send({ type: 'message', client, text }),
      onMessage: (listener) => {
        this.#receive = listener;
      },
      onClose: () => {},
      close: () => {},
    });
    const options = { dataDir, device, backgroundEmbeddingMs: 20 };
    this.#supervisor = new Supervisor(() => forkEngine(options), {
      onStart: (engine) => {
        this.starts++;
        engine.onMessage((message) => this.#receive(message.text));
        engine.send({ type: 'connect', client, allowedRoot: null });
      },
      onCrash: () => {},
    });
  }

  /** Opens a repository, with background embedding. */
  static async open(dataDir: string, root: string, device: Device = 'cpu'): Promise<EngineWindow> {
    const window = new EngineWindow(dataDir, root, device);
    await window.#client.call('settings.set', { backgroundEmbedding: true });
    window.#repository = (await window.#client.call('repository.open', { root: window.#root })).id;
    return window;
  }

  search(
    request: SearchRequest = { issue: ISSUES[0]!, limit: 30, rerank: { count: 20 } },
  ): Promise<SearchResponse> {
    return this.#client.call('search', { repository: this.#repository, request });
  }

  /** Searches until the results are reranked. Returns the time of one more search in milliseconds. */
  async waitUntilReranked(): Promise<number> {
    while ((await this.search()).reranking.state !== 'reranked') await sleep(100);
    const start = performance.now();
    await this.search();
    return performance.now() - start;
  }

  mark(chunk: string, note: string): Promise<MarksResult> {
    const save = { text: ISSUES[0]!, source: null };
    const marks = [{ chunk, mark: 'edit' as const, note }];
    const repository = this.#repository;
    return this.#client.call('marks.set', { repository, issue: ISSUE_ID, save, marks });
  }

  marks(issue: string): Promise<MarkedChunk[]> {
    return this.#client.call('marks.list', { repository: this.#repository, issue });
  }

  /** Posts a text to an issue, at most once even if the engine is killed. */
  async post(issue: string, text: string): Promise<PostResult> {
    const repository = this.#repository;
    const { ticket } = await this.#client.call('post.target', { repository, issue });
    return this.#client.call('post.run', { ticket, text });
  }

  kill(): void {
    this.#supervisor.process?.kill();
  }

  close(): Promise<void> {
    return this.#supervisor.close();
  }
}
