/** A neighbourhood as the rows of a tree: callers and callees, and below each those that are one step farther. */
import type { ChunkAddress } from '../../../shared/address.ts';
import type { CallEdge, Neighborhood } from '../../../shared/call-graph.ts';
import type { ChunkSummary } from '../../../shared/chunk.ts';
import { nextOf, type Ranks, type Side } from './graph.ts';

/** Neighbours of one chunk that are listed at first, and added with every "more". */
const PAGE = 50;

export interface Row {
  /** The way to it from the top: a chunk may hang on several others. */
  id: string;
  level: number;
  /** Its place among its siblings, from 1, and how many they are. */
  at: number;
  of: number;
  content:
    | { type: 'side'; side: Side; count: number }
    | { type: 'chunk'; chunk: ChunkSummary; rank: number | null; edges: CallEdge[] }
    | { type: 'more'; parent: string; count: number };
  /** Null for what has nothing below it. */
  open: boolean | null;
}

export function rowsOf(
  neighborhood: Neighborhood,
  rankOf: Ranks,
  toggled: ReadonlySet<string>,
  pages: Readonly<Record<string, number>>,
): Row[] {
  const between = Map.groupBy(neighborhood.edges, ({ caller, callee }) => `${caller}\n${callee}`);
  const rows: Row[] = [];
  const sides = ['callers', 'callees'] as const;
  sides.forEach((side, i) => {
    const next = nextOf(neighborhood, side, rankOf);
    const below = next.get(neighborhood.center) ?? [];
    const open = below.length > 0 ? !toggled.has(side) : null;
    const content = { type: 'side', side, count: below.length } as const;
    rows.push({ id: side, level: 1, at: i + 1, of: 2, content, open });
    if (open) addBelow(neighborhood.center, side, 2);

    function addBelow(address: ChunkAddress, path: string, level: number): void {
      const others = next.get(address) ?? [];
      const listed = others.slice(0, (pages[path] ?? 1) * PAGE);
      const hidden = others.length - listed.length;
      const of = listed.length + (hidden > 0 ? 1 : 0);
      listed.forEach((other, at) => {
        const id = `${path}\n${other.address}`;
        const ends = [other.address, address];
        const edges = between.get((side === 'callers' ? ends : ends.reverse()).join('\n')) ?? [];
        const rank = rankOf.get(other.address) ?? null;
        const open = next.has(other.address) ? toggled.has(id) : null;
        const content = { type: 'chunk', chunk: other, rank, edges } as const;
        rows.push({ id, level, at: at + 1, of, content, open });
        if (open) addBelow(other.address, id, level + 1);
      });
      if (hidden > 0) {
        const content = { type: 'more', parent: path, count: hidden } as const;
        rows.push({ id: `${path}\nmore`, level, at: of, of, content, open: null });
      }
    }
  });
  return rows;
}
