/** A search: its request, what was recognized in the issue, and the ranking. */
import { z } from 'zod';
import { chunkAddress, chunkSummary, repositoryPath } from './chunk.ts';
import { CHUNK_KINDS } from './chunk-kind.ts';
import type { Failure } from './errors.ts';
import { evidence, issueSpan } from './evidence.ts';
import { formatCount } from './format-count.ts';
import { skippedFile } from './indexing.ts';
import * as limits from './limits.ts';
import { MARKS } from './marks.ts';
import { relatedChunk } from './related-chunks.ts';

/** Treatment of chunks outside source files: rank them lower, exclude them, or treat them like source. */
export const TEST_RULES = ['demote', 'exclude', 'include'] as const;
export type TestRule = (typeof TEST_RULES)[number];

const marked = z.array(z.string().min(1).max(limits.MAX_CHUNK_NAME)).max(limits.MAX_MARKED);

/**
 * Addresses of chunks that a person marked, by mark. They adjust the ranking. Chunks missing from this snapshot are ignored
 * and mentioned in `issue.notes`.
 */
export const feedback = z.partialRecord(z.enum(MARKS), marked);
export type Feedback = z.input<typeof feedback>;

/** Limits of reranking. */
const rerankRequest = z.object({
  /** Maximum number of results to rerank; 0 turns reranking off. */
  count: z.int().min(0).max(limits.MAX_RERANKED).default(limits.MAX_RERANKED),
  /**
   * Milliseconds after which reranking stops, counted after the models are loaded; null to rerank all `count` results. Only
   * without a deadline is the list the same on every machine. A batch that started in time is finished.
   */
  deadlineMs: z.int().min(0).max(limits.MAX_RERANK_DEADLINE_MS).nullable().default(null),
});

const MAX_LENGTH = formatCount(limits.MAX_ISSUE);

/** Text of an issue. */
export const issueText = z.string().max(limits.MAX_ISSUE, {
  error: ({ input }) =>
    `${formatCount(String(input).length)} characters, of at most ${MAX_LENGTH}; shorten it to the relevant part`,
});

export const searchRequest = z.object({
  issue: issueText,
  limit: z.int().min(1).max(limits.MAX_RESULTS).default(limits.DEFAULT_RESULTS),
  tests: z.enum(TEST_RULES).default('demote'),
  paths: z.array(z.string().min(1).max(1000)).max(limits.MAX_GLOBS).optional(),
  kinds: z.array(z.enum(CHUNK_KINDS)).optional(),
  /** Names of the repositories of a workspace to search; all by default. */
  repositories: z
    .array(z.string().min(1).max(limits.MAX_PATH))
    .max(limits.MAX_REPOSITORIES)
    .optional(),
  /** Packages to search, each by its name or folder; all by default. */
  packages: z.array(z.string().min(1).max(limits.MAX_PATH)).max(limits.MAX_PACKAGES).optional(),
  feedback: feedback.optional(),
  rerank: rerankRequest.prefault({}),
});
export type SearchRequest = z.input<typeof searchRequest>;

/** Reason why a ranking is not final yet. */
const partialRanking = z.object({
  reason: z.string(),
  /** Number of searchable chunks, and of those with an embedding. */
  chunks: z.number(),
  embedded: z.number(),
  /** Number of files parsed so far and in all, during the first indexing. */
  files: z.object({ read: z.number(), of: z.number() }).optional(),
});
export type PartialRanking = z.output<typeof partialRanking>;

const searchedRepository = z.object({
  /** Name in the workspace, without a slash. */
  name: z.string(),
  root: z.string(),
  revision: z.string().nullable(),
  files: z.number(),
  chunks: z.number(),
  /** Probability (0 to 1) that the fix edits this repository, given that it edits one of the workspace. */
  chance: z.number(),
  /** Probability that the fix edits one of its own first five results; null if unknown. */
  confidence: z.number().nullable(),
  /** Reason why its ranking is not final yet; null if it is final. */
  partial: partialRanking.nullable(),
  /** Reason why it was not searched; null if it was. */
  failure: z.custom<Failure>().nullable(),
  results: z.number(),
});
export type SearchedRepository = z.output<typeof searchedRepository>;

