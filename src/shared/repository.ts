/**
 * What a repository can be asked, by any host: the command line calls it in-process, the app over RPC. Parameters are
 * validated where they come in; results are the plain, JSON-safe types of the contract.
 */
import type {
  FollowingHealth,
  IndexingState,
  IndexProgress,
  IndexReport,
  ReadingReport,
  RepositoryStatus,
  WatchUpdate,
} from './indexing.ts';
import type { IssueRecord } from './issues.ts';
import type { QueryName, RequestOf, ResponseOf, ValidRequestOf } from './queries.ts';
import type { SearchResponse } from './search.ts';
import type { MemberRepository, Standing } from './several.ts';

/** Options of a query, beside its request. */
type OptionsOf<Name extends QueryName> = Name extends 'search'
  ? SearchOptions
  : { signal?: AbortSignal | undefined };

/** A query of one repository, or of several together. Rejects with `LocusError` on bad input. */
type Ask<Name extends QueryName> = (
  // A request without required fields can be left out.
  ...asked: Record<never, never> extends RequestOf<Name>
    ? [request?: RequestOf<Name>, options?: OptionsOf<Name>]
    : [request: RequestOf<Name>, options?: OptionsOf<Name>]
) => Promise<ResponseOf<Name>>;

export type Answering = { [Name in QueryName]: Ask<Name> };

export type QueryMethods = {
  [Name in QueryName]: (
    request: ValidRequestOf<Name>,
    options: OptionsOf<Name>,
  ) => Promise<ResponseOf<Name>>;
};

/** Asks a query whose name is known at run time only. */
export function askQuery(
  asked: Answering | QueryMethods,
  name: QueryName,
  request: object,
  options: object = {},
): Promise<never> {
  type Query = (request: object, options: object) => Promise<never>;
  return (asked as Record<QueryName, Query>)[name](request, options);
}

/** An open repository, or an open commit of one, beside its queries. */
export interface RepositoryLifetime {
  /** Brings the index up to date with the tree; search works while it runs. */
  index(options?: IndexOptions): Promise<IndexReport>;
  /**
   * Watches the files, then brings the index up to date once, then keeps it so until aborted. A failure of that first run rejects.
   * Later failures, such as a folder that was moved away or a full disk, are reported to `onHealth` and retried.
   * @throws LocusError `bad-repository` if the folder is missing at the start; `DamagedIndex`; as `index`
   */
  watch(options: WatchOptions): Promise<void>;
  /**
   * Has the models of the second step read all functions in advance, of source files first: from then on they read the first
   * results of any search in no time. What was read stays, beside the index. Rests while somebody searches, and ends early when the
   * index is opened anew, as another process's edits have it. At most `MOST_READ_IN_ADVANCE`.
   * @throws LocusError `bad-model` without such a model, `busy` where another process reads them or the index is not complete,
   *   `read-only`, `cancelled`; what was read by then stays
   */
  readAll(options?: {
    signal?: AbortSignal;
    onProgress?: (progress: IndexProgress) => void;
  }): Promise<ReadingReport>;
  close(): Promise<void>;
}

export interface IndexOptions {
  onProgress?: ((progress: IndexProgress) => void) | undefined;
  /** Called once if the run waits for another process that writes the index. */
  onWait?: (() => void) | undefined;
  signal?: AbortSignal | undefined;
}

/** The part of `IndexOptions` is for the first run. */
export interface WatchOptions extends IndexOptions {
  signal: AbortSignal;
  onIndexed?: (report: IndexReport) => void;
  onUpdate?: (update: WatchUpdate) => void;
  /**
   * Called before `onUpdate` for a batch that takes long to be complete, once search has its text, and its embeddings where they are
   * few.
   */
  onSearchable?: (update: WatchUpdate) => void;
  /** Called when something begins or ends to keep changes from the index, once the first run has ended. */
  onHealth?: (health: FollowingHealth) => void;
  /**
   * False leaves the graph unresolved until the first edit, which saves 2 kB a chunk: that edit is in search as soon as any, and its
   * calls later. True by default.
   */
  prepare?: boolean;
  /** Runs the first run in its turn among those of other repositories; at once by default. */
  inTurn?: <T>(work: () => Promise<T>) => Promise<T>;
}

export interface Repository extends Answering, RepositoryLifetime {}

/** A search has two steps; it resolves with the list of the second, or with the first where there is no second. */
export interface SearchOptions {
  /** Called with the first list, when a second step begins. */
  onFirst?: ((response: SearchResponse) => void) | undefined;
  /**
   * Called with what can be held against a search of another repository, null where nothing ranks; may return how many of
   * the first results are wanted, where that is less than the limit: the others are not written out.
   */
  onStanding?: (standing: Standing | null) => number | undefined;
  /** Answer without results, at a tenth of the cost; the standing is the highest that a list could have. */
  glance?: boolean;
  /** Take no second look among more candidates where the first ranking is unsure: of several repositories, others are. */
  once?: boolean;
  /** Ends the second step between two candidates; rejects with `cancelled`. */
  signal?: AbortSignal | undefined;
}

export interface OpenedRepository {
  id: string;
  root: string;
  name: string;
  /** The commit that was opened; null for the files on disk. */
  revision: string | null;
  status: RepositoryStatus;
  indexing: IndexingState;
  lastIssue: IssueRecord | null;
  /** Only of several: each of them, by name. `root` is then their place, see `placeOf`. */
  members?: MemberRepository[];
}
