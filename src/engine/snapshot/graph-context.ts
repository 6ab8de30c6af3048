/** Which callees an encoder is told about, in which order; the same when it serves and when its training data is made. */
import type { EdgeKind } from '../../shared/call-graph.ts';
import type { ResolvedEdge } from '../graph/types.ts';

/** How many callees an encoder is told about, by its contract. */
export const MAX_CALLEES = 4;

/** A caller's edges: certain ones first, then in order of their first call site. */
export function inCallOrder(edges: readonly ResolvedEdge[]): ResolvedEdge[] {
  const site = (edge: ResolvedEdge) =>
    edge.sites[0] ?? { line: Number.MAX_SAFE_INTEGER, column: 0 };
  return edges.toSorted(
    (a, b) =>
      Number(a.guess) - Number(b.guess) ||
      site(a).line - site(b).line ||
      site(a).column - site(b).column,
  );
}

/** Bases and decorators are in a chunk's text already. */
export function isContext(kind: EdgeKind): boolean {
  return kind === 'call' || kind === 'construct';
}
