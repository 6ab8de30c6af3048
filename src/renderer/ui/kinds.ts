import { Box, FileCode, type LucideIcon, SquareFunction, Workflow } from 'lucide-react';
import type { ChunkKind } from '../../shared/chunk.ts';

export const KIND_ICONS: Record<ChunkKind, LucideIcon> = {
  function: SquareFunction,
  method: Workflow,
  class: Box,
  module: FileCode,
};
