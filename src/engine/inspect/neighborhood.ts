import { formatAddress } from '../../shared/address.ts';
import type { CallEdge, Neighborhood } from '../../shared/call-graph.ts';
import { listCallersByLocation } from '../search/gather/chunks.ts';
import { summarizeChunk } from '../snapshot/address.ts';
import type { RepositoryIndex } from '../snapshot/repository-index.ts';
import type { Neighbor } from '../snapshot/types.ts';
import type { Store } from '../store/store.ts';

export interface NeighborhoodOptions {
  depth: number;
  direction: 'callers' | 'callees' | 'both';
  /** Maximum number of nodes, including the center. */
  limit: number;
}

/** Returns the chunks around one in the call graph, breadth first, with all edges between them. */
export function getNeighborhood(
  index: RepositoryIndex,
  store: Store,
  center: number,
  options: NeighborhoodOptions,
): Omit<Neighborhood, 'note'> {
  const distances = new Map([[center, 0]]);
  const hidden = new Map<number, number>();
  // Both directions take turns, one step at a time, so the limit leaves out the farthest chunks.
  let callees = options.direction === 'callers' ? [] : [center];
  let callers = options.direction === 'callees' ? [] : [center];
  for (let depth = 1; depth <= options.depth; depth++) {
    callees = expand(callees, depth, (slot) => index.getCallees(slot));
    callers = expand(callers, -depth, (slot) => listCallersByLocation(slot, index));
  }
  return {
    center: formatAddress(index.getChunk(center)),
    nodes: [...distances].map(([slot, distance]) => ({
      ...summarizeChunk(index.getChunk(slot)),
      distance,
      hidden: hidden.get(slot) ?? 0,
    })),
    edges: [...distances.keys()].flatMap((slot) =>
      listEdgesFrom(index, store, slot, (callee) => distances.has(callee)).filter(
        (edge) => !registersItself(edge),
      ),
    ),
  };

  /** Adds the chunks one step beyond `frontier`, up to the limit; returns those that were added. */
  function expand(
    frontier: readonly number[],
    distance: number,
    next: (slot: number) => readonly Neighbor[],
  ): number[] {
    const reached: number[] = [];
    for (const slot of frontier) {
      for (const neighbor of new Set(next(slot).map((edge) => edge.slot))) {
        if (distances.has(neighbor)) continue;
        if (distances.size >= options.limit) {
          hidden.set(slot, (hidden.get(slot) ?? 0) + 1);
          continue;
        }
        distances.set(neighbor, distance);
        reached.push(neighbor);
      }
    }
    return reached;
  }
}

/** Returns true for the edge of a chunk that its own code registers, such as its decorator. */
export function registersItself({ kind, caller, callee }: CallEdge): boolean {
  return kind === 'register' && caller === callee;
}

/** Returns the edges from a chunk, with their call sites, to callees that pass a filter. */
export function listEdgesFrom(
  index: RepositoryIndex,
  store: Store,
  slot: number,
  passes: (calleeSlot: number) => boolean = () => true,
): CallEdge[] {
  const caller = index.getChunk(slot);
  return store.edges.getCallees(index.snapshotId, caller.id).flatMap((edge) => {
    const callee = index.getSlot(edge.callee);
    if (callee === undefined || !passes(callee)) return [];
    return {
      ...edge,
      caller: formatAddress(caller),
      callee: formatAddress(index.getChunk(callee)),
    };
  });
}
