/** A repository that another process has open. If that process fails, the repository is opened here. */
import { Semaphore } from '../../base/semaphore.ts';
import { LocusError, type LocusErrorCode } from '../../shared/errors.ts';
import type { IndexProgress, IndexReport } from '../../shared/indexing.ts';
import type { QueryName } from '../../shared/queries.ts';
import {
  type IndexOptions,
  type QueryTarget,
  type Repository,
  type RepositoryLifetime,
  runQuery,
} from '../../shared/repository.ts';
import type { EngineConnection } from './connect.ts';
import { MAX_RUNNING, type UpdateProgress } from './protocol.ts';

/** Failures that depend only on the question. After any other one, this process tries by itself. */
const OWN_FAILURES: ReadonlySet<LocusErrorCode> = new Set(['bad-input', 'not-found', 'ambiguous']);

/** All queries. `queries.ts` is not imported, since it loads their schemas. */
const QUERIES = Object.keys({
  search: true,
  show: true,
  file: true,
  neighbors: true,
  tests: true,
  references: true,
  similar: true,
  blame: true,
  history: true,
  impact: true,
  resolveAnchors: true,
  find: true,
  grep: true,
  status: true,
  skipped: true,
} satisfies Record<QueryName, true>) as QueryName[];

/** Queries at a time. The other requests are updates of the index. */
const MAX_QUERIES = MAX_RUNNING - 3;

/** Opens a repository without the engine. @param isLost false if the engine answers, but not about this repository */
export type OpenWithoutEngine = (isLost: boolean) => Promise<Repository>;

interface AskOptions {
  signal?: AbortSignal | undefined;
  onProgress?: ((progress: IndexProgress) => void) | undefined;
}

/**
 * Returns the repository that an engine has open.
 * @param root folder of the repository, without links
 */
export function createAskedRepository(
  connection: EngineConnection,
  root: string,
  openHere: OpenWithoutEngine,
): Repository {
  const asked = new AskedRepository(connection, root, openHere);
  const queries = Object.fromEntries(
    QUERIES.map((name) => [
      name,
      (request?: object, options?: AskOptions) => asked.query(name, request, options),
    ]),
  ) as unknown as QueryTarget;
  return {
    ...queries,
    index: (options) => asked.index(options),
    watch: async (options) => (await asked.openHere()).watch(options),
    embedForReranking: async (options) => (await asked.openHere()).embedForReranking(options),
    close: () => asked.close(),
  } satisfies RepositoryLifetime;
}

class AskedRepository {
  readonly #connection: EngineConnection;
  readonly #root: string;
  readonly #open: OpenWithoutEngine;
  readonly #queries = new Semaphore(MAX_QUERIES);
  /** The repository in this process, once the engine is lost. */
  #here: Promise<Repository> | null = null;
  #isIndexed = false;

  constructor(connection: EngineConnection, root: string, open: OpenWithoutEngine) {
    this.#connection = connection;
    this.#root = root;
    this.#open = open;
  }

  openHere(isLost = false): Promise<Repository> {
    this.#connection.close();
    this.#here ??= this.#open(isLost);
    return this.#here;
  }

  async index(options: IndexOptions = {}): Promise<IndexReport> {
    const { signal, onProgress, onQueued, history } = options;
    const params = { root: this.#root, history, waits: onQueued !== undefined };
    const onPart = ({ isEarlier, ...progress }: UpdateProgress) =>
      (isEarlier ? onQueued : onProgress)?.(progress);
    const report = await this.#ask(
      signal,
      () => this.#connection.client.call('index', params, { signal, onPart }),
      (here) => here.index(options),
    );
    this.#isIndexed = true;
    return report;
  }

  query(name: QueryName, request: object = {}, options: AskOptions = {}): Promise<unknown> {
    const { signal, onProgress: onPart } = options;
    const params = { root: this.#root, name, request };
    return this.#ask(
      signal,
      () =>
        this.#queries.run(signal, 'The query', () =>
          this.#connection.client.call('query', params, { signal, onPart }),
        ),
      (here) => runQuery(here, name, request, options),
    );
  }

  async close(): Promise<void> {
    this.#connection.close();
    const here = await this.#here?.catch(() => null);
    await here?.close();
  }

  async #ask<T>(
    signal: AbortSignal | undefined,
    run: () => Promise<T>,
    runHere: (here: Repository) => Promise<T>,
  ): Promise<T> {
    if (this.#here) return runHere(await this.#here);
    let isLost = false;
    try {
      return await run();
    } catch (error) {
      // Failures of the engine arrive as such. Others are those of the connection.
      isLost = !(error instanceof LocusError);
      const isFinal = error instanceof LocusError && OWN_FAILURES.has(error.code);
      if (isFinal || signal?.aborted) throw error;
    }
    const here = await this.openHere(isLost);
    // The engine may have been lost before it stored the update.
    if (this.#isIndexed) await here.index({ signal });
    return runHere(here);
  }
}
