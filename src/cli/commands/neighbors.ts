import type { Command } from 'commander';
import { assertPresent } from '../../shared/assert-present.ts';
import type { CallEdge, Neighborhood } from '../../shared/call-graph.ts';
import { formatCounted } from '../../shared/format-count.ts';
import { escapeHidden, quoteName } from '../../shared/quote.ts';
import { describeKeys } from '../../shared/registration.ts';
import { getShownName } from '../../shared/shown-name.ts';
import { chunkQueryCommand } from '../chunk-query.ts';
import type { RunAction } from '../session.ts';
import type { Colors } from '../terminal.ts';

const EXAMPLES = `
Examples:
  locus neighbors . parse_cookie                     its callers and callees
  locus neighbors . parse_cookie --callers --depth 3
  locus neighbors . src/app.py::App.run --callees --json

An edge marked ? is a guess: only the name matches, and it is unique in the repository.`;

interface NeighborsOptions {
  depth: number;
  limit: number;
  callers?: boolean;
  callees?: boolean;
}

export function neighborsCommand(run: RunAction): Command {
  return chunkQueryCommand<'neighbors', NeighborsOptions>(run, 'neighbors', {
    examples: EXAMPLES,
    numbers: {
      depth: { flags: '--depth <steps>', text: 'maximum number of steps from the function' },
      limit: { flags: '-n, --limit <count>', text: 'maximum number of functions, nearest first' },
    },
    switches: { '--callers': 'show callers only', '--callees': 'show callees only' },
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

/** Renders the call graph around a chunk as two trees: callers and callees. */
export function renderNeighborhood(neighborhood: Neighborhood, colors: Colors): string[] {
  const nodes = new Map(neighborhood.nodes.map((node) => [node.address, node]));
  const center = assertPresent(nodes.get(neighborhood.center), 'the center of a neighborhood');
  const trees = (['caller', 'callee'] as const).flatMap((far) => {
    const lines = renderTree(center, nodes, neighborhood.edges, far, colors);
    const title = colors.bold(far === 'caller' ? 'called by' : 'calls');
    return lines.length > 0 ? ['', title, ...lines] : [];
  });
  const none = trees.length === 0 ? [colors.dim('No calls to or from it were found.')] : [];
  const note = neighborhood.note === null ? [] : ['', colors.dim(escapeHidden(neighborhood.note))];
  return [renderNode(center, colors), ...none, ...trees, ...note];
}

function renderTree(
  center: Node,
  nodes: ReadonlyMap<string, Node>,
  allEdges: readonly CallEdge[],
  far: 'caller' | 'callee',
  colors: Colors,
): string[] {
  const [near, outward] = far === 'caller' ? (['callee', -1] as const) : (['caller', 1] as const);
  const byNear = Map.groupBy(allEdges, (edge) => edge[near]);
  // A node can be reached on several ways. It is expanded once.
  const expanded = new Set<string>();
  const listBranches = (node: Node) =>
    [...Map.groupBy(byNear.get(node.address) ?? [], (edge) => edge[far])].flatMap(
      ([address, edges]) => {
        const next = nodes.get(address);
        return next?.distance === node.distance + outward ? [{ next, edges }] : [];
      },
    );
  const renderBranches = (node: Node, indent: string): string[] => {
    expanded.add(node.address);
    const branches = listBranches(node);
    return branches.flatMap(({ next, edges }, i) => {
      const [fork, space] = i === branches.length - 1 ? ['└─ ', '   '] : ['├─ ', '│  '];
      const again = expanded.has(next.address) && listBranches(next).length > 0;
      const remark = describeEdges(next, edges, again);
      const head = `${colors.dim(indent + fork)}${renderNode(next, colors)}${remark && colors.dim(remark)}`;
      return [head, ...(again ? [] : renderBranches(next, indent + space))];
    });
  };
  return renderBranches(center, '');
}

function describeEdges({ hidden }: Node, edges: readonly CallEdge[], again: boolean): string {
  const kinds = edges
    .filter(({ kind }) => kind !== 'call')
    .map(({ kind, registered }) => (registered ? describeKeys(registered) : kind));
  const remarks = [
    ...new Set(kinds),
    ...(edges.every(({ guess }) => guess) ? ['?'] : []),
    ...(hidden > 0 ? [`${formatCounted(hidden, 'neighbor')} not shown`] : []),
    ...(again ? ['see above'] : []),
  ];
  return remarks.length > 0 ? `  ${remarks.join(', ')}` : '';
}

function renderNode(node: Node, colors: Colors): string {
  return `${quoteName(getShownName(node))}  ${colors.dim(`${quoteName(node.path)}:${node.startLine}`)}`;
}
