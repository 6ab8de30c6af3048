/** Turns a neighborhood into the rows of a tree: callers and callees, each with those one step farther below it. */
import type { ChunkAddress } from '../../../shared/address.ts';
import type { CallEdge, Neighborhood } from '../../../shared/call-graph.ts';
import type { ChunkSummary } from '../../../shared/chunk.ts';
import { type GraphSide, groupFartherNeighbors, type RankByAddress } from './graph.ts';

/** Neighbors of a chunk that are listed at first, and added with every “more”. */
const PAGE_SIZE = 50;

export interface NeighborRow {
  /** Path from the root of the tree, since a chunk can occur below several others. */
  id: string;
  level: number;
  /** Position among its siblings, from 1. */
  position: number;
  /** Count of its siblings, itself included. */
  siblings: number;
  content:
    | { type: 'side'; side: GraphSide; count: number }
    | { type: 'chunk'; chunk: ChunkSummary; rank: number | null; edges: CallEdge[] }
    | { type: 'more'; parent: string; count: number };
  /** True if its children are shown; null if it has none. */
  open: boolean | null;
}

/** Returns the visible rows. @param pages Number of pages that are listed below a row, by row id. */
export function listTreeRows(
  neighborhood: Neighborhood,
  rankOf: RankByAddress,
  toggled: ReadonlySet<string>,
  pages: Readonly<Record<string, number>>,
): NeighborRow[] {
  const edgesByEnds = Map.groupBy(
    neighborhood.edges,
    ({ caller, callee }) => `${caller}\n${callee}`,
  );
  const rows: NeighborRow[] = [];
  const sides = ['callers', 'callees'] as const;
  sides.forEach((side, i) => {
    const next = groupFartherNeighbors(neighborhood, side, rankOf);
    const neighbors = next.get(neighborhood.center) ?? [];
    const open = neighbors.length > 0 ? !toggled.has(side) : null;
    const content = { type: 'side', side, count: neighbors.length } as const;
    rows.push({ id: side, level: 1, position: i + 1, siblings: 2, content, open });
    if (open) addChildren(neighborhood.center, side, 2);

    function addChildren(address: ChunkAddress, path: string, level: number): void {
      const others = next.get(address) ?? [];
      const listed = others.slice(0, (pages[path] ?? 1) * PAGE_SIZE);
      const hidden = others.length - listed.length;
      const setSize = listed.length + (hidden > 0 ? 1 : 0);
      listed.forEach((other, at) => {
        const id = `${path}\n${other.address}`;
        const ends = [other.address, address];
        const edges =
          edgesByEnds.get((side === 'callers' ? ends : ends.reverse()).join('\n')) ?? [];
        const rank = rankOf.get(other.address) ?? null;
        const open = next.has(other.address) ? toggled.has(id) : null;
        const content = { type: 'chunk', chunk: other, rank, edges } as const;
        rows.push({ id, level, position: at + 1, siblings: setSize, content, open });
        if (open) addChildren(other.address, id, level + 1);
      });
      if (hidden > 0) {
        const content = { type: 'more', parent: path, count: hidden } as const;
        rows.push({
          id: `${path}\nmore`,
          level,
          position: setSize,
          siblings: setSize,
          content,
          open: null,
        });
      }
    }
  });
  return rows;
}
