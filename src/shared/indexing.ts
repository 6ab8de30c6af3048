/** The index of a repository: how far it is, what a run did, what it left out, and where it lies. */
import { z } from 'zod';
import { CHUNK_KINDS, repositoryPath } from './chunk.ts';
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
  /** Chunks that have an embedding of the current model. */
  embedded: z.number(),
  filesWithErrors: z.number(),
  /** The languages of its files, most files first, equal ones by name. */
  languages: z.array(languageFiles),
  /** Files in languages that Locus does not read, by what people call them, most first. */
  unread: z.array(z.object({ kind: z.string(), files: z.number() })),
  /** Commits of its past that search knows. */
  commits: z.number(),
  /** Its packages by folder; empty if it has only one. */
  packages: z.array(packageInfo),
  skipped: z.record(z.string(), z.number()),
  model: z.object({ id: z.string(), version: z.string() }),
  /** Ids and versions of the models that read the first results of a search; empty if none is installed. */
  readModels: z.array(z.string()),
  databasePath: z.string(),
  databaseBytes: z.number(),
  state: z.enum(['empty', 'partial', 'complete']),
  indexedAt: z.string().nullable(),
  /** Notes for the user: files whose calls could not all be followed, and the like. */
  notes: z.array(z.string()),
});
export type RepositoryStatus = z.output<typeof repositoryStatus>;

/** `read` is no part of indexing: functions are read in advance, for the second step of searches. */
export type IndexPhase = 'download' | 'scan' | 'parse' | 'graph' | 'encode' | 'history' | 'read';

/** Progress of indexing. `done` and `total` count parts (download), files (scan, parse, graph), chunks (encode, read) or commits (history). */
export interface IndexProgress {
  phase: IndexPhase;
  done: number;
  total: number;
  /** Units a second in this phase so far. */
  rate: number;
  /** Estimated seconds left in this phase; null when not yet known. */
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
  /** Seconds from the start to: the first possible search, all done; and by phase. */
  seconds: { firstSearch: number; total: number; phases: Partial<Record<IndexPhase, number>> };
  device: string;
  /** Said to the user: a fallback to the CPU and why, and the like. */
  notes: string[];
}

export interface ReadingReport {
  /** Functions that searches find read, and how many of these were read now. */
  functions: number;
  read: number;
  seconds: number;
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

export interface FollowingHealth {
  /** Reason why changes do not reach the index; null while they do. It is tried again until it succeeds. */
  failure: Error | null;
  /** Reason why some changes are seen late, or not at all, though others reach the index; null if all are seen in time. */
  warning: LocusError | null;
}

export interface IndexingState {
  /** `current`: all done, and for a working tree, following its files. */
  phase: 'opening' | 'indexing' | 'current' | 'paused' | 'failed';
  progress: IndexProgress | null;
  report: IndexReport | null;
  failure: Failure | null;
  /** Reason why some changes are seen late, or not at all, while the phase is `current`. */
  warning: Failure | null;
}

const skippedFile = z.object({
  path: repositoryPath,
  reason: z.enum([
    'too large',
    'binary',
    'undecodable',
    'unreadable',
    'outside the root',
    'too many',
    'submodule',
    'excluded',
  ]),
  detail: z.string(),
});
export const skippedFiles = z.array(skippedFile);
export type SkippedFile = z.output<typeof skippedFile>;

/** A repository's index in the data directory. */
export interface StoredIndex {
  id: string;
  /** Null when it is not known any more which repository it was made from. */
  root: string | null;
  name: string;
  bytes: number;
}
