/** Who refers to whom: edges of the call graph, and the question for those around a chunk. */
import { z } from 'zod';
import type { ChunkAddress } from './address.ts';
import type { ChunkSummary } from './chunk.ts';
import { MAX_CHUNK_NAME } from './limits.ts';

/** How one chunk refers to another; of a `decorate` the callee is the decorator. */
export const EDGE_KINDS = ['call', 'construct', 'decorate', 'inherit'] as const;
export type EdgeKind = (typeof EDGE_KINDS)[number];

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

export const neighborsRequest = z.object({
  chunk: z.string().min(1).max(MAX_CHUNK_NAME),
  depth: z.int().min(1).max(5).default(1),
  direction: z.enum(['callers', 'callees', 'both']).default('both'),
  /** Nodes at most; the nearest stay. */
  limit: z.int().min(1).max(5000).default(200),
});

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
