/** Where things stand: columns by distance, callers to the left, with as few crossings as dagre finds. */
import { Graph, layout } from '@dagrejs/dagre';
import type { GraphShown, MoreShown, NodeShown } from './graph.ts';

export interface Box {
  x: number;
  y: number;
  width: number;
  height: number;
}

/** What a rank is worth on the screen: the first ones large, those that were not found small. */
export type Weight = 'top' | 'high' | 'found' | 'other';

export function weightOf(rank: number | null): Weight {
  if (rank === null) return 'other';
  return rank <= 5 ? 'top' : rank <= 20 ? 'high' : 'found';
}

/** All in rem, so that it grows with the zoom of the app. */
const HEIGHTS: Record<Weight | 'center', number> = {
  center: 4.2,
  top: 4.2,
  high: 3.7,
  found: 3.4,
  other: 3.1,
};
const MORE: Size = [7, 2];
const IN_LIST: Size = [11, 2];
/** Of a character of a name, which is set in bold; the first ranks are larger. */
const CHARACTER = 0.56;
const LARGE_CHARACTER = 0.6;
/** What stands beside a name: its icon and the blanks around it; the badge with its rank. */
const BESIDE = 3;
const BADGE = 2.2;
const LEAST = 8;
const MOST = 24;
/** Characters of a name with its owner that are never cut short; of a longer one, the owner gives way. */
const WITH_OWNER = 20;
/** What is left of the owner then, in characters. */
const CUT_OWNER = 2;

type Size = [width: number, height: number];

/** As wide as its name; of a long one, as the part after the last dot. */
function sizeOf({ kind, path, qualifiedName, rank, distance }: NodeShown): Size {
  const full = kind === 'module' ? path.length - path.lastIndexOf('/') - 1 : qualifiedName.length;
  const owner = kind === 'module' ? 0 : qualifiedName.lastIndexOf('.') + 1;
  const simple = full - owner + Math.min(owner, CUT_OWNER);
  const characters = Math.max(simple, Math.min(full, WITH_OWNER));
  const weight = distance === 0 ? 'center' : weightOf(rank);
  const character = weight === 'center' || weight === 'top' ? LARGE_CHARACTER : CHARACTER;
  const width = BESIDE + characters * character + (rank === null ? 0 : BADGE);
  return [Math.max(LEAST, Math.min(MOST, width)), HEIGHTS[weight]];
}

/** The box of every node and every count, by id; `rem` in pixels. */
export function boxesOf({ nodes, more, links }: GraphShown, rem: number): Map<string, Box> {
  const graph = new Graph();
  graph.setGraph({ rankdir: 'LR', nodesep: 0.75 * rem, ranksep: 3.6 * rem, edgesep: 0.3 * rem });
  graph.setDefaultEdgeLabel(() => ({}));
  for (const node of nodes) graph.setNode(node.id, boxLabel(sizeOf(node)));
  for (const { id, opens } of more) {
    graph.setNode(id, boxLabel(opens === 'list' ? IN_LIST : MORE));
  }
  for (const { source, target, adjacent } of links) {
    // Others would push nodes out of their column.
    if (adjacent) graph.setEdge(source, target, {});
  }
  for (const { id, parent, distance } of more) {
    if (distance < 0) graph.setEdge(id, parent, {});
    else graph.setEdge(parent, id, {});
  }
  const places = readingOrder(nodes, more);
  layout(graph, { customOrder: (ranked) => orderColumns(ranked, places) });
  return new Map(
    graph.nodes().map((id) => {
      const { x, y, width, height } = graph.node(id) as Box;
      return [id, { x: x - width / 2, y: y - height / 2, width, height }];
    }),
  );

  function boxLabel([width, height]: Size) {
    return { width: width * rem, height: height * rem };
  }
}

/** Places from the top, by id: what hangs on one node stands together, from the best down to the count of the others. */
function readingOrder(nodes: readonly NodeShown[], more: readonly MoreShown[]) {
  const hanging = Map.groupBy([...nodes, ...more], ({ parent }) => parent);
  const places = new Map<string, number>();
  const visit = (id: string): void => {
    places.set(id, places.size);
    for (const child of hanging.get(id) ?? []) visit(child.id);
  };
  visit('n0');
  return places;
}

/**
 * In place of dagre's own order, which minds crossings only and has the best anywhere: by place, and the bends of an
 * edge with the farther of its ends.
 */
function orderColumns(ranked: Ranked, places: ReadonlyMap<string, number>): void {
  const placeOf = (id: string): number => {
    const edge = ranked.node(id).edgeObj;
    if (!edge) return places.get(id) ?? 0;
    return Math.max(places.get(edge.v) ?? 0, places.get(edge.w) ?? 0);
  };
  const columns = Map.groupBy(ranked.nodes(), (id) => ranked.node(id).rank ?? 0);
  for (const ids of columns.values()) {
    ids.sort((a, b) => placeOf(a) - placeOf(b));
    ids.forEach((id, order) => {
      ranked.node(id).order = order;
    });
  }
}

type Ranked = Parameters<NonNullable<NonNullable<Parameters<typeof layout>[1]>['customOrder']>>[0];
