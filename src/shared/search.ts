/** A search: what is asked, what was recognised in the issue, and the ranking. */
import { z } from 'zod';
import { CHUNK_KINDS, chunkAddress, chunkSummary, repositoryPath } from './chunk.ts';
import { companion } from './companions.ts';
import type { Failure } from './errors.ts';
import { evidence, issueSpan } from './evidence.ts';
import * as limits from './limits.ts';
import { MARKS } from './marks.ts';

/** What to do with chunks that are no source: rank them lower, leave them out, or treat them as source. */
export const TEST_RULES = ['demote', 'exclude', 'include'] as const;
export type TestRule = (typeof TEST_RULES)[number];

const marked = z.array(z.string().min(1).max(limits.MAX_CHUNK_NAME)).max(limits.MOST_MARKED);

/**
 * Addresses of chunks that a person marked, by mark. The list is refined by them; those that this snapshot lacks are
 * ignored and said in `issue.notes`.
 */
export const feedback = z.partialRecord(z.enum(MARKS), marked);
export type Feedback = z.input<typeof feedback>;

/** What the second step of a search may take. */
const refine = z.object({
  /** So many of the first results are read at most; 0: the first list is all that is wanted. */
  read: z.int().min(0).max(limits.MOST_READ).default(limits.MOST_READ),
  /** Time for reading, without that for loading models. A batch that began in time is finished. */
  milliseconds: z.int().min(0).max(limits.MOST_READING_MS).default(limits.READING_MS),
});

export const searchRequest = z.object({
  issue: z
    .string()
    .max(
      limits.MAX_ISSUE,
      `longer than ${limits.MAX_ISSUE / 1e6} million characters: give the part that matters`,
    ),
  limit: z.int().min(1).max(limits.MOST_RESULTS).default(limits.DEFAULT_RESULTS),
  tests: z.enum(TEST_RULES).default('demote'),
  paths: z.array(z.string().min(1).max(1000)).max(limits.MOST_GLOBS).optional(),
  kinds: z.array(z.enum(CHUNK_KINDS)).optional(),
  /** Of several that are open together, search only these, by the names that they have there. */
  repositories: z
    .array(z.string().min(1).max(limits.MAX_PATH))
    .max(limits.MOST_REPOSITORIES)
    .optional(),
  /** Keep only what is of these packages, each by its name or its folder. */
  packages: z.array(z.string().min(1).max(limits.MAX_PATH)).max(limits.MOST_PACKAGES).optional(),
  feedback: feedback.optional(),
  refine: refine.prefault({}),
});
export type SearchRequest = z.input<typeof searchRequest>;

/** Reason why a ranking is not yet the final one; null when it is. */
const partialRanking = z.object({
  reason: z.string(),
  /** Chunks that can be found, and the number of them with an embedding. */
  chunks: z.number(),
  embedded: z.number(),
  /** While the repository is being read for the first time: files read so far, and all. */
  files: z.object({ read: z.number(), of: z.number() }).optional(),
});
export type PartialRanking = z.output<typeof partialRanking>;

const searchedRepository = z.object({
  /** Its name among them, without a slash. */
  name: z.string(),
  root: z.string(),
  revision: z.string().nullable(),
  files: z.number(),
  chunks: z.number(),
  /** Probability that it is the one to edit, given that one of them is; 0 to 1. */
  chance: z.number(),
  /** Probability that one of its own first five results is to be edited; null if unknown. */
  confidence: z.number().nullable(),
  /** Reason why its ranking is not final yet; null when it is. */
  partial: partialRanking.nullable(),
  /** Reason why it was not searched; null when it was. */
  failure: z.custom<Failure>().nullable(),
  results: z.number(),
});
export type SearchedRepository = z.output<typeof searchedRepository>;

