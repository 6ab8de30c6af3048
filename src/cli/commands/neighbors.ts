import type { Command } from 'commander';
import type { CallEdge, Neighborhood } from '../../shared/call-graph.ts';
import { present } from '../../shared/present.ts';
import { named } from '../../shared/quoted.ts';
import { chunkQueryCommand } from '../chunk-query.ts';
import type { Run } from '../session.ts';
import { type Colors, counted } from '../terminal.ts';

const EXAMPLES = `
Examples:
  locus neighbors . parse_cookie                     who calls it, what it calls
  locus neighbors . parse_cookie --callers --depth 3
  locus neighbors . src/app.py::App.run --callees --json

An edge marked ? was chosen only because its name is unique in the repository.`;

interface NeighborsOptions {
  depth: number;
  limit: number;
  callers?: boolean;
  callees?: boolean;
}

export function neighborsCommand(run: Run): Command {
  return chunkQueryCommand<'neighbors', NeighborsOptions>(run, 'neighbors', {
    examples: EXAMPLES,
    numbers: {
      depth: { flags: '--depth <steps>', text: 'steps from the function' },
      limit: { flags: '-n, --limit <count>', text: 'functions at most, the nearest stay' },
    },
    switches: { '--callers': 'only what calls it', '--callees': 'only what it calls' },
    toRequest: ({ depth, limit, ...sides }) => {
      return { depth, limit, direction: chooseDirection(sides) };
    },
    render: renderNeighborhood,
  });
}

function chooseDirection({
  callers,
  callees,
}: Pick<NeighborsOptions, 'callers' | 'callees'>): 'callers' | 'callees' | 'both' {
  if (callers === callees) return 'both';
  return callers ? 'callers' : 'callees';
}

type Node = Neighborhood['nodes'][number];

/** The call graph around a chunk as two trees: what calls it, and what it calls. */
export function renderNeighborhood(neighborhood: Neighborhood, colors: Colors): string[] {
  const nodes = new Map(neighborhood.nodes.map((node) => [node.address, node]));
  const center = present(nodes.get(neighborhood.center), 'the center of a neighborhood');
  const trees = (['caller', 'callee'] as const).flatMap((far) => {
    const lines = treeBelow(center, nodes, neighborhood.edges, far, colors);
    const title = colors.bold(far === 'caller' ? 'called by' : 'calls');
    return lines.length > 0 ? ['', title, ...lines] : [];
  });
  const none = trees.length === 0 ? [colors.dim('no calls to or from it were found')] : [];
  return [label(center, colors), ...none, ...trees];
}

function treeBelow(
  center: Node,
  nodes: ReadonlyMap<string, Node>,
  allEdges: readonly CallEdge[],
  far: 'caller' | 'callee',
  colors: Colors,
): string[] {
  const [near, outward] = far === 'caller' ? (['callee', -1] as const) : (['caller', 1] as const);
  const byNear = Map.groupBy(allEdges, (edge) => edge[near]);
  // A graph has many ways to a node, one is enough.
  const expanded = new Set<string>();
  const branchesOf = (node: Node) =>
    [...Map.groupBy(byNear.get(node.address) ?? [], (edge) => edge[far])].flatMap(
      ([address, edges]) => {
        const next = nodes.get(address);
        return next?.distance === node.distance + outward ? [{ next, edges }] : [];
      },
    );
  const linesBelow = (node: Node, indent: string): string[] => {
    expanded.add(node.address);
    const branches = branchesOf(node);
    return branches.flatMap(({ next, edges }, i) => {
      const [fork, space] = i === branches.length - 1 ? ['└─ ', '   '] : ['├─ ', '│  '];
      const again = expanded.has(next.address) && branchesOf(next).length > 0;
      const said = how(next, edges, again);
      const head = `${colors.dim(indent + fork)}${label(next, colors)}${said && colors.dim(said)}`;
      return [head, ...(again ? [] : linesBelow(next, indent + space))];
    });
  };
  return linesBelow(center, '');
}

function how({ hidden }: Node, edges: readonly CallEdge[], again: boolean): string {
  const kinds = edges.filter(({ kind }) => kind !== 'call').map(({ kind }) => kind);
  const said = [
    ...new Set(kinds),
    ...(edges.every(({ guess }) => guess) ? ['?'] : []),
    ...(hidden > 0 ? [`${counted(hidden, 'neighbour')} not shown`] : []),
    ...(again ? ['see above'] : []),
  ];
  return said.length > 0 ? `  ${said.join(', ')}` : '';
}

function label(node: Node, colors: Colors): string {
  return `${named(node.qualifiedName)}  ${colors.dim(`${named(node.path)}:${node.startLine}`)}`;
}
