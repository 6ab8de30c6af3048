/** Dialogs that any view can open: the folder picker, the palette, the settings, … A feature adds its own here. */
import { create } from 'zustand';
import { FolderPicker } from '../features/welcome/FolderPicker.tsx';

export type OverlayName =
  | 'folders'
  | 'palette'
  | 'shortcuts'
  | 'settings'
  | 'export'
  | 'import'
  | 'history';

export const useOverlay = create<{ open: OverlayName | null }>(() => ({ open: null }));

export function openOverlay(name: OverlayName): void {
  useOverlay.setState({ open: name });
}

export function closeOverlay(): void {
  useOverlay.setState({ open: null });
}

export function Overlays() {
  const open = useOverlay((state) => state.open);
  return <FolderPicker open={open === 'folders'} onClose={closeOverlay} />;
}
