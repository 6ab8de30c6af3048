/**
 * What a repository can be asked, by any host: the command line calls it in-process, the app over RPC. Parameters are
 * validated where they come in; results are the plain, JSON-safe types of the contract.
 */
import type { z } from 'zod';
import type { AnchorMatches, anchorsRequest } from './anchors.ts';
import type { Blame, blameRequest } from './blame.ts';
import type { Neighborhood, neighborsRequest } from './call-graph.ts';
import type { ChunkSummary } from './chunk.ts';
import type { ChunkDetail, FileDetail } from './detail.ts';
import type {
  IndexingState,
  IndexProgress,
  IndexReport,
  ReadingReport,
  RepositoryStatus,
  SkippedFile,
  WatchUpdate,
} from './indexing.ts';
import type { IssueRecord } from './issues.ts';
import type { References, referencesRequest } from './references.ts';
import type { SearchRequest, SearchResponse } from './search.ts';
import type { MemberRepository } from './several.ts';
import type { SimilarChunks, similarRequest } from './similar.ts';
import type { Standing } from './standing.ts';

/** What can be asked of one repository, or of several together. All methods reject with `LocusError` on bad input. */
export interface Answering {
  /**
   * Ranks what is indexed, in two steps; resolves with the list of the second, or with the first where there is none.
   * @param options.onFirst told the first list, when a second step begins.
   * @param options.onStanding told what can be held against a search of another repository, null where nothing ranks; may return
   *   how many of the first results are wanted, where that is less than the limit: the others are not written out.
   * @param options.glance answers without results, at a tenth of the cost; the standing is the highest that a list could have.
   * @param options.once no second look among more candidates where the first ranking is unsure: of several repositories, others are.
   * @param options.signal ends the second step between two candidates; rejects with `cancelled`.
   */
  search(request: SearchRequest, options?: SearchOptions): Promise<SearchResponse>;
  /** `chunk`: an address, `path:line`, or a qualified name that is unique in the repository. */
  show(chunk: string): Promise<ChunkDetail>;
  /** A whole file as it was indexed; `path` relative to the repository. */
  file(path: string): Promise<FileDetail>;
  neighbors(request: z.input<typeof neighborsRequest>): Promise<Neighborhood>;
  /** Who refers to a chunk, with the lines where they do. */
  references(request: z.input<typeof referencesRequest>): Promise<References>;
  /** The commit that a line of a file, as it was indexed, is from; asks git. */
  blame(request: z.input<typeof blameRequest>, options?: { signal?: AbortSignal }): Promise<Blame>;
  /** The chunks most like one in meaning, by their embeddings; of several repositories, those of its own. */
  similar(request: z.input<typeof similarRequest>): Promise<SimilarChunks>;
  /** What this snapshot has at each anchor's place, with its content and of its name; parallel to `anchors`. */
  resolveAnchors(anchors: z.input<typeof anchorsRequest>): Promise<AnchorMatches[]>;
  /** Chunks, and files, whose name contains this text; best first. */
  find(name: string, limit: number): Promise<ChunkSummary[]>;
  status(): Promise<RepositoryStatus>;
  skipped(): Promise<SkippedFile[]>;
}

/** One repository (or one commit of one), opened. */
export interface Repository extends Answering {
  /** Brings the index up to date with the tree; search works while it runs. */
  index(options?: {
    /** Whether `watch` comes next: what it needs stays in memory, 2 kB a chunk. */
    follow?: boolean;
    onProgress?: (progress: IndexProgress) => void;
    /** Called once where it waits for another process that writes the index. */
    onWait?: () => void;
    signal?: AbortSignal;
  }): Promise<IndexReport>;
  /**
   * Follows the file system and keeps the index up to date until aborted; `onUpdate` after each batch of changes. With
   * `prepare` false the graph is not resolved before the first edit: that one is in search as soon as any, and its calls later.
   * `onSearchable` before that, once search has the text of a batch that takes long to be complete, and its embeddings where they are few.
   * @throws LocusError `bad-repository` when the folder is deleted or moved
   */
  watch(options: {
    signal: AbortSignal;
    onUpdate?: (update: WatchUpdate) => void;
    onSearchable?: (update: WatchUpdate) => void;
    onError?: (error: Error) => void;
    prepare?: boolean;
  }): Promise<void>;
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

export interface SearchOptions {
  onFirst?: (response: SearchResponse) => void;
  onStanding?: (standing: Standing | null) => number | undefined;
  glance?: boolean;
  once?: boolean;
  signal?: AbortSignal;
}

export interface OpenedRepository {
  id: string;
  root: string;
  name: string;
  /** The commit that was opened; null for the files on disk. */
  revision: string | null;
  status: RepositoryStatus;
  indexing: IndexingState;
  /** The issue that was worked on last here. */
  lastIssue: IssueRecord | null;
  /** Only of several: each of them, by name. `root` is then their place, see `placeOf`. */
  members?: MemberRepository[];
}
