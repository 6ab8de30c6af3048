import {
  Ban,
  BookOpen,
  Box,
  FileCode,
  FileText,
  type LucideIcon,
  PencilLine,
  SquareFunction,
  Workflow,
} from 'lucide-react';
import type { EdgeKind } from '../../shared/call-graph.ts';
import type { ChunkKind } from '../../shared/chunk-kind.ts';
import type { Mark } from '../../shared/marks.ts';

export const KIND_ICONS: Record<ChunkKind, LucideIcon> = {
  function: SquareFunction,
  method: Workflow,
  class: Box,
  module: FileCode,
  section: FileText,
};

export const MARK_ICONS: Record<Mark, LucideIcon> = {
  edit: PencilLine,
  read: BookOpen,
  irrelevant: Ban,
};

/** Verbs for the kinds of edges, from caller to callee. */
export const EDGE_WORDS: Record<EdgeKind, string> = {
  call: 'calls',
  construct: 'constructs',
  decorate: 'decorated with',
  inherit: 'inherits from',
  register: 'registers',
};
