/** Who refers to whom: edges of the call graph, and the question for those around a chunk. */
import { z } from 'zod';
import { chunkAddress, chunkName, chunkSummary } from './chunk.ts';

/** How one chunk refers to another; of a `decorate` the callee is the decorator. */
export const EDGE_KINDS = ['call', 'construct', 'decorate', 'inherit'] as const;
export type EdgeKind = (typeof EDGE_KINDS)[number];

const callSite = z.object({ line: z.number(), column: z.number() });
export type CallSite = z.output<typeof callSite>;

export const callEdge = z.object({
  caller: chunkAddress,
  callee: chunkAddress,
  kind: z.enum(EDGE_KINDS),
  /** True when the target was chosen by its name alone: nothing else, or only what it overrides or is overridden by, has it. */
  guess: z.boolean(),
  sites: z.array(callSite),
});
export type CallEdge = z.output<typeof callEdge>;

export const neighborsRequest = z.object({
  chunk: chunkName,
  depth: z.int().min(1).max(5).default(1),
  direction: z.enum(['callers', 'callees', 'both']).default('both'),
  /** Nodes at most; the nearest stay. */
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
});
export type Neighborhood = z.output<typeof neighborhood>;

export const referencesRequest = z.object({
  chunk: chunkName,
  /** Referring chunks at most. */
  limit: z.int().min(1).max(1000).default(200),
});

/** A position in the code with its line, trimmed and cut where it is long. */
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

/** The references to a chunk: from source before tests and the like, each in order of path and line. */
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
  /** Tests at most; the nearest stay. */
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
  /** The chunk; tests of a class also reach it by its members. */
  of: chunkSummary,
  /** Nearest first; in order of path and line where distances are equal. */
  tests: z.array(reachingTest),
  /** Tests that were found, and left out by the limit. */
  hidden: z.number(),
  /** Chunks outside test files that were found on the way. */
  between: z.number(),
  /** Bound that ended the search while there was more to follow; null if everything was followed. */
  ended: z.enum(['steps', 'chunks']).nullable(),
});
export type ReachingTests = z.output<typeof reachingTests>;

export function describeEnd(ended: NonNullable<ReachingTests['ended']>): string {
  return ended === 'steps'
    ? 'Longer paths were not followed: there may be more tests.'
    : 'Too many functions reach it to follow them all: there may be more tests.';
}
