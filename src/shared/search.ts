/** A search: what is asked, what was recognised in the issue, and the ranking. */
import { z } from 'zod';
import type { ChunkAddress } from './address.ts';
import { CHUNK_KINDS, type ChunkSummary } from './chunk.ts';
import type { Companion } from './companions.ts';
import type { Failure } from './errors.ts';
import type { Evidence, IssueSpan } from './evidence.ts';
import {
  DEFAULT_RESULTS,
  MAX_CHUNK_NAME,
  MAX_ISSUE,
  MAX_PATH,
  MOST_GLOBS,
  MOST_MARKED,
  MOST_PACKAGES,
  MOST_READ,
  MOST_READING_MS,
  MOST_REPOSITORIES,
  MOST_RESULTS,
  READING_MS,
} from './limits.ts';
import { MARKS } from './marks.ts';

/** What to do with chunks that are no source: rank them lower, leave them out, or treat them as source. */
export const TEST_RULES = ['demote', 'exclude', 'include'] as const;
export type TestRule = (typeof TEST_RULES)[number];

const marked = z.array(z.string().min(1).max(MAX_CHUNK_NAME)).max(MOST_MARKED);

/**
 * Addresses of chunks that a person marked, by mark. The list is refined by them; those that this snapshot lacks are
 * ignored and said in `issue.notes`.
 */
export const feedback = z.partialRecord(z.enum(MARKS), marked);
export type Feedback = z.input<typeof feedback>;

/** What the second step of a search may take. */
const refine = z.object({
  /** So many of the first results are read at most; 0: the first list is all that is wanted. */
  read: z.int().min(0).max(MOST_READ).default(MOST_READ),
  /** Time for reading, without that for loading models. A batch that began in time is finished. */
  milliseconds: z.int().min(0).max(MOST_READING_MS).default(READING_MS),
});

export const searchRequest = z.object({
  issue: z.string().max(MAX_ISSUE),
  /** How many results. */
  limit: z.int().min(1).max(MOST_RESULTS).default(DEFAULT_RESULTS),
  tests: z.enum(TEST_RULES).default('demote'),
  /** Keep only chunks whose path matches one of these globs. */
  paths: z.array(z.string().min(1).max(1000)).max(MOST_GLOBS).optional(),
  /** Keep only these kinds. */
  kinds: z.array(z.enum(CHUNK_KINDS)).optional(),
  /** Of several that are open together, search only these, by the names that they have there. */
  repositories: z.array(z.string().min(1).max(MAX_PATH)).max(MOST_REPOSITORIES).optional(),
  /** Keep only what is of these packages, each by its name or its folder. */
  packages: z.array(z.string().min(1).max(MAX_PATH)).max(MOST_PACKAGES).optional(),
  feedback: feedback.optional(),
  refine: refine.prefault({}),
});
export type SearchRequest = z.input<typeof searchRequest>;

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
  /** Which list it is: what the second step did. */
  refined: Refinement;
  /** Milliseconds spent on this search. */
  tookMs: number;
  results: RankedChunk[];
  /** Only of several repositories: how each of them stands, the likeliest first. `repository` then has their sums. */
  repositories?: SearchedRepository[];
}

/** One of several repositories that were searched. */
export interface SearchedRepository {
  /** What it is called among them, without a slash. */
  name: string;
  root: string;
  revision: string | null;
  files: number;
  chunks: number;
  /** How likely it is to be the one to edit, given that one of them is; 0 to 1. */
  chance: number;
  /** How likely one of its own first five results is to be edited; null where nobody can say. */
  confidence: number | null;
  /** Why its ranking is not final yet; null when it is. */
  partial: PartialRanking | null;
  /** Why it was not searched; null when it was. */
  failure: Failure | null;
  /** Results of it in the list. */
  results: number;
}

/**
 * What the second step of a search did: models read the first results, in their order, and these were ranked again in
 * the places that they hold.
 */
export interface Refinement {
  /**
   * `refined`: the list is in the order of the second step. In all other states it is the first list: `reading`, for the
   * time being; `off`, as none was asked for; `missing`, without a model; `nothing`, with nothing, or not the time, to
   * read; `partial`, while not everything could rank yet; `changed`, as the code did while it was read; `failed`.
   */
  state: 'refined' | 'reading' | 'off' | 'missing' | 'nothing' | 'partial' | 'changed' | 'failed';
  /** Results that were read, and how many would have been in more time. */
  read: number;
  of: number;
  /** That it took, the loading of models included. */
  milliseconds: number;
  /** Ids and versions of the models that read. */
  models: string[];
  /** Why the list is the first one; null where that needs no words. */
  note: string | null;
}

/** Lines that an issue points at, from 1 and the last one included, and the chunks that they are of. */
export interface LinesNamed {
  first: number;
  last: number;
  addresses: ChunkAddress[];
}

/** What the engine recognised in an issue. */
export interface IssueReport {
  /** The first line with anything in it, without Markdown heading marks. */
  title: string;
  /** Length of the text given, in UTF-16 units. */
  length: number;
  /** Identifiers that name definitions of this repository. */
  names: (IssueSpan & { definitions: number })[];
  /**
   * File paths, dotted module names and base names that exist in this repository; `lines` where the issue points at lines of
   * such a file, with what they are of.
   */
  paths: (IssueSpan & { files: string[]; lines?: LinesNamed })[];
  /** Paths and base names, here or elsewhere, of files in languages that Locus does not read; the kind as a status has it. */
  unread: (IssueSpan & { kind: string })[];
  /** Traceback frames, in order of appearance; `address` is null for code outside the repository. */
  frames: (IssueSpan & {
    path: string;
    line: number;
    name: string;
    address: ChunkAddress | null;
  })[];
  /** Words of it that are rare in this repository, as its index counts them: the rarest first. */
  rare: string[];
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
  /** While the repository is being read for the first time: files that are, and all. */
  files?: { read: number; of: number };
}

export interface RankedChunk extends ChunkSummary {
  rank: number;
  /** Only of several repositories: the name of its own. */
  repository?: string;
  /** Only in a repository of several packages: the name of the one it is of. */
  package?: string;
  /**
   * Only of several repositories: how likely it is to be the one to edit, which the list is in the order of. Its score
   * compares it with others of its repository.
   */
  probability?: number;
  /** Only where marks refined the list: its rank without them; null when nothing but the marks made it a candidate. */
  rankWithoutMarks?: number | null;
  /** Only where the second step read it. Its score compares it with the others that were read. */
  read?: true;
  score: number;
  evidence: Evidence;
  /** Only of the first results: what a fix that edits it may have to edit too; left out where there is nothing. */
  companions?: Companion[];
}
