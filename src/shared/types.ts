/**
 * The vocabulary of Locus: plain, JSON-safe types that the engine, the hosts and the views share.
 * Line numbers are 1-based and inclusive, columns and text offsets are 0-based UTF-16 units.
 */
import type { Evidence, IssueSpan } from './evidence.ts';
import type { Mark } from './marks.ts';

/** What a chunk is. `module` is all of a file's code outside any definition. */
export type ChunkKind = 'function' | 'method' | 'class' | 'module';

/** What a file is for; anything but `source` is demoted in the ranking unless asked for. */
export type FileRole = 'source' | 'test' | 'example' | 'doc';

/**
 * A chunk's identity as text: `path::qualifiedName`, with `#n` (n >= 2) for the n-th definition of
 * the same name in the file. The module chunk of a file is `path::<module>`.
 */
export type ChunkAddress = string;

/** A chunk without its text. */
export interface ChunkSummary {
  address: ChunkAddress;
  path: string;
  qualifiedName: string;
  /** 0 for the first definition of this name in the file, 1 for its first redefinition, ... */
  ordinal: number;
  name: string;
  kind: ChunkKind;
  /** Name of its language: `python`. */
  language: string;
  role: FileRole;
  startLine: number;
  endLine: number;
}

export type { IssueSpan };

export interface RankedChunk extends ChunkSummary {
  rank: number;
  /** Only where marks refined the list: its rank without them; null when nothing but the marks made it a candidate. */
  rankWithoutMarks?: number | null;
  score: number;
  evidence: Evidence;
}

/** What the engine recognised in an issue. */
export interface IssueReport {
  /** The first line with anything in it, without Markdown heading marks. */
  title: string;
  /** Length of the text given, in UTF-16 units. */
  length: number;
  /** Identifiers that name definitions of this repository. */
  names: (IssueSpan & { definitions: number })[];
  /** File paths, dotted module names and base names that exist in this repository. */
  paths: (IssueSpan & { files: string[] })[];
  /** Traceback frames, outermost first; `address` is null for code outside the repository. */
  frames: (IssueSpan & {
    path: string;
    line: number;
    name: string;
    address: ChunkAddress | null;
  })[];
  /** Where code and output stand: blocks with their marks, indented lines, tracebacks. */
  blocks: { start: number; end: number }[];
  /** What a person should know: truncated, binary, nothing recognised, ... */
  notes: string[];
}

/** Why a ranking is not yet the final one; null when it is. */
export interface PartialRanking {
  reason: string;
  /** Chunks that can be found, and those of them with an embedding. */
  chunks: number;
  embedded: number;
}

export interface SearchResponse {
  repository: {
    root: string;
    name: string;
    revision: string | null;
    files: number;
    chunks: number;
  };
  issue: IssueReport;
  model: { id: string; version: string; device: string; ranker: string };
  partial: PartialRanking | null;
  /** Chunks that pass the request's filters; the results are the best of these. */
  considered: number;
  /** How likely it is that one of the first five results is to be edited, 0 to 1; null where nobody can say. */
  confidence: number | null;
  /** Milliseconds spent on this search. */
  tookMs: number;
  results: RankedChunk[];
}

export interface SearchRequest {
  issue: string;
  /** How many results; default 20. */
  limit?: number;
  /** `demote` (default) ranks tests, examples and docs lower; `exclude` leaves them out; `include` treats them as source. */
  tests?: 'demote' | 'exclude' | 'include';
  /** Keep only chunks whose path matches one of these globs. */
  paths?: string[];
  /** Keep only these kinds. */
  kinds?: ChunkKind[];
  /** Refines the list by chunks that a person marked. */
  feedback?: Feedback;
}

/** The chunks with each mark, at most 200 of each; none of a mark that is left out. */
export type Feedback = Partial<Record<Mark, ChunkAddress[]>>;

/** How one chunk refers to another. `calls` includes constructors; `decorates`: the callee is the decorator. */
export type EdgeKind = 'call' | 'construct' | 'decorate' | 'inherit';

export interface CallSite {
  line: number;
  column: number;
}

/** An edge of the call graph, from caller to callee. */
export interface CallEdge {
  caller: ChunkAddress;
  callee: ChunkAddress;
  kind: EdgeKind;
  /** True when the target was chosen by its name alone: nothing else, or only what it overrides or is overridden by, has it. */
  guess: boolean;
  sites: CallSite[];
}

/** The call graph around a chunk. */
export interface Neighborhood {
  center: ChunkAddress;
  nodes: (ChunkSummary & {
    /** Steps from the centre: negative for callers, positive for callees, 0 for the centre. */
    distance: number;
    /** Neighbours of this node that were left out, by the node limit. */
    hidden: number;
  })[];
  edges: CallEdge[];
}

/** One part of what the encoder was given for a chunk. */
export interface EncoderPart {
  role: 'path' | 'signature' | 'body' | 'callee';
  /** The callee's address, for `callee` parts. */
  address?: ChunkAddress;
  text: string;
  /** Tokens this part became, and how many more were cut off by the limits. */
  tokens: number;
  cut: number;
  /** The rest of the text, from which no token came; empty if nothing was cut off. */
  cutText: string;
}

/** A chunk with its code and everything known about it. */
export interface ChunkDetail extends HashedChunk {
  /** The lines startLine..endLine of the file as it was indexed (for a module chunk: its own lines only). */
  code: string;
  docstring: string | null;
  callers: CallEdge[];
  callees: CallEdge[];
  /** Exactly what the encoder saw. */
  context: { model: string; parts: EncoderPart[]; embedded: boolean };
}

/** A chunk with the SHA-1 (hex) of its normalised text. */
export interface HashedChunk extends ChunkSummary {
  contentHash: string;
}

/** What a snapshot has for a chunk known from elsewhere. Each list holds at most 100 chunks, by path and line. */
export interface AnchorMatches {
  /** The chunk of the same path, qualified name and ordinal. */
  inPlace: HashedChunk | null;
  /** Other chunks of the same content; empty when the anchor's hash is null. */
  sameContent: HashedChunk[];
  /** Other chunks of the same simple name (the last part of the qualified name), those of the same qualified name first; empty for module chunks. */
  sameName: HashedChunk[];
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
  skipped: Record<string, number>;
  model: { id: string; version: string };
  databasePath: string;
  databaseBytes: number;
  /** `complete`, or how far indexing got. */
  state: 'empty' | 'partial' | 'complete';
  indexedAt: string | null;
  /** What a person should know: files whose calls could not all be followed, and the like. */
  notes: string[];
}

export type IndexPhase = 'scan' | 'parse' | 'graph' | 'encode' | 'vectors' | 'history' | 'done';

/** Progress of indexing. `done` and `total` count files (scan, parse), chunks (graph, encode, vectors) or commits (history). */
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

/** A whole file as it was indexed, with its chunks from top to bottom. */
export interface FileDetail {
  path: string;
  text: string;
  language: string;
  role: FileRole;
  chunks: OutlinedChunk[];
}

/** A chunk with the line that has its header, which decorators and comments may stand before. */
export interface OutlinedChunk extends ChunkSummary {
  headerLine: number;
}
