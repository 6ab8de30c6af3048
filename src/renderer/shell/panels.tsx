/** The views of the right-hand pane, as tabs. A feature adds its own here. */
import { FileCode2, GitCompare, type LucideIcon, ScanText, Waypoints } from 'lucide-react';
import { type ComponentType, lazy } from 'react';
import { PreviewPanel } from '../features/preview/PreviewPanel.tsx';

// Loaded when they are opened for the first time.
const NeighborsPanel = lazy(() => import('../features/neighbors/NeighborsPanel.tsx'));
const ComparePanel = lazy(() => import('../features/compare/ComparePanel.tsx'));
const ModelInputPanel = lazy(() => import('../features/model-input/ModelInputPanel.tsx'));

export interface Panel {
  id: string;
  title: string;
  icon: LucideIcon;
  /** Shows the chunk that is selected in the list: `useSelectedChunk`. */
  component: ComponentType;
}

export const PANELS: readonly Panel[] = [
  { id: 'preview', title: 'Preview', icon: FileCode2, component: PreviewPanel },
  { id: 'neighbors', title: 'Neighbours', icon: Waypoints, component: NeighborsPanel },
  { id: 'model-input', title: 'Model input', icon: ScanText, component: ModelInputPanel },
  { id: 'compare', title: 'Compare', icon: GitCompare, component: ComparePanel },
];
