import { Ban, BookOpen, type LucideIcon, PencilLine } from 'lucide-react';
import type { Mark } from '../../../shared/rpc-protocol.ts';

export const MARK_ICONS: Record<Mark, LucideIcon> = {
  edit: PencilLine,
  relevant: BookOpen,
  irrelevant: Ban,
};
