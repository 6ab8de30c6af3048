import { Box, FileCode, type LucideIcon, SquareFunction, Workflow } from 'lucide-react';
import type { EdgeKind } from '../../shared/call-graph.ts';
import type { ChunkKind } from '../../shared/chunk.ts';

export const KIND_ICONS: Record<ChunkKind, LucideIcon> = {
  function: SquareFunction,
  method: Workflow,
  class: Box,
  module: FileCode,
};

/** Words for what a caller does with a callee. */
export const EDGE_WORDS: Record<EdgeKind, string> = {
  call: 'calls',
  construct: 'constructs',
  decorate: 'decorated with',
  inherit: 'inherits from',
};
