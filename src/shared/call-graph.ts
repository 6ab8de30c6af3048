/** Edges of the call graph, and the queries for a chunk's neighbors, references and tests. */
import { z } from 'zod';
import { chunkAddress, chunkName, chunkSummary } from './chunk.ts';
import { registration } from './registration.ts';

/**
 * Kinds of references between chunks. For `decorate`, the callee is the decorator. For `register`, the caller registers the callee
 * under a key, such as a route.
 */
export const EDGE_KINDS = ['call', 'construct', 'decorate', 'inherit', 'register'] as const;
export type EdgeKind = (typeof EDGE_KINDS)[number];

const callSite = z.object({ line: z.number(), column: z.number() });
export type CallSite = z.output<typeof callSite>;

export const callEdge = z.object({
  caller: chunkAddress,
  callee: chunkAddress,
  kind: z.enum(EDGE_KINDS),
  /** True if the target was chosen by its name alone, because only it (and methods that override or are overridden by it) has that name. */
  guess: z.boolean(),
  sites: z.array(callSite),
  /** Keys of an edge of the kind `register`, parallel to its sites; left out for other kinds. */
  registered: z.array(registration).optional(),
});
export type CallEdge = z.output<typeof callEdge>;

export const neighborsRequest = z.object({
  chunk: chunkName,
  depth: z.int().min(1).max(5).default(1),
  direction: z.enum(['callers', 'callees', 'both']).default('both'),
  /** Maximum number of nodes; the nearest are kept. */
  limit: z.int().min(1).max(5000).default(200),
});

export const neighborhood = z.object({
  center: chunkAddress,
  nodes: z.array(
    chunkSummary.extend({
      /** Steps from the center: negative for callers, positive for callees, 0 for the center. */
      distance: z.number(),
      /** Neighbors of this node that the node limit left out. */
      hidden: z.number(),
    }),
  ),
  edges: z.array(callEdge),
  /** Sentence about code that was not read, so that its calls are missing; null if all of it was read. */
  note: z.string().nullable(),
});
export type Neighborhood = z.output<typeof neighborhood>;

export const referencesRequest = z.object({
  chunk: chunkName,
  /** Maximum number of referring chunks. */
  limit: z.int().min(1).max(1000).default(200),
});

/** A position in the code with the text of its line, trimmed, and shortened if it is long. */
const referenceSite = callSite.extend({ text: z.string() });
export type ReferenceSite = z.output<typeof referenceSite>;

const reference = z.object({
  caller: chunkSummary,
  kind: z.enum(EDGE_KINDS),
  /** True as in `CallEdge`. */
  guess: z.boolean(),
  sites: z.array(referenceSite),
});
export type Reference = z.output<typeof reference>;

/** The references to a chunk: source files first, then tests and other files, each in order of path and line. */
export const references = z.object({
  to: chunkSummary,
  references: z.array(reference),
  /** Referring chunks that the limit left out. */
  hidden: z.number(),
});
export type References = z.output<typeof references>;

export const reachingTestsRequest = z.object({
  chunk: chunkName,
  steps: z.int().min(1).max(20).default(10),
  /** Maximum number of tests; the nearest are kept. */
  limit: z.int().min(1).max(1000).default(50),
});
export type ReachingTestsRequest = z.output<typeof reachingTestsRequest>;

/** A test with a shortest path to the chunk. */
const reachingTest = chunkSummary.extend({
  /** Steps to the chunk: 1 if it refers to the chunk itself. */
  distance: z.number(),
  /** First step of the path: a chunk that the test refers to. */
  next: chunkSummary,
  /** True if each of its shortest paths has a step that was chosen by name alone. */
  guess: z.boolean(),
});
export type ReachingTest = z.output<typeof reachingTest>;

export const reachingTests = z.object({
  /** The chunk that was asked about. A class is also reached through its members. */
  of: chunkSummary,
  /** Nearest first; at equal distance, in order of path and line. */
  tests: z.array(reachingTest),
  /** Number of tests that were found, but left out because of the limit. */
  hidden: z.number(),
  /** Number of chunks outside test files that the search passed. */
  between: z.number(),
  /** Limit that stopped the search early; null if every path was followed. */
  ended: z.enum(['steps', 'chunks']).nullable(),
});
export type ReachingTests = z.output<typeof reachingTests>;

export function describeEnd(ended: NonNullable<ReachingTests['ended']>): string {
  return ended === 'steps'
    ? 'Longer paths were not followed: there may be more tests.'
    : 'Too many functions reach it to follow them all: there may be more tests.';
}
