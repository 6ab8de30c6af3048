/** The index of a repository: its state, progress, reports, skipped files and files on disk. */
import { z } from 'zod';
import { repositoryPath } from './chunk.ts';
import { CHUNK_KINDS } from './chunk-kind.ts';
import type { Failure, LocusError } from './errors.ts';
import { packageInfo } from './packages.ts';

const languageFiles = z.object({ name: z.string(), title: z.string(), files: z.number() });

export const repositoryStatus = z.object({
  root: z.string(),
  name: z.string(),
  revision: z.string().nullable(),
  files: z.number(),
  chunks: z.number(),
  chunksByKind: z.record(z.enum(CHUNK_KINDS), z.number()),
  edges: z.number(),
  guessedEdges: z.number(),
  /** Number of chunks that have an embedding of the current model. */
  embedded: z.number(),
  filesWithErrors: z.number(),
  /** Languages of its files, most files first, then by name. */
  languages: z.array(languageFiles),
  /** Files in unsupported languages, by the language's name, most files first. */
  unread: z.array(z.object({ kind: z.string(), files: z.number() })),
  /** Number of past commits that search uses. */
  commits: z.number(),
  /** Packages by folder; empty if it has only one. */
  packages: z.array(packageInfo),
  skipped: z.record(z.string(), z.number()),
  model: z.object({ id: z.string(), version: z.string() }),
  /** Ids and versions of the reranker's models; empty if none is installed. */
  rerankModels: z.array(z.string()),
  databasePath: z.string(),
  databaseBytes: z.number(),
  state: z.enum(['empty', 'partial', 'complete']),
  indexedAt: z.string().nullable(),
  /** Notes for the user, such as files whose calls could not all be resolved. */
  notes: z.array(z.string()),
});
export type RepositoryStatus = z.output<typeof repositoryStatus>;

/** Phases of indexing, in order, then background embedding (`embed`) and the reranking of a search. */
export type IndexPhase =
  | 'download'
  | 'scan'
  | 'parse'
  | 'graph'
  | 'encode'
  | 'history'
  | 'embed'
  | 'rerank';

/** Progress of indexing. `done` and `total` count parts (download), files (scan, parse, graph), chunks (encode, embed, rerank) or commits (history). */
export interface IndexProgress {
  phase: IndexPhase;
  done: number;
  total: number;
  /** Units per second in this phase so far. */
  rate: number;
  /** Estimated seconds left in this phase; null if not known yet. */
  secondsLeft: number | null;
}

export interface IndexReport {
  files: number;
  chunks: number;
  edges: number;
  filesParsed: number;
  filesRemoved: number;
  chunksEncoded: number;
  skipped: number;
  submodules: string[];
  /** Seconds from the start to the first possible search and to completion, and seconds of each phase. */
  seconds: { firstSearch: number; total: number; phases: Partial<Record<IndexPhase, number>> };
  device: string;
  /** Notes for the user, such as a fallback to the CPU with its reason. */
  notes: string[];
}

/** Report of background embedding. */
export interface BackgroundEmbeddingReport {
  /** Number of functions that are embedded for the reranker, and of those embedded in this run. */
  functions: number;
  embedded: number;
  seconds: number;
}

export interface WatchUpdate {
  /** Paths of files that were parsed again, and of files that were removed. */
  changed: string[];
  removed: string[];
  chunksEncoded: number;
  /** Milliseconds from noticing the first change of the batch until search reflects it. */
  searchableMs: number;
  /** Milliseconds until the graph and embeddings are complete again. */
  totalMs: number;
}

export interface FollowingHealth {
  /** Reason why no changes reach the index; null if they do. Updating is retried until it succeeds. */
  failure: Error | null;
  /** Reason why some changes are noticed late or never; null if all are noticed in time. */
  warning: LocusError | null;
}

export interface IndexingState {
  /** `current`: indexing is complete, and a working tree is being watched. */
  phase: 'opening' | 'indexing' | 'current' | 'paused' | 'failed';
  progress: IndexProgress | null;
  report: IndexReport | null;
  failure: Failure | null;
  /** Reason why some changes are noticed late or never while the phase is `current`; null if none exists. */
  warning: Failure | null;
}

export const skippedFile = z.object({
  path: repositoryPath,
  reason: z.enum([
    'too large',
    'binary',
    'unreadable',
    'outside the root',
    'too many',
    'submodule',
    'excluded',
    'not checked out',
    'unsupported',
  ]),
  detail: z.string(),
});
export const skippedFiles = z.array(skippedFile);
export type SkippedFile = z.output<typeof skippedFile>;

/** An index in the data directory. */
export interface StoredIndex {
  id: string;
  /** Folder of its repository; null if that is no longer known. */
  root: string | null;
  name: string;
  bytes: number;
}
