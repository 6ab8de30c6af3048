/** Where a chunk is referred to: the question, and its answer, with the lines. */
import { z } from 'zod';
import type { CallSite, EdgeKind } from './call-graph.ts';
import type { ChunkSummary } from './chunk.ts';
import { MAX_CHUNK_NAME } from './limits.ts';

export const referencesRequest = z.object({
  chunk: z.string().min(1).max(MAX_CHUNK_NAME),
  /** Chunks at most that refer to it. */
  limit: z.int().min(1).max(1000).default(200),
});

/** A place in the code with its line, without the blanks around it and cut where it is long. */
export interface ReferenceSite extends CallSite {
  text: string;
}

/** All that one chunk does with another in one way. */
export interface Reference {
  caller: ChunkSummary;
  kind: EdgeKind;
  /** As of `CallEdge`. */
  guess: boolean;
  sites: ReferenceSite[];
}

/** Who refers to a chunk: source before tests and the like, each in order of path and line. */
export interface References {
  to: ChunkSummary;
  references: Reference[];
  /** Chunks that refer to it, too, and were left out by the limit. */
  hidden: number;
}
