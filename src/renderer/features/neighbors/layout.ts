/** Lays out the graph: columns by distance, with callers on the left, and each function beside the one that leads to it. */

import { getOrAdd } from '../../../shared/get-or-add.ts';
import { getShownName } from '../../../shared/shown-name.ts';
import type { GraphNode, NeighborGraphData } from './graph.ts';

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
const COUNT_HEIGHT = 2;
const COUNT_WIDTHS = { here: 7, list: 11 };
/** Space between nodes of a column, and between columns. */
const GAP = 0.75;
const COLUMN_GAP = 2.6;
/** Width of a character of a name in bold. */
const CHARACTER = 0.56;
/** The same in the larger font of the top ranks and the center. */
const LARGE_CHARACTER = 0.6;
/** Width of the icon and the padding around a name. */
const PADDING = 3;
/** Limits of the width of a column. */
const MIN_WIDTH = 8;
const MIN_FULL_WIDTH = 11;
const MAX_WIDTH = 20;
/** Length in characters up to which a qualified name is shown in full. In a longer one, the owner is shortened. */
const MAX_FULL_NAME = 20;
/** Characters that are reserved for a shortened owner. */
const SHORT_OWNER = 2;

/** Space between the graph and the edges of the pane, in pixels. */
const MARGIN = 16;

/** Returns how many nodes a column has room for. @param height Height of the pane, in pixels. */
export function countRows(height: number, rem: number): number {
  const MIN_ROWS = 6;
  return Math.max(MIN_ROWS, Math.floor((height - 2 * MARGIN) / ((HEIGHTS.high + GAP) * rem)));
}

/** Returns the width of a node in rem: of its name, or of the part after the last dot if the name is long. */
function measureWidth(node: GraphNode): number {
  const { kind, path, rank, distance } = node;
  const name = getShownName(node);
  const full = kind === 'module' ? path.length - path.lastIndexOf('/') - 1 : name.length;
  const owner = kind === 'module' ? 0 : name.lastIndexOf('.') + 1;
  const simple = full - owner + Math.min(owner, SHORT_OWNER);
  const characters = Math.max(simple, Math.min(full, MAX_FULL_NAME));
  const weight = distance === 0 ? 'center' : getRankWeight(rank);
  const character = weight === 'center' || weight === 'top' ? LARGE_CHARACTER : CHARACTER;
  return Math.max(MIN_WIDTH, PADDING + characters * character);
}

/** Node or count, with its size in rem. */
interface Entry {
  id: string;
  /** Node beside which it is placed. */
  parent: string | null;
  width: number;
  height: number;
}

/**
 * Returns the boxes of all nodes and counts by id, in pixels.
 * @param rem Font size in pixels.
 * @param paneWidth Width in pixels into which the center and one step around it should fit.
 */
export function layOutGraph(
  graph: Pick<NeighborGraphData, 'nodes' | 'more'>,
  rem: number,
  paneWidth: number,
): Map<string, LayoutBox> {
  const columns = [...listColumns(graph)];
  const near = columns.filter(([distance]) => Math.abs(distance) <= 1).length;
  const share = (paneWidth - 2 * MARGIN) / rem / near - COLUMN_GAP;
  const maxWidth = Math.max(MIN_FULL_WIDTH, Math.min(MAX_WIDTH, share));
  const half = Math.max(...columns.map(([, entries]) => sumHeights(entries))) / 2;
  const middles = new Map<string, number>();
  // The center first, so that the position of each parent is known.
  for (const [, entries] of columns.toSorted(([a], [b]) => Math.abs(a) - Math.abs(b))) {
    placeColumn(entries, half, middles);
  }
  const boxes = new Map<string, LayoutBox>();
  let x = 0;
  for (const [, entries] of columns.toSorted(([a], [b]) => a - b)) {
    const width = Math.min(maxWidth, Math.max(...entries.map((entry) => entry.width)));
    for (const { id, height } of entries) {
      const y = (middles.get(id) ?? 0) - height / 2;
      boxes.set(id, { x: x * rem, y: y * rem, width: width * rem, height: height * rem });
    }
    x += width + COLUMN_GAP;
  }
  return boxes;
}

