/** Edges in words. */
import type { EdgeKind } from '../../../shared/call-graph.ts';

/** What a caller does with a callee. */
export const EDGE_WORDS: Record<EdgeKind, string> = {
  call: 'calls',
  construct: 'constructs',
  decorate: 'decorated with',
  inherit: 'inherits from',
};

/** The short word on an edge; calls are so many that they go without. */
export const EDGE_LABELS: Record<EdgeKind, string | null> = {
  call: null,
  construct: 'new',
  decorate: '@',
  inherit: 'is a',
};
