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

/** In rem, so that they grow with the zoom of the app. */
const SIZES: Record<Weight | 'center' | 'more' | 'inList', [width: number, height: number]> = {
  center: [14, 4.2],
  top: [14, 4.2],
  high: [13, 3.7],
  found: [12, 3.4],
  other: [11, 3.1],
  more: [7, 2],
  inList: [11, 2],
};

const sizeOf = (node: NodeShown) => SIZES[node.distance === 0 ? 'center' : weightOf(node.rank)];

/** The box of every node and every count, by id; `rem` in pixels. */
export function boxesOf({ nodes, more, links }: GraphShown, rem: number): Map<string, Box> {
  const graph = new Graph();
  graph.setGraph({ rankdir: 'LR', nodesep: 0.75 * rem, ranksep: 3.6 * rem, edgesep: 0.3 * rem });
  graph.setDefaultEdgeLabel(() => ({}));
  for (const node of nodes) graph.setNode(node.id, boxLabel(sizeOf(node)));
  for (const { id, opens } of more) {
    graph.setNode(id, boxLabel(opens === 'list' ? SIZES.inList : SIZES.more));
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

  function boxLabel([width, height]: [number, number]) {
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
