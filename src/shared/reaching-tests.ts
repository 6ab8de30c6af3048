/** The tests that reach a chunk through the call graph: the request, and its response. */
import { z } from 'zod';
import { chunkName, chunkSummary } from './chunk.ts';

export const reachingTestsRequest = z.object({
  chunk: chunkName,
  /** Steps from a test to the chunk at most. */
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

/** Returns a sentence on the bound that ended the search. */
export function describeEnd(ended: NonNullable<ReachingTests['ended']>): string {
  return ended === 'steps'
    ? 'Longer paths were not followed: there may be more tests.'
    : 'Too many functions reach it to follow them all: there may be more tests.';
}
