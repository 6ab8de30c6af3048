import type { EdgeKind } from '../../shared/call-graph.ts';

/** What a caller does with a callee, in words. */
export const EDGE_WORDS: Record<EdgeKind, string> = {
  call: 'calls',
  construct: 'constructs',
  decorate: 'decorated with',
  inherit: 'inherits from',
};
