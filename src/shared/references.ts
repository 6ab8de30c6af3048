/** The code that refers to a chunk: the request, and its response with the lines. */
import { z } from 'zod';
import { callSite, EDGE_KINDS } from './call-graph.ts';
import { chunkName, chunkSummary } from './chunk.ts';

export const referencesRequest = z.object({
  chunk: chunkName,
  /** Referring chunks at most. */
  limit: z.int().min(1).max(1000).default(200),
});

/** A position in the code with its line, trimmed and cut where it is long. */
const referenceSite = callSite.extend({ text: z.string() });
export type ReferenceSite = z.output<typeof referenceSite>;

/** All references of one kind from one chunk to another. */
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
