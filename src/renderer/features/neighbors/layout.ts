/** Lays out the graph: columns by distance, with callers on the left, and as few crossings as dagre finds. */
import { Graph, layout } from '@dagrejs/dagre';
import type { GraphNode, HiddenNeighbors, NeighborGraphData } from './graph.ts';

export interface LayoutBox {
  x: number;
  y: number;
  width: number;
  height: number;
}

/** Visual size of a node by its rank: `top` for 1–5, `high` for 6–20, `low` for lower ranks, `none` for unranked nodes. */
export type RankWeight = 'top' | 'high' | 'low' | 'none';

export function getRankWeight(rank: number | null): RankWeight {
  if (rank === null) return 'none';
  return rank <= 5 ? 'top' : rank <= 20 ? 'high' : 'low';
}

/** Heights in rem, so that they grow with the zoom. Widths below are in rem, too. */
const HEIGHTS: Record<RankWeight | 'center', number> = {
  center: 4.2,
  top: 4.2,
  high: 3.7,
  low: 3.4,
  none: 3.1,
};
const COUNT_SIZE: Size = [7, 2];
const LIST_COUNT_SIZE: Size = [11, 2];
/** Width of a character of a name in bold. */
const CHARACTER = 0.56;
/** The same in the larger font of the top ranks and the center. */
const LARGE_CHARACTER = 0.6;
/** Width of the icon and the padding around a name. */
const PADDING = 3;
/** Width of the badge with the rank. */
const BADGE = 2.2;
const MIN_WIDTH = 8;
const MAX_WIDTH = 24;
/** Length in characters up to which a qualified name is shown in full. In a longer one, the owner is shortened. */
const MAX_FULL_NAME = 20;
/** Characters that are reserved for a shortened owner. */
const SHORT_OWNER = 2;

type Size = [width: number, height: number];

/** Returns the size of a node in rem: as wide as its name, or as the part after the last dot if the name is long. */
function measureNode({ kind, path, qualifiedName, rank, distance }: GraphNode): Size {
  const full = kind === 'module' ? path.length - path.lastIndexOf('/') - 1 : qualifiedName.length;
  const owner = kind === 'module' ? 0 : qualifiedName.lastIndexOf('.') + 1;
  const simple = full - owner + Math.min(owner, SHORT_OWNER);
  const characters = Math.max(simple, Math.min(full, MAX_FULL_NAME));
  const weight = distance === 0 ? 'center' : getRankWeight(rank);
  const character = weight === 'center' || weight === 'top' ? LARGE_CHARACTER : CHARACTER;
  const width = PADDING + characters * character + (rank === null ? 0 : BADGE);
  return [Math.max(MIN_WIDTH, Math.min(MAX_WIDTH, width)), HEIGHTS[weight]];
}

/** Returns the boxes of all nodes and counts by id, in pixels. @param rem Font size in pixels. */
export function layOutGraph(
  { nodes, more, links }: NeighborGraphData,
  rem: number,
): Map<string, LayoutBox> {
  const graph = new Graph();
  graph.setGraph({ rankdir: 'LR', nodesep: 0.75 * rem, ranksep: 3.6 * rem, edgesep: 0.3 * rem });
  graph.setDefaultEdgeLabel(() => ({}));
  for (const node of nodes) graph.setNode(node.id, toPixels(measureNode(node)));
  for (const { id, opens } of more) {
    graph.setNode(id, toPixels(opens === 'list' ? LIST_COUNT_SIZE : COUNT_SIZE));
  }
  for (const { source, target, adjacent } of links) {
    // Other links would move nodes out of their columns.
    if (adjacent) graph.setEdge(source, target, {});
  }
  for (const { id, parent, distance } of more) {
    if (distance < 0) graph.setEdge(id, parent, {});
    else graph.setEdge(parent, id, {});
  }
  const order = computeOrder(nodes, more);
  layout(graph, { customOrder: (ranked) => orderColumns(ranked, order) });
  return new Map(
    graph.nodes().map((id) => {
      const { x, y, width, height } = graph.node(id) as LayoutBox;
      return [id, { x: x - width / 2, y: y - height / 2, width, height }];
    }),
  );

  function toPixels([width, height]: Size) {
    return { width: width * rem, height: height * rem };
  }
}

/** Returns the vertical order by id. Neighbors of one node are together: the best first, the count of the others last. */
function computeOrder(nodes: readonly GraphNode[], more: readonly HiddenNeighbors[]) {
  const children = Map.groupBy([...nodes, ...more], ({ parent }) => parent);
  const order = new Map<string, number>();
  const visit = (id: string): void => {
    order.set(id, order.size);
    for (const child of children.get(id) ?? []) visit(child.id);
  };
  visit('n0');
  return order;
}

/**
 * Sorts the nodes of each column by `order`. This replaces dagre's own sorting, which only avoids crossings and can put
 * the best nodes anywhere. A bend of an edge is sorted with the lower of its two ends.
 */
function orderColumns(ranked: RankedGraph, order: ReadonlyMap<string, number>): void {
  const getOrder = (id: string): number => {
    const edge = ranked.node(id).edgeObj;
    if (!edge) return order.get(id) ?? 0;
    return Math.max(order.get(edge.v) ?? 0, order.get(edge.w) ?? 0);
  };
  const columns = Map.groupBy(ranked.nodes(), (id) => ranked.node(id).rank ?? 0);
  for (const ids of columns.values()) {
    ids.sort((a, b) => getOrder(a) - getOrder(b));
    ids.forEach((id, index) => {
      ranked.node(id).order = index;
    });
  }
}

type RankedGraph = Parameters<
  NonNullable<NonNullable<Parameters<typeof layout>[1]>['customOrder']>
>[0];
