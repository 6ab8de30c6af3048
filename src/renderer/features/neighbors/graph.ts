/**
 * Chooses the part of a neighborhood that is drawn: in each column as many functions as fit the pane, the best ones, and
 * a count of the others that can be expanded. Does not depend on the drawing.
 */
import type { ChunkAddress } from '../../../shared/address.ts';
import type { CallEdge, EdgeKind, Neighborhood } from '../../../shared/call-graph.ts';
import type { ChunkSummary } from '../../../shared/chunk.ts';

/** Ranks in the current list. */
export type RankByAddress = ReadonlyMap<ChunkAddress, number>;

export type GraphSide = 'callers' | 'callees';

export interface GraphNode extends ChunkSummary {
  /** Unique in this graph, without characters from the repository. */
  id: string;
  distance: number;
  /** Rank in the current list; null if it isn't in the list. */
  rank: number | null;
  /** Id of the node through which it was reached, one step nearer to the center; null for the center. */
  parent: string | null;
  /** True if it calls itself. */
  recursive: boolean;
}

/** Count of the chunks of a column that are not drawn. */
export interface HiddenNeighbors {
  /** Group for `expandGroup`. */
  group: string;
  id: string;
  /** Nodes through which they are reached, from top to bottom. */
  parents: string[];
  /** Column of the count. */
  distance: number;
  count: number;
  /** Place where a click shows them: in the graph, or in the list. Null if the engine did not return them. */
  opens: 'here' | 'list' | null;
}

/** All edges from one node to another, drawn as one. */
export interface GraphLink {
  id: string;
  source: string;
  target: string;
  kind: EdgeKind;
  /** True if all of its edges are guessed. */
  guess: boolean;
  /** True if it leads from one column to the next. Only such links affect the layout. */
  adjacent: boolean;
  edges: CallEdge[];
}

export interface NeighborGraphData {
  nodes: GraphNode[];
  more: HiddenNeighbors[];
  links: GraphLink[];
}

/** Chunks that are added to a column when its count is expanded. */
export const EXPAND_STEP = 25;
/** Limit of chunks in a column. Beyond it, the list is easier to read and scroll. */
const MAX_COLUMN = 50;

type Numbered = Neighborhood['nodes'][number] & { id: string };

/**
 * Chooses the nodes, counts and links to draw.
 * @param expanded Chunks to draw in addition, by group.
 * @param rows Nodes and counts that a column has room for.
 * @throws Error if the neighborhood does not contain its center.
 */
export function buildGraph(
  { nodes, edges, center }: Neighborhood,
  rankOf: RankByAddress,
  expanded: Readonly<Record<string, number>>,
  rows: number,
): NeighborGraphData {
  const numbered = nodes.map((node, at): Numbered => ({ ...node, id: `n${at}` }));
  const centerNode = numbered.find(({ address }) => address === center);
  if (!centerNode) throw new Error('The neighborhood does not contain its center.');
  const recursive = new Set(edges.filter(isRecursive).map(({ caller }) => caller));
  const shown = new Map<ChunkAddress, GraphNode>();
  const more: HiddenNeighbors[] = [];
  const callers = nodes.filter(({ distance }) => distance < 0).length;
  const callees = nodes.filter(({ distance }) => distance > 0).length;
  const largerSide: GraphSide = callers > callees ? 'callers' : 'callees';
  show(centerNode, null);
  for (const side of ['callers', 'callees'] as const) {
    const next = groupFartherNeighbors({ nodes: numbered, edges }, side, rankOf);
    let column = [centerNode];
    for (let distance = 1; column.length > 0; distance++) {
      column = showColumn(column, distance, side, next);
    }
  }
  return { nodes: [...shown.values()], more, links: mergeEdges(edges, shown) };

  function show({ hidden: _, ...node }: Numbered, parent: string | null): void {
    const { address } = node;
    const rank = rankOf.get(address) ?? null;
    shown.set(address, { ...node, rank, parent, recursive: recursive.has(address) });
  }

  /** Adds the best neighbors of a column, and a count of the others. Returns those that were added. */
  function showColumn(
    parents: readonly Numbered[],
    distance: number,
    side: GraphSide,
    next: ReadonlyMap<ChunkAddress, Numbered[]>,
  ): Numbered[] {
    const group = `${side} ${distance}`;
    const candidates = takeTurns(parents, next, rankOf);
    const leftOut = parents.filter((node) => countHidden(node, side) > 0);
    const room = Math.min(rows + (expanded[group] ?? 0), MAX_COLUMN);
    const fits = candidates.length <= room && leftOut.length === 0;
    const drawn = fits ? candidates : candidates.slice(0, room - 1);
    for (const { node, parent } of drawn) show(node, parent);
    const rest = candidates.slice(drawn.length);
    if (!fits) {
      const reaching = new Set([...leftOut.map(({ id }) => id), ...rest.map((one) => one.parent)]);
      const count = rest.length + leftOut.reduce((sum, node) => sum + countHidden(node, side), 0);
      more.push({
        group,
        id: `${side}-${distance}`,
        parents: parents.map(({ id }) => id).filter((id) => reaching.has(id)),
        distance: side === 'callers' ? -distance : distance,
        count,
        opens: rest.length === 0 ? null : room < MAX_COLUMN ? 'here' : 'list',
      });
    }
    return drawn.map(({ node }) => node);
  }

  /** Returns the count of neighbors that the engine left out. For the center it has no side, so the larger one is assumed. */
  function countHidden({ address, hidden }: Numbered, side: GraphSide): number {
    return address === center && side !== largerSide ? 0 : hidden;
  }
}

