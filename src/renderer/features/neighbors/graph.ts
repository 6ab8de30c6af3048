/**
 * Chooses the part of a neighborhood that is drawn: the best neighbors of each node, and a count of the others that can
 * be expanded. A function with very many callers would otherwise fill the screen. Does not depend on the drawing.
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

/** Count of neighbors of a node that are not drawn. */
export interface HiddenNeighbors {
  /** Group for `expandGroup`. */
  group: string;
  id: string;
  parent: string;
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

/** Neighbors of a node that are drawn at first, at a distance of 1 and 2 from the center. */
const INITIAL_NEIGHBORS = [10, 4];
/** The same at larger distances. */
const INITIAL_FAR_NEIGHBORS = 3;
/** Neighbors that are added when a count is expanded. */
export const EXPAND_STEP = 25;
/** Limits of nodes in one group and on one side. Beyond them, the list is easier to read and scroll. */
const MAX_NODES = { group: 50, side: 80 };

type Numbered = Neighborhood['nodes'][number] & { id: string };

/** Chooses the nodes, counts and links to draw. @throws Error if the neighborhood does not contain its center. */
export function buildGraph(
  { nodes, edges, center }: Neighborhood,
  rankOf: RankByAddress,
  expanded: Readonly<Record<string, number>>,
): NeighborGraphData {
  const numbered = nodes.map((node, at): Numbered => ({ ...node, id: `n${at}` }));
  const centerNode = numbered.find(({ address }) => address === center);
  if (!centerNode) throw new Error('The neighborhood does not contain its center.');
  const recursive = new Set(edges.filter(isRecursive).map(({ caller }) => caller));
  const shown = new Map<ChunkAddress, GraphNode>();
  const notDrawn = new Set<ChunkAddress>();
  const more: HiddenNeighbors[] = [];
  const callers = nodes.filter(({ distance }) => distance < 0).length;
  const callees = nodes.filter(({ distance }) => distance > 0).length;
  /** Nodes that may still be drawn on the current side. */
  let left = 0;
  const largerSide: GraphSide = callers > callees ? 'callers' : 'callees';
  show(centerNode, null);
  for (const side of ['callers', 'callees'] as const) {
    const next = groupFartherNeighbors({ nodes: numbered, edges }, side, rankOf);
    let column = [centerNode];
    left = MAX_NODES.side;
    for (let distance = 1; column.length > 0; distance++) {
      column = column.flatMap((node) => showNeighbors(node, distance, side, next));
    }
  }
  return { nodes: [...shown.values()], more, links: mergeEdges(edges, shown) };

  function show({ hidden: _, ...node }: Numbered, parent: string | null): void {
    const { address } = node;
    const rank = rankOf.get(address) ?? null;
    shown.set(address, { ...node, rank, parent, recursive: recursive.has(address) });
  }

  /** Adds the best neighbors of a node, and a count of the others. Returns those that were added. */
  function showNeighbors(
    node: Numbered,
    distance: number,
    side: GraphSide,
    next: ReadonlyMap<ChunkAddress, Numbered[]>,
  ): Numbered[] {
    const group = `${side} ${node.address}`;
    const candidates = (next.get(node.address) ?? []).filter(
      ({ address }) => !shown.has(address) && !notDrawn.has(address),
    );
    const initial = INITIAL_NEIGHBORS[distance - 1] ?? INITIAL_FAR_NEIGHBORS;
    const room = Math.min(initial + (expanded[group] ?? 0), MAX_NODES.group, left);
    // A single node takes no more room than a count of one.
    const drawn = candidates.slice(0, candidates.length === room + 1 ? room + 1 : room);
    for (const other of drawn) show(other, node.id);
    for (const other of candidates.slice(drawn.length)) notDrawn.add(other.address);
    left = Math.max(0, left - drawn.length);
    const rest = candidates.length - drawn.length;
    const count = rest + countHidden(node, side);
    if (count > 0) {
      const id = `${node.id}-${side}`;
      const signed = side === 'callers' ? -distance : distance;
      const opens =
        rest === 0 ? null : drawn.length < MAX_NODES.group && left > 0 ? 'here' : 'list';
      more.push({ group, id, parent: node.id, distance: signed, count, opens });
    }
    return drawn;
  }

  /** Returns the count of neighbors that the engine left out. For the center it has no side, so the larger one is assumed. */
  function countHidden({ address, hidden }: Numbered, side: GraphSide): number {
    return address === center && side !== largerSide ? 0 : hidden;
  }
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
const KINDS_BY_PRECEDENCE: readonly EdgeKind[] = ['inherit', 'decorate', 'construct', 'call'];

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
