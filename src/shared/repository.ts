/**
 * Interface of an open repository for all hosts: the command line calls it in-process, the app over RPC. Requests are
 * validated on entry; results are the plain, JSON-safe types of the contract.
 */
import type {
  BackgroundEmbeddingReport,
  FollowingHealth,
  IndexingState,
  IndexProgress,
  IndexReport,
  RepositoryStatus,
  WatchUpdate,
} from './indexing.ts';
import type { IssueRecord } from './issues.ts';
import type { QueryName, QueryRequest, QueryResponse, ValidQueryRequest } from './queries.ts';
import type { SearchResponse } from './search.ts';
import type { CalibratedScore, MemberRepository } from './workspace.ts';

/** Options of a query, apart from its request. */
type QueryOptions<Name extends QueryName> = Name extends 'search'
  ? SearchOptions
  : { signal?: AbortSignal | undefined };

/** A query of a repository or workspace. Rejects with `LocusError` on bad input. */
type QueryMethod<Name extends QueryName> = (
  // A request without required fields is optional.
  ...args: Record<never, never> extends QueryRequest<Name>
    ? [request?: QueryRequest<Name>, options?: QueryOptions<Name>]
    : [request: QueryRequest<Name>, options?: QueryOptions<Name>]
) => Promise<QueryResponse<Name>>;

export type QueryTarget = { [Name in QueryName]: QueryMethod<Name> };

export type QueryMethods = {
  [Name in QueryName]: (
    request: ValidQueryRequest<Name>,
    options: QueryOptions<Name>,
  ) => Promise<QueryResponse<Name>>;
};

/** Runs a query whose name is known only at run time. */
export function runQuery(
  target: QueryTarget | QueryMethods,
  name: QueryName,
  request: object,
  options: object = {},
): Promise<never> {
  type Query = (request: object, options: object) => Promise<never>;
  return (target as Record<QueryName, Query>)[name](request, options);
}

/** Indexing and closing of an open repository or of one of its commits. */
export interface RepositoryLifetime {
  /** Brings the index up to date with the working tree. Searches work meanwhile. */
  index(options?: IndexOptions): Promise<IndexReport>;
  /**
   * Starts watching the files, brings the index up to date, then keeps it up to date until cancelled. Rejects if the first run
   * fails. Later failures, such as a moved folder or a full disk, are reported to `onHealth` and retried.
   * @throws LocusError `bad-repository` if the folder is missing at the start; `DamagedIndex`; the errors of `index`
   */
  watch(options: WatchOptions): Promise<void>;
  /**
   * Embeds all functions for the reranker in advance, source files first, at most `MAX_BACKGROUND_EMBEDDED`. Searches are then
   * reranked almost at once. The embeddings are stored beside the index. Pauses during searches, and stops early if the
   * index is reopened, for example after another process changed it.
   * @throws LocusError `bad-model` without a reranker, `busy` if another process does the same or the index is incomplete,
   *   `read-only`, `cancelled`. Embeddings computed before an error are kept.
   */
  embedForReranking(options?: EmbedForRerankingOptions): Promise<BackgroundEmbeddingReport>;
  close(): Promise<void>;
}

export interface EmbedForRerankingOptions {
  signal?: AbortSignal;
  onProgress?: (progress: IndexProgress) => void;
  /** Awaited before each batch of functions, to leave the machine to other work. */
  waitUntilIdle?: (signal: AbortSignal | undefined) => Promise<void>;
}

export interface IndexOptions {
  onProgress?: ((progress: IndexProgress) => void) | undefined;
  /** Called once if the run has to wait for another process that is writing the index, with its id if known. */
  onWait?: ((writer: number | null) => void) | undefined;
  /**
   * Called with the progress of an earlier run that this one waits for, if another process runs both. Without it, such a run is
   * refused after two seconds.
   */
  onQueued?: ((progress: IndexProgress) => void) | undefined;
  signal?: AbortSignal | undefined;
  /**
   * False leaves out reading past commits that would take long. Lists are then partial until a run without it. True by default.
   */
  history?: boolean | undefined;
  /** Text of an issue that somebody waits for: source files whose paths share words with it are parsed first. */
  about?: string | undefined;
}

/** Options of `watch`. Those of `IndexOptions` apply to the first run. */
export interface WatchOptions extends IndexOptions {
  signal: AbortSignal;
  onIndexed?: (report: IndexReport) => void;
  onUpdate?: (update: WatchUpdate) => void;
  /**
   * Called before `onUpdate` for a batch that takes long, as soon as search finds its text, and its embeddings if they are few.
   */
  onSearchable?: (update: WatchUpdate) => void;
  /** Called after the first run, whenever updating the index starts or stops to fail. */
  onHealth?: (health: FollowingHealth) => void;
  /**
   * False delays preparing the graph until the first edit, which saves 2 kB a chunk. That edit becomes searchable as fast as
   * any other, but its calls follow later. True by default.
   */
  prepareGraph?: boolean;
  /** Queues the first run with those of other repositories. By default, it starts at once. */
  enqueue?: <T>(work: () => Promise<T>) => Promise<T>;
}

export interface Repository extends QueryTarget, RepositoryLifetime {}

/** Options of a search, which resolves with the reranked list, or with the initial ranking if it is not reranked. */
export interface SearchOptions {
  /** Called with the initial ranking when reranking starts. */
  onInitial?: ((response: SearchResponse) => void) | undefined;
  /** Called while results are reranked, with the phase `rerank`. */
  onProgress?: ((progress: IndexProgress) => void) | undefined;
  /**
   * Called with a score that can be compared with other repositories; null if nothing is ranked. May return the number of
   * results needed, if that is less than the limit; only these are explained.
   */
  onCalibratedScore?: (score: CalibratedScore | null) => number | undefined;
  /** True to answer without results, at a tenth of the cost. The calibrated score is then an upper bound. */
  estimateOnly?: boolean;
  /**
   * True to skip the second pass over more candidates, which otherwise follows an uncertain ranking. Used in a workspace, where
   * a ranking is often uncertain because the answer is in another repository.
   */
  singlePass?: boolean;
  /** Cancels reranking between two candidates; rejects with `cancelled`. */
  signal?: AbortSignal | undefined;
}

export interface OpenedRepository {
  id: string;
  root: string;
  name: string;
  /** Opened commit; null for the working tree. */
  revision: string | null;
  status: RepositoryStatus;
  indexing: IndexingState;
  lastIssue: IssueRecord | null;
  /** Repositories of a workspace, by name; undefined for a single repository. `root` is then encoded, see `encodeWorkspace`. */
  members?: MemberRepository[];
}
