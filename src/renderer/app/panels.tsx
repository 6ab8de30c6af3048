/** The views of the right-hand pane, as tabs. A feature adds its own here. */
import { FileCode2, type LucideIcon } from 'lucide-react';
import type { ComponentType } from 'react';
import { PreviewPanel } from '../features/preview/PreviewPanel.tsx';

export interface Panel {
  id: string;
  title: string;
  icon: LucideIcon;
  /** Shows the chunk that is selected in the list: `useSelectedChunk`. */
  component: ComponentType;
}

export const PANELS: readonly Panel[] = [
  { id: 'preview', title: 'Preview', icon: FileCode2, component: PreviewPanel },
];
