/** A search: what is asked, what was recognised in the issue, and the ranking. */
import { z } from 'zod';
import type { ChunkAddress, ChunkKind, ChunkSummary } from './chunk.ts';
import type { Evidence, IssueSpan } from './evidence.ts';
import { MAX_ISSUE } from './limits.ts';
import { MARKS, type Mark } from './marks.ts';

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

export interface RankedChunk extends ChunkSummary {
  rank: number;
  /** Only where marks refined the list: its rank without them; null when nothing but the marks made it a candidate. */
  rankWithoutMarks?: number | null;
  score: number;
  evidence: Evidence;
}