/** Lists columns by distance, from top to bottom: neighbors of one node together, the best first, the count last. */
function listColumns({ nodes, more }: Pick<NeighborGraphData, 'nodes' | 'more'>) {
  const columns = new Map<number, Entry[]>();
  const children = Map.groupBy(nodes, ({ parent }) => parent);
  const visit = (node: GraphNode): void => {
    const { id, parent, distance } = node;
    const height = HEIGHTS[distance === 0 ? 'center' : getRankWeight(node.rank)];
    getOrAdd(columns, distance, () => []).push({ id, parent, width: measureWidth(node), height });
    children.get(id)?.forEach(visit);
  };
  children.get(null)?.forEach(visit);
  for (const { id, parents, distance, opens } of more) {
    const column = getOrAdd(columns, distance, () => []);
    const parent = column.at(-1)?.parent ?? parents.at(-1) ?? null;
    column.push({ id, parent, width: COUNT_WIDTHS[opens ?? 'here'], height: COUNT_HEIGHT });
  }
  return columns;
}

const sumHeights = (entries: readonly Entry[]) =>
  entries.reduce((sum, { height }) => sum + height + GAP, -GAP);

/**
 * Sets the middles of a column's entries, between `-half` and `half`. Entries of one parent are a block, as near to the
 * parent's middle as the other blocks allow.
 */
function placeColumn(entries: readonly Entry[], half: number, middles: Map<string, number>): void {
  const blocks = [...Map.groupBy(entries, ({ parent }) => parent)].map(([parent, block]) => {
    const height = sumHeights(block);
    const wanted = (parent === null ? 0 : (middles.get(parent) ?? 0)) - height / 2;
    return { block, height, wanted, top: wanted };
  });
  separate(blocks, -Infinity, Infinity);
  const drift = blocks.reduce((sum, { top, wanted }) => sum + top - wanted, 0) / blocks.length;
  for (const block of blocks) block.top -= drift;
  separate(blocks, -half, half);
  for (const { block, top } of blocks) {
    let y = top;
    for (const { id, height } of block) {
      middles.set(id, y + height / 2);
      y += height + GAP;
    }
  }
}

/** Moves blocks down and up until none overlap and all are between two limits. */
function separate(blocks: { top: number; height: number }[], from: number, to: number): void {
  let limit = from;
  for (const block of blocks) {
    block.top = Math.max(block.top, limit);
    limit = block.top + block.height + GAP;
  }
  limit = to;
  for (const block of blocks.toReversed()) {
    block.top = Math.min(block.top, limit - block.height);
    limit = block.top - GAP;
  }
}

/** Returns the offset of the view that centers the graph, or the center's middle as far as the graph extends around it. */
export function placeView(
  boxes: ReadonlyMap<string, LayoutBox>,
  { width, height }: { width: number; height: number },
): { x: number; y: number } {
  const center = boxes.get('n0') ?? { x: 0, y: 0, width: 0, height: 0 };
  const all = [...boxes.values()];
  const place = (start: number, end: number, middle: number, room: number): number => {
    if (end - start + 2 * MARGIN <= room) return (room - start - end) / 2;
    return Math.max(room - MARGIN - end, Math.min(MARGIN - start, room / 2 - middle));
  };
  return {
    x: place(
      Math.min(...all.map((box) => box.x)),
      Math.max(...all.map((box) => box.x + box.width)),
      center.x + center.width / 2,
      width,
    ),
    y: place(
      Math.min(...all.map((box) => box.y)),
      Math.max(...all.map((box) => box.y + box.height)),
      center.y + center.height / 2,
      height,
    ),
  };
}
