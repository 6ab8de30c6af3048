/**
 * What an engine can be asked, by any host: the command line calls it in-process, the app over RPC.
 * Parameters are validated here, at the boundary; results are the plain types of `types.ts`.
 */
import { z } from 'zod';
import { MAX_ISSUE } from './limits.ts';
import { MARKS } from './marks.ts';
import type {
  AnchorMatches,
  ChunkDetail,
  ChunkSummary,
  FileDetail,
  IndexProgress,
  IndexReport,
  Neighborhood,
  RepositoryStatus,
  SearchResponse,
  SkippedFile,
} from './types.ts';

const marked = z.array(z.string().min(1).max(10_000)).max(200);

/** Chunks that a person marked. The list is refined by them; addresses that this snapshot lacks are ignored and said in `issue.notes`. */
export const feedback = z.partialRecord(z.enum(MARKS), marked);

export const searchRequest = z.object({
  issue: z.string().max(MAX_ISSUE),
  limit: z.int().min(1).max(1000).default(20),
  tests: z.enum(['demote', 'exclude', 'include']).default('demote'),
  paths: z.array(z.string().min(1).max(1000)).max(100).optional(),
  kinds: z.array(z.enum(['function', 'method', 'class', 'module'])).optional(),
  feedback: feedback.optional(),
});

export const neighborsRequest = z.object({
  chunk: z.string().min(1).max(20_000),
  depth: z.int().min(1).max(5).default(1),
  direction: z.enum(['callers', 'callees', 'both']).default('both'),
  /** Nodes at most; the nearest stay. */
  limit: z.int().min(1).max(5000).default(200),
});

/** Where a chunk of some other snapshot (or of a list made elsewhere) was. */
const anchor = z.object({
  path: z.string().min(1),
  qualifiedName: z.string().min(1),
  ordinal: z.int().min(0),
  /** `contentHash` of the chunk there; null when not known. */
  contentHash: z
    .string()
    .regex(/^[0-9a-f]{40}$/)
    .nullable(),
});
export const anchorsRequest = z.array(anchor).max(10_000);
export type Anchor = z.output<typeof anchor>;

/** One repository (or one commit of one), opened. All methods reject with `LocusError` on bad input. */
export interface Repository {
  /** Brings the index up to date with the tree; search works while it runs. */
  index(options?: {
    onProgress?: (progress: IndexProgress) => void;
    signal?: AbortSignal;
  }): Promise<IndexReport>;
  /** Follows the file system and keeps the index up to date until aborted; `onUpdate` after each batch of changes. */
  watch(options: {
    signal: AbortSignal;
    onUpdate?: (update: WatchUpdate) => void;
    onError?: (error: Error) => void;
  }): Promise<void>;
  search(request: z.input<typeof searchRequest>): Promise<SearchResponse>;
  /** `chunk`: an address, `path:line`, or a qualified name that is unique in the repository. */
  show(chunk: string): Promise<ChunkDetail>;
  /** A whole file as it was indexed; `path` relative to the repository. */
  file(path: string): Promise<FileDetail>;
  neighbors(request: z.input<typeof neighborsRequest>): Promise<Neighborhood>;
  /** What this snapshot has at each anchor's place, with its content and of its name; parallel to `anchors`. */
  resolveAnchors(anchors: z.input<typeof anchorsRequest>): Promise<AnchorMatches[]>;
  /** Chunks, and files, whose name contains this text; best first. */
  find(name: string, limit: number): Promise<ChunkSummary[]>;
  status(): Promise<RepositoryStatus>;
  skipped(): Promise<SkippedFile[]>;
  close(): Promise<void>;
}

export interface WatchUpdate {
  /** Files parsed anew and files removed. */
  changed: string[];
  removed: string[];
  chunksEncoded: number;
  /** From the first change of the batch being seen to search reflecting it. */
  searchableMs: number;
  /** ... and to graph and embeddings being complete again. */
  totalMs: number;
}
