import { addressOf } from '../../shared/address.ts';
import type { CallEdge, Neighborhood } from '../../shared/call-graph.ts';
import { callersByPlace } from '../search/gather/chunks.ts';
import { summaryOf } from '../snapshot/address.ts';
import type { RepositoryIndex } from '../snapshot/repository-index.ts';
import type { Neighbor } from '../snapshot/types.ts';
import type { Store } from '../store/store.ts';

export interface NeighborhoodOptions {
  depth: number;
  direction: 'callers' | 'callees' | 'both';
  /** Nodes at most, the centre included. */
  limit: number;
}

/** The chunks around one in the call graph, breadth first, with every edge among those that are shown. */
export function neighborhood(
  index: RepositoryIndex,
  store: Store,
  center: number,
  options: NeighborhoodOptions,
): Neighborhood {
  const distances = new Map([[center, 0]]);
  const hidden = new Map<number, number>();
  // Both ways a step at a time: the limit is to leave out the farthest.
  let callees = options.direction === 'callers' ? [] : [center];
  let callers = options.direction === 'callees' ? [] : [center];
  for (let depth = 1; depth <= options.depth; depth++) {
    callees = step(callees, depth, (slot) => index.callees(slot));
    callers = step(callers, -depth, (slot) => callersByPlace(slot, index));
  }
  return {
    center: addressOf(index.chunk(center)),
    nodes: [...distances].map(([slot, distance]) => ({
      ...summaryOf(index.chunk(slot)),
      distance,
      hidden: hidden.get(slot) ?? 0,
    })),
    edges: [...distances.keys()].flatMap((slot) =>
      edgesFrom(index, store, slot, (callee) => distances.has(callee)),
    ),
  };

  /** What is one step further than `frontier`, as far as the limit allows. */
  function step(
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

/** The edges that leave a chunk, with their call sites, for callees that pass. */
export function edgesFrom(
  index: RepositoryIndex,
  store: Store,
  slot: number,
  passes: (calleeSlot: number) => boolean = () => true,
): CallEdge[] {
  const caller = index.chunk(slot);
  return store.edges.from(index.snapshotId, caller.id).flatMap((edge) => {
    const callee = index.slotOf(edge.callee);
    if (callee === undefined || !passes(callee)) return [];
    return { ...edge, caller: addressOf(caller), callee: addressOf(index.chunk(callee)) };
  });
}
