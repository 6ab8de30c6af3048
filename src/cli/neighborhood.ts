/** The call graph around a chunk as two trees: what calls it, and what it calls. */

import type { CallEdge, Neighborhood } from '../shared/call-graph.ts';
import { present } from '../shared/present.ts';
import { named } from '../shared/quoted.ts';
import { type Colors, counted } from './terminal.ts';

type Node = Neighborhood['nodes'][number];

export function renderNeighborhood(neighborhood: Neighborhood, colors: Colors): string[] {
  const nodes = new Map(neighborhood.nodes.map((node) => [node.address, node]));
  const center = present(nodes.get(neighborhood.center), 'the center of a neighborhood');
  const trees = (['callers', 'callees'] as const).flatMap((side) => {
    const lines = new Tree(neighborhood, nodes, side, colors).lines(center, '');
    return lines.length > 0
      ? ['', colors.bold(side === 'callers' ? 'called by' : 'calls'), ...lines]
      : [];
  });
  const none = trees.length === 0 ? [colors.dim('no calls to or from it were found')] : [];
  return [label(center, colors), ...none, ...trees];
}

class Tree {
  readonly #edges: Map<string, CallEdge[]>;
  readonly #nodes: Map<string, Node>;
  readonly #side: 'callers' | 'callees';
  readonly #colors: Colors;
  /** Nodes whose own neighbours were printed: a graph has many ways to a node, one is enough. */
  readonly #expanded = new Set<string>();

  constructor(
    neighborhood: Neighborhood,
    nodes: Map<string, Node>,
    side: 'callers' | 'callees',
    colors: Colors,
  ) {
    this.#edges = Map.groupBy(neighborhood.edges, (edge) =>
      side === 'callers' ? edge.callee : edge.caller,
    );
    this.#nodes = nodes;
    this.#side = side;
    this.#colors = colors;
  }

  /** The lines below a node. */
  lines(node: Node, indent: string): string[] {
    this.#expanded.add(node.address);
    const branches = this.#branches(node);
    return branches.flatMap(({ next, edges }, i) => {
      const last = i === branches.length - 1;
      const again = this.#expanded.has(next.address) && this.#branches(next).length > 0;
      const head = `${this.#colors.dim(indent + (last ? '└─ ' : '├─ '))}${label(next, this.#colors)}${this.#how(next, edges, again)}`;
      return [head, ...(again ? [] : this.lines(next, indent + (last ? '   ' : '│  ')))];
    });
  }

  /** One step further out from the centre, one branch for each neighbour. */
  #branches(node: Node): { next: Node; edges: CallEdge[] }[] {
    const outward = this.#side === 'callers' ? -1 : 1;
    const edges = this.#edges.get(node.address) ?? [];
    return [...Map.groupBy(edges, (edge) => this.#far(edge))].flatMap(([address, edges]) => {
      const next = this.#nodes.get(address);
      return next?.distance === node.distance + outward ? [{ next, edges }] : [];
    });
  }

  #far(edge: CallEdge): string {
    return this.#side === 'callers' ? edge.caller : edge.callee;
  }

  #how(next: Node, edges: CallEdge[], again: boolean): string {
    const kinds = edges.filter(({ kind }) => kind !== 'call').map(({ kind }) => kind);
    const said = [
      ...new Set(kinds),
      ...(edges.every(({ guess }) => guess) ? ['?'] : []),
      ...(next.hidden > 0 ? [`${counted(next.hidden, 'neighbour')} not shown`] : []),
      ...(again ? ['see above'] : []),
    ];
    return said.length > 0 ? this.#colors.dim(`  ${said.join(', ')}`) : '';
  }
}

function label(node: Node, colors: Colors): string {
  return `${named(node.qualifiedName)}  ${colors.dim(`${named(node.path)}:${node.startLine}`)}`;
}