/** Outcome of reranking, which reorders the first results among their own ranks. */
const reranking = z.object({
  /**
   * `reranked`: the list is reranked. In all other states it is the initial ranking. `reranking`: it is in progress. `off`:
   * not requested. `missing`: no model installed. `nothing`: no results, or the deadline was over. `partial`: not everything
   * is indexed yet. `changed`: the code changed again and again. `failed`: reranking failed.
   */
  state: z.enum([
    'reranked',
    'reranking',
    'off',
    'missing',
    'nothing',
    'partial',
    'changed',
    'failed',
  ]),
  /** Number of reranked results so far, and of all to rerank. Only a deadline leaves fewer. */
  count: z.number(),
  of: z.number(),
  /** Elapsed time, including model loading. */
  milliseconds: z.number(),
  /** Ids and versions of the reranker's models. */
  models: z.array(z.string()),
  /** Reason why the list, or a part of it, was not reranked; null if none needs to be shown. */
  note: z.string().nullable(),
});
export type Reranking = z.output<typeof reranking>;

/** Line range that an issue mentions (1-based, inclusive), and the chunks that contain it. */
const linesNamed = z.object({
  first: z.number(),
  last: z.number(),
  addresses: z.array(chunkAddress),
});
export type LinesNamed = z.output<typeof linesNamed>;

const issueReport = z.object({
  /** First non-empty line, without Markdown heading marks. */
  title: z.string(),
  /** Length of the issue in UTF-16 units. */
  length: z.number(),
  /** Identifiers that match definitions in this repository. */
  names: z.array(issueSpan.extend({ definitions: z.number() })),
  /**
   * File paths, dotted module names and base names that exist in this repository. `lines`: mentioned lines of the file, with
   * their chunks.
   */
  paths: z.array(
    issueSpan.extend({ files: z.array(repositoryPath), lines: linesNamed.optional() }),
  ),
  /** Mentioned files that exist but were not indexed, with the reason: no list can contain their functions. */
  unindexed: z.array(issueSpan.extend(skippedFile.shape)),
  /** Traceback frames, in order of appearance; `address` is null for code outside the repository. */
  frames: z.array(
    issueSpan.extend({
      path: z.string(),
      line: z.number(),
      name: z.string(),
      address: chunkAddress.nullable(),
    }),
  ),
  /** Words of the issue that are rare in this repository, rarest first. */
  rare: z.array(z.string()),
  /** Spans of code and output: fenced blocks with their fences, indented lines, tracebacks. */
  blocks: z.array(z.object({ start: z.number(), end: z.number() })),
  /** Notes for the user: truncated, binary, nothing recognized, ... */
  notes: z.array(z.string()),
});
export type IssueReport = z.output<typeof issueReport>;

export const rankedChunk = chunkSummary.extend({
  rank: z.number(),
  /** Name of its repository; only in a workspace. */
  repository: z.string().optional(),
  /** Name of its package; only in a repository with several packages. */
  package: z.string().optional(),
  /**
   * Probability that the fix edits it, which orders the list of a workspace; undefined otherwise. The score is comparable only
   * within its repository.
   */
  probability: z.number().optional(),
  /** Rank without marks, only if marks adjusted the ranking; null if the chunk is a candidate only because of marks. */
  rankWithoutMarks: z.number().nullable().optional(),
  /** True if it was reranked. The score is then comparable only with other reranked results. */
  reranked: z.literal(true).optional(),
  score: z.number(),
  evidence,
  /** Related chunks that the same fix may have to edit; only for the first results, undefined if there are none. */
  related: z.array(relatedChunk).optional(),
});
export type RankedChunk = z.output<typeof rankedChunk>;

export const searchResponse = z.object({
  repository: z.object({
    root: z.string(),
    name: z.string(),
    revision: z.string().nullable(),
    files: z.number(),
    chunks: z.number(),
  }),
  issue: issueReport,
  model: z.object({
    id: z.string(),
    version: z.string(),
    device: z.string(),
    ranker: z.string(),
  }),
  partial: partialRanking.nullable(),
  /** Number of chunks that pass the request's filters. */
  considered: z.number(),
  /** Probability (0 to 1) that the fix edits one of the first five results; null if unknown. */
  confidence: z.number().nullable(),
  /** Outcome of reranking. */
  reranking: reranking,
  tookMs: z.number(),
  results: z.array(rankedChunk),
  /** Repositories of a workspace, likeliest first. `repository` then contains their totals. */
  repositories: z.array(searchedRepository).optional(),
});
export type SearchResponse = z.output<typeof searchResponse>;

/**
 * Converts a search's `confidence` to percent, rounded to the nearest 5 since it is not more precise, and within 5 to 95.
 * @param confidence 0 to 1, see `SearchResponse`.
 */
export function roundConfidence(confidence: number): number {
  return Math.min(95, Math.max(5, Math.round(confidence * 20) * 5));
}
