/**
 * What of a neighbourhood is drawn: the best neighbours of every node, the others as a count that can be opened, so
 * that a function called from everywhere does not fill the screen. Knows nothing of how it is drawn.
 */
import type { ChunkAddress } from '../../../shared/address.ts';
import type { CallEdge, EdgeKind, Neighborhood } from '../../../shared/call-graph.ts';
import type { ChunkSummary } from '../../../shared/chunk.ts';

/** Ranks in the current search. */
export type Ranks = ReadonlyMap<ChunkAddress, number>;

export type Side = 'callers' | 'callees';

export interface NodeShown extends ChunkSummary {
  /** Unique in this graph and free of hostile characters. */
  id: string;
  distance: number;
  /** In the current search; null when it was not found. */
  rank: number | null;
  /** The node nearer to the centre that it hangs on; null for the centre. */
  parent: string | null;
  recursive: boolean;
}

/** Neighbours of one node that are not drawn. */
export interface MoreShown {
  /** The name of the group for `openGroup`. */
  group: string;
  id: string;
  parent: string;
  /** The column it stands in. */
  distance: number;
  count: number;
  /** Where they can be had: more of them here, all in the list, or nowhere, as the engine left them out. */
  opens: 'here' | 'list' | null;
}

/** All edges from one node to another, as one. */
export interface LinkShown {
  id: string;
  source: string;
  target: string;
  kind: EdgeKind;
  /** True if all of them are guesses. */
  guess: boolean;
  /** From one column to the next: such links make the layout. */
  adjacent: boolean;
  edges: CallEdge[];
}

export interface GraphShown {
  nodes: NodeShown[];
  more: MoreShown[];
  links: LinkShown[];
}

/** How many neighbours of a node are drawn at first, by their distance from the centre: of the near ones, of the others. */
const FIRST = [10, 4];
const FIRST_FARTHER = 3;
export const STEP = 25;
/** Past so many neighbours of one node, or nodes of one side, the list reads better, and scrolls without effort. */
const MOST = { group: 50, side: 80 };

type Numbered = Neighborhood['nodes'][number] & { id: string };

/** @throws Error when the neighbourhood lacks its centre. */
export function graphShown(
  { nodes, edges, center }: Neighborhood,
  rankOf: Ranks,
  opened: Readonly<Record<string, number>>,
): GraphShown {
  const numbered = nodes.map((node, at): Numbered => ({ ...node, id: `n${at}` }));
  const middle = numbered.find(({ address }) => address === center);
  if (!middle) throw new Error('a neighbourhood without its centre');
  const recursive = new Set(edges.filter(isRecursive).map(({ caller }) => caller));
  const shown = new Map<ChunkAddress, NodeShown>();
  const counted = new Set<ChunkAddress>();
  const more: MoreShown[] = [];
  const callers = nodes.filter(({ distance }) => distance < 0).length;
  const callees = nodes.filter(({ distance }) => distance > 0).length;
  let left = 0;
  const fuller: Side = callers > callees ? 'callers' : 'callees';
  show(middle, null);
  for (const side of ['callers', 'callees'] as const) {
    const next = nextOf({ nodes: numbered, edges }, side, rankOf);
    let column = [middle];
    left = MOST.side;
    for (let distance = 1; column.length > 0; distance++) {
      column = column.flatMap((node) => showNext(node, distance, side, next));
    }
  }
  return { nodes: [...shown.values()], more, links: linksAmong(edges, shown) };

  function show({ hidden: _, ...node }: Numbered, parent: string | null): void {
    const { address } = node;
    const rank = rankOf.get(address) ?? null;
    shown.set(address, { ...node, rank, parent, recursive: recursive.has(address) });
  }

  /** Shows the best neighbours of a node and counts the others; returns those shown. */
  function showNext(
    node: Numbered,
    distance: number,
    side: Side,
    next: ReadonlyMap<ChunkAddress, Numbered[]>,
  ): Numbered[] {
    const group = `${side} ${node.address}`;
    const free = (next.get(node.address) ?? []).filter(
      ({ address }) => !shown.has(address) && !counted.has(address),
    );
    const wanted = (FIRST[distance - 1] ?? FIRST_FARTHER) + (opened[group] ?? 0);
    const room = Math.min(wanted, MOST.group, left);
    // One that is left over takes no more room than its count would.
    const drawn = free.slice(0, free.length === room + 1 ? room + 1 : room);
    for (const other of drawn) show(other, node.id);
    for (const other of free.slice(drawn.length)) counted.add(other.address);
    left = Math.max(0, left - drawn.length);
    const rest = free.length - drawn.length;
    const count = rest + hiddenOf(node, side);
    if (count > 0) {
      const id = `${node.id}-${side}`;
      const signed = side === 'callers' ? -distance : distance;
      const opens = rest === 0 ? null : drawn.length < MOST.group && left > 0 ? 'here' : 'list';
      more.push({ group, id, parent: node.id, distance: signed, count, opens });
    }
    return drawn;
  }

  /** What the engine left out beyond a node. It does not say on which side of the centre: most likely the fuller. */
  function hiddenOf({ address, hidden }: Numbered, side: Side): number {
    return address === center && side !== fuller ? 0 : hidden;
  }
}

const isRecursive = ({ caller, callee }: CallEdge) => caller === callee;

/**
 * For every chunk its neighbours one step farther from the centre, the ones most worth seeing first. An edge from or to
 * what is not among the nodes says nothing.
 */
export function nextOf<Node extends Neighborhood['nodes'][number]>(
  { nodes, edges }: { nodes: readonly Node[]; edges: readonly CallEdge[] },
  side: Side,
  rankOf: Ranks,
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
  const worth = ({ address, role }: Node): number =>
    rankOf.get(address) ?? (role === 'source' ? 1e6 : 2e6);
  return new Map(
    Array.from(next, ([address, others]) => [
      address,
      [...others].sort((a, b) => worth(a) - worth(b) || (a.address < b.address ? -1 : 1)),
    ]),
  );
}

/** The kind to show where one chunk refers to another in several ways: the rarest says most. */
const KINDS: readonly EdgeKind[] = ['inherit', 'decorate', 'construct', 'call'];

function linksAmong(
  edges: readonly CallEdge[],
  shown: ReadonlyMap<ChunkAddress, NodeShown>,
): LinkShown[] {
  const links = new Map<string, LinkShown>();
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
    if (KINDS.indexOf(edge.kind) < KINDS.indexOf(link.kind)) link.kind = edge.kind;
    links.set(id, link);
  }
  return [...links.values()];
}
