import { Ban, BookOpen, type LucideIcon, PencilLine } from 'lucide-react';
import type { Mark } from '../../../shared/marks.ts';

export const MARK_ICONS: Record<Mark, LucideIcon> = {
  edit: PencilLine,
  read: BookOpen,
  irrelevant: Ban,
};
