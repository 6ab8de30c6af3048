/** The index of a repository: how far it is, what a run did, what it left out, and where it lies. */
import type { ChunkKind } from './chunk.ts';
import type { Failure } from './errors.ts';
import type { PackageInfo } from './packages.ts';

export interface RepositoryStatus {
  root: string;
  name: string;
  revision: string | null;
  files: number;
  chunks: number;
  chunksByKind: Record<ChunkKind, number>;
  edges: number;
  guessedEdges: number;
  /** Chunks that have an embedding of the current model. */
  embedded: number;
  filesWithErrors: number;
  /** The languages of its files, most files first. */
  languages: { name: string; title: string; files: number }[];
  /** Files in languages that Locus does not read, by what people call them, most first. */
  unread: { kind: string; files: number }[];
  /** Commits of its past that search knows. */
  commits: number;
  /** Its packages by folder; none where it has not more than one. */
  packages: PackageInfo[];
  skipped: Record<string, number>;
  model: { id: string; version: string };
  /** Ids and versions of the models that read the first results of a search; none where none is installed. */
  readModels: string[];
  databasePath: string;
  databaseBytes: number;
  /** `complete`, or how far indexing got. */
  state: 'empty' | 'partial' | 'complete';
  indexedAt: string | null;
  /** What a person should know: files whose calls could not all be followed, and the like. */
  notes: string[];
}

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

/** What an indexing run did. */
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

/** What a reading in advance did. */
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

export interface IndexingState {
  /** `current`: all done, and for a working tree, following its files. */
  phase: 'opening' | 'indexing' | 'current' | 'paused' | 'failed';
  /** While indexing. */
  progress: IndexProgress | null;
  /** Of the last run that finished. */
  report: IndexReport | null;
  /** Why it failed. */
  failure: Failure | null;
}

/** Why a file is not in the index. */
type SkipReason =
  | 'too large'
  | 'binary'
  | 'undecodable'
  | 'unreadable'
  | 'outside the root'
  | 'too many'
  | 'submodule'
  | 'excluded';

export interface SkippedFile {
  path: string;
  reason: SkipReason;
  detail: string;
}

/** A repository's index in the data directory. */
export interface StoredIndex {
  id: string;
  /** Null when it is not known any more which repository it was made from. */
  root: string | null;
  name: string;
  bytes: number;
}