/** Lists the neighbors of a column once each: ranked ones first, then the best of each parent, the second best, and so on. */
function takeTurns(
  parents: readonly Numbered[],
  next: ReadonlyMap<ChunkAddress, Numbered[]>,
  rankOf: RankByAddress,
): { node: Numbered; parent: string }[] {
  const found = new Map<ChunkAddress, { node: Numbered; parent: string; turn: number }>();
  for (const { id, address } of parents) {
    const added = (next.get(address) ?? []).filter((node) => !found.has(node.address));
    added.forEach((node, turn) => {
      found.set(node.address, { node, parent: id, turn });
    });
  }
  const getSortKey = ({ node, turn }: { node: Numbered; turn: number }): number =>
    rankOf.get(node.address) ?? 1e6 + turn;
  return [...found.values()].sort((a, b) => getSortKey(a) - getSortKey(b));
}

const isRecursive = ({ caller, callee }: CallEdge) => caller === callee;

/**
 * Returns the neighbors of each chunk that are one step farther from the center: ranked ones first, then source code,
 * then tests and other roles. Edges of chunks that are not among the nodes are ignored.
 */
export function groupFartherNeighbors<Node extends Neighborhood['nodes'][number]>(
  { nodes, edges }: { nodes: readonly Node[]; edges: readonly CallEdge[] },
  side: GraphSide,
  rankOf: RankByAddress,
): Map<ChunkAddress, Node[]> {
  const byAddress = new Map(nodes.map((node) => [node.address, node]));
  const next = new Map<ChunkAddress, Set<Node>>();
  for (const { caller, callee } of edges) {
    const near = byAddress.get(side === 'callers' ? callee : caller);
    const far = byAddress.get(side === 'callers' ? caller : callee);
    if (!near || !far) continue;
    const [from, to] = [near.distance, far.distance];
    if (side === 'callers' ? from > 0 || to !== from - 1 : from < 0 || to !== from + 1) continue;
    next.set(near.address, (next.get(near.address) ?? new Set()).add(far));
  }
  const getSortKey = ({ address, role }: Node): number =>
    rankOf.get(address) ?? (role === 'source' ? 1e6 : 2e6);
  return new Map(
    Array.from(next, ([address, others]) => [
      address,
      [...others].sort((a, b) => getSortKey(a) - getSortKey(b) || (a.address < b.address ? -1 : 1)),
    ]),
  );
}

/** Edge kinds by precedence. If two chunks have several kinds of edges, the rarest kind is drawn, as it says the most. */
const KINDS_BY_PRECEDENCE: readonly EdgeKind[] = [
  'inherit',
  'decorate',
  'register',
  'construct',
  'call',
];

/** Merges the edges between drawn nodes into one link for each pair. */
function mergeEdges(
  edges: readonly CallEdge[],
  shown: ReadonlyMap<ChunkAddress, GraphNode>,
): GraphLink[] {
  const links = new Map<string, GraphLink>();
  for (const edge of edges) {
    const source = shown.get(edge.caller);
    const target = shown.get(edge.callee);
    if (!source || !target || source === target) continue;
    const id = `${source.id}-${target.id}`;
    const link = links.get(id) ?? {
      id,
      source: source.id,
      target: target.id,
      kind: edge.kind,
      guess: true,
      adjacent: target.distance - source.distance === 1,
      edges: [],
    };
    link.edges.push(edge);
    link.guess &&= edge.guess;
    if (KINDS_BY_PRECEDENCE.indexOf(edge.kind) < KINDS_BY_PRECEDENCE.indexOf(link.kind))
      link.kind = edge.kind;
    links.set(id, link);
  }
  return [...links.values()];
}
