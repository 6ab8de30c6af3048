/** Selects and orders the callees in an encoder's input. Search and the creation of training data must use the same rules. */
import type { EdgeKind } from '../../shared/call-graph.ts';
import type { ResolvedEdge } from '../graph/types.ts';

/** Maximum number of callees in an encoder's input. */
export const MAX_CALLEES = 4;

/** Sorts the edges of a caller: certain ones before guessed ones, then in order of their first call site. */
export function sortByCallSite(edges: readonly ResolvedEdge[]): ResolvedEdge[] {
  const site = (edge: ResolvedEdge) =>
    edge.sites[0] ?? { line: Number.MAX_SAFE_INTEGER, column: 0 };
  return edges.toSorted(
    (a, b) =>
      Number(a.guess) - Number(b.guess) ||
      site(a).line - site(b).line ||
      site(a).column - site(b).column,
  );
}

/** Returns true for kinds of edges whose callees are part of an encoder's input. Bases and decorators are in a chunk's text. */
export function isContextEdge(kind: EdgeKind): boolean {
  return kind === 'call' || kind === 'construct';
}
