/**
 * What of a neighbourhood is drawn: the best neighbours of every node, the others as a count that can be opened, so
 * that a function called from everywhere does not fill the screen. Knows nothing of how it is drawn.
 */
import type {
  CallEdge,
  ChunkAddress,
  ChunkSummary,
  EdgeKind,
  Neighborhood,
} from '../../../shared/types.ts';

export type Side = 'callers' | 'callees';

export interface NodeShown extends ChunkSummary {
  /** Unique in this graph and free of hostile characters. */
  id: string;
  distance: number;
  /** In the current search; null when it was not found. */
  rank: number | null;
  /** The node nearer to the centre that it hangs on; null for the centre. */
  parent: string | null;
  /** Whether it calls itself. */
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
  /** Whether all of them are guesses. */
  guess: boolean;
  /** From one column to the next: such links make the layout. */
  adjacent: boolean;
  edges: CallEdge[];
}

export interface GraphShown {
  nodes: NodeShown[];
  more: MoreShown[];
  links: LinkShown[];
  /** Callers and callees in the neighbourhood, drawn or not. */
  callers: number;
  callees: number;
}

/** How many neighbours of a node are drawn at first, by their distance from the centre. */
const FIRST = [10, 4, 3];
/** How many are added when a count is opened. */
export const STEP = 25;
/** Past so many neighbours of one node, or nodes of one side, the list reads better, and scrolls without effort. */
const MOST = { group: 50, side: 80 };

export function graphShown(
  neighborhood: Neighborhood,
  rankOf: ReadonlyMap<ChunkAddress, number>,
  opened: Readonly<Record<string, number>>,
): GraphShown {
  const { nodes, edges, center } = neighborhood;
  const ids = new Map(nodes.map(({ address }, at) => [address, `n${at}`]));
  const byAddress = new Map(nodes.map((node) => [node.address, node]));
  const recursive = new Set(edges.filter(isRecursive).map(({ caller }) => caller));
  const shown = new Map<ChunkAddress, NodeShown>();
  const counted = new Set<ChunkAddress>();
  const more: MoreShown[] = [];
  const callers = nodes.filter(({ distance }) => distance < 0).length;
  const callees = nodes.filter(({ distance }) => distance > 0).length;
  let left = 0;
  const fuller: Side = callers > callees ? 'callers' : 'callees';
  show(center, null);
  for (const side of ['callers', 'callees'] as const) {
    const next = nextOf(neighborhood, side, rankOf);
    let column = [center];
    left = MOST.side;
    for (let distance = 1; column.length > 0; distance++) {
      column = column.flatMap((address) => showNext(address, distance, side, next));
    }
  }
  return {
    nodes: [...shown.values()],
    more,
    links: linksAmong(edges, shown),
    callers,
    callees,
  };

  function show(address: ChunkAddress, parent: string | null): void {
    const { hidden: _, ...node } = byAddress.get(address)!;
    shown.set(address, {
      ...node,
      id: ids.get(address)!,
      rank: rankOf.get(address) ?? null,
      parent,
      recursive: recursive.has(address),
    });
  }

  /** Shows the best neighbours of a node and counts the others; returns those shown. */
  function showNext(
    address: ChunkAddress,
    distance: number,
    side: Side,
    next: ReadonlyMap<ChunkAddress, ChunkAddress[]>,
  ): ChunkAddress[] {
    const group = `${side} ${address}`;
    const free = (next.get(address) ?? []).filter(
      (other) => !shown.has(other) && !counted.has(other),
    );
    const wanted = FIRST[Math.min(distance, FIRST.length) - 1]! + (opened[group] ?? 0);
    const room = Math.min(wanted, MOST.group, left);
    // One that is left over takes no more room than its count would.
    const drawn = free.slice(0, free.length === room + 1 ? room + 1 : room);
    const parent = ids.get(address)!;
    for (const other of drawn) show(other, parent);
    for (const other of free.slice(drawn.length)) counted.add(other);
    left = Math.max(0, left - drawn.length);
    const rest = free.length - drawn.length;
    const count = rest + hiddenOf(address, side);
    if (count > 0) {
      const id = `${parent}-${side}`;
      const signed = side === 'callers' ? -distance : distance;
      const opens = rest === 0 ? null : drawn.length < MOST.group && left > 0 ? 'here' : 'list';
      more.push({ group, id, parent, distance: signed, count, opens });
    }
    return drawn;
  }

  /** What the engine left out beyond a node. It does not say on which side of the centre: most likely the fuller. */
  function hiddenOf(address: ChunkAddress, side: Side): number {
    if (address === center && side !== fuller) return 0;
    return byAddress.get(address)!.hidden;
  }
}

const isRecursive = ({ caller, callee }: CallEdge) => caller === callee;

/** For every chunk its neighbours one step farther from the centre, the ones most worth seeing first. */
export function nextOf(
  { nodes, edges }: Neighborhood,
  side: Side,
  rankOf: ReadonlyMap<ChunkAddress, number>,
): Map<ChunkAddress, ChunkAddress[]> {
  const byAddress = new Map(nodes.map((node) => [node.address, node]));
  const next = new Map<ChunkAddress, Set<ChunkAddress>>();
  for (const { caller, callee } of edges) {
    const [near, far] = side === 'callers' ? [callee, caller] : [caller, callee];
    const from = byAddress.get(near)!.distance;
    const to = byAddress.get(far)!.distance;
    if (side === 'callers' ? from > 0 || to !== from - 1 : from < 0 || to !== from + 1) continue;
    next.set(near, (next.get(near) ?? new Set()).add(far));
  }
  const worth = (address: ChunkAddress): number =>
    rankOf.get(address) ?? (byAddress.get(address)!.role === 'source' ? 1e6 : 2e6);
  return new Map(
    Array.from(next, ([address, others]) => [
      address,
      [...others].sort((a, b) => worth(a) - worth(b) || (a < b ? -1 : 1)),
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
