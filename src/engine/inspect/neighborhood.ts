import type { CallEdge, Neighborhood } from '../../shared/types.ts';
import type { RepositoryIndex } from '../index/repository-index.ts';
import type { Neighbor } from '../search/types.ts';
import type { Store } from '../store/store.ts';
import { addressOf, summaryOf } from './address.ts';

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
  snapshotId: number,
  center: number,
  options: NeighborhoodOptions,
): Neighborhood {
  const distances = new Map([[center, 0]]);
  const hidden = new Map<number, number>();
  if (options.direction !== 'callers') walk(center, 1, (slot) => index.callees(slot));
  if (options.direction !== 'callees') walk(center, -1, (slot) => index.callers(slot));
  return {
    center: addressOf(index.chunks[center]!),
    nodes: [...distances].map(([slot, distance]) => ({
      ...summaryOf(index.chunks[slot]!),
      distance,
      hidden: hidden.get(slot) ?? 0,
    })),
    edges: [...distances.keys()].flatMap((slot) =>
      edgesFrom(index, store, snapshotId, slot, (callee) => distances.has(callee)),
    ),
  };

  function walk(from: number, step: number, next: (slot: number) => readonly Neighbor[]): void {
    let frontier = [from];
    for (let depth = 1; depth <= options.depth && frontier.length > 0; depth++) {
      const reached: number[] = [];
      for (const slot of frontier) {
        for (const neighbor of new Set(next(slot).map((edge) => edge.slot))) {
          if (distances.has(neighbor)) continue;
          if (distances.size >= options.limit) {
            hidden.set(slot, (hidden.get(slot) ?? 0) + 1);
            continue;
          }
          distances.set(neighbor, depth * step);
          reached.push(neighbor);
        }
      }
      frontier = reached;
    }
  }
}

/** The edges that leave a chunk, with their call sites, for callees that pass. */
export function edgesFrom(
  index: RepositoryIndex,
  store: Store,
  snapshotId: number,
  slot: number,
  passes: (calleeSlot: number) => boolean = () => true,
): CallEdge[] {
  const caller = index.chunks[slot]!;
  const edges: CallEdge[] = [];
  for (const edge of store.edges.from(snapshotId, caller.id)) {
    const callee = index.slotOf(edge.callee);
    if (callee === undefined || !passes(callee)) continue;
    edges.push({
      caller: addressOf(caller),
      callee: addressOf(index.chunks[callee]!),
      kind: edge.kind,
      guess: edge.guess,
      sites: edge.sites,
    });
  }
  return edges;
}
