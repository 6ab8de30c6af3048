/** Who refers to whom: edges of the call graph, and the question for those around a chunk. */
import { z } from 'zod';
import { chunkAddress } from './address-schemas.ts';
import { chunkName, chunkSummary } from './chunk.ts';

/** How one chunk refers to another; of a `decorate` the callee is the decorator. */
export const EDGE_KINDS = ['call', 'construct', 'decorate', 'inherit'] as const;
export type EdgeKind = (typeof EDGE_KINDS)[number];

export const callSite = z.object({ line: z.number(), column: z.number() });
export type CallSite = z.output<typeof callSite>;

/** An edge of the call graph, from caller to callee. */
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

/** The call graph around a chunk. */
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