/** The second step of a search: models read the first results, in their order, and these were ranked again in their ranks. */
const refinement = z.object({
  /**
   * `refined`: the list is in the order of the second step. In all other states it is the first list: `reading`, for the
   * time being; `off`, as none was asked for; `missing`, without a model; `nothing`, with nothing, or not the time, to
   * read; `partial`, while not everything could rank yet; `changed`, as the code did while it was read; `failed`.
   */
  state: z.enum([
    'refined',
    'reading',
    'off',
    'missing',
    'nothing',
    'partial',
    'changed',
    'failed',
  ]),
  /** Results that were read, and how many would have been in more time. */
  read: z.number(),
  of: z.number(),
  /** Elapsed time, including model loading. */
  milliseconds: z.number(),
  /** Ids and versions of the models that read. */
  models: z.array(z.string()),
  /** Reason why the list is the first one; null where that needs no words. */
  note: z.string().nullable(),
});
export type Refinement = z.output<typeof refinement>;

/** Lines that an issue points at, from 1 and the last one included, and the chunks they belong to. */
const linesNamed = z.object({
  first: z.number(),
  last: z.number(),
  addresses: z.array(chunkAddress),
});
export type LinesNamed = z.output<typeof linesNamed>;

const issueReport = z.object({
  /** The first line with anything in it, without Markdown heading marks. */
  title: z.string(),
  /** Length of the text given, in UTF-16 units. */
  length: z.number(),
  /** Identifiers that name definitions of this repository. */
  names: z.array(issueSpan.extend({ definitions: z.number() })),
  /**
   * File paths, dotted module names and base names that exist in this repository; `lines` where the issue points at lines of
   * such a file, with the chunks there.
   */
  paths: z.array(
    issueSpan.extend({ files: z.array(repositoryPath), lines: linesNamed.optional() }),
  ),
  /** Paths and base names, here or elsewhere, of files in languages that Locus does not read; the kind as in a status. */
  unread: z.array(issueSpan.extend({ kind: z.string() })),
  /** Traceback frames, in order of appearance; `address` is null for code outside the repository. */
  frames: z.array(
    issueSpan.extend({
      path: z.string(),
      line: z.number(),
      name: z.string(),
      address: chunkAddress.nullable(),
    }),
  ),
  /** Its words that are rare in this repository, the rarest first. */
  rare: z.array(z.string()),
  /** Spans of code and output: blocks with their marks, indented lines, tracebacks. */
  blocks: z.array(z.object({ start: z.number(), end: z.number() })),
  /** Notes for the user: truncated, binary, nothing recognized, ... */
  notes: z.array(z.string()),
});
export type IssueReport = z.output<typeof issueReport>;

export const rankedChunk = chunkSummary.extend({
  rank: z.number(),
  /** Name of its repository; only with several. */
  repository: z.string().optional(),
  /** Name of its package; only in a repository with several. */
  package: z.string().optional(),
  /**
   * Probability that it is the one to edit, by which the list is ordered; only with several repositories. Its score
   * compares it with others of its repository.
   */
  probability: z.number().optional(),
  /** Its rank without marks, only where marks refined the list; null when nothing but the marks made it a candidate. */
  rankWithoutMarks: z.number().nullable().optional(),
  /** Only where the second step read it. Its score compares it with the others that were read. */
  read: z.literal(true).optional(),
  score: z.number(),
  evidence,
  /** Chunks that a fix of it may have to edit too; only for the first results, and left out if empty. */
  companions: z.array(companion).optional(),
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
  /** Chunks that pass the request's filters; the results are the best of these. */
  considered: z.number(),
  /** Probability that one of the first five results is to be edited, 0 to 1; null if unknown. */
  confidence: z.number().nullable(),
  /** The list's state: the outcome of the second step. */
  refined: refinement,
  tookMs: z.number(),
  results: z.array(rankedChunk),
  /** State of each of several repositories, the likeliest first. `repository` then has their sums. */
  repositories: z.array(searchedRepository).optional(),
});
export type SearchResponse = z.output<typeof searchResponse>;

/**
 * A search's `confidence` for people, in percent: to the nearest 5, because it is not known better, and never sure.
 * @param confidence 0 to 1, see `SearchResponse`.
 */
export function percentSure(confidence: number): number {
  return Math.min(95, Math.max(5, Math.round(confidence * 20) * 5));
}
