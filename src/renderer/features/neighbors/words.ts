/** Edges in words. */
import type { EdgeKind } from '../../../shared/call-graph.ts';

/** The short word on an edge; calls are so many that they go without. */
export const EDGE_LABELS: Record<EdgeKind, string | null> = {
  call: null,
  construct: 'new',
  decorate: '@',
  inherit: 'is a',
};
