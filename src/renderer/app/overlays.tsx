/** Dialogs that any view can open: the folder picker, the palette, the settings, … A feature adds its own here. */
import { type ComponentType, lazy, Suspense } from 'react';
import { create } from 'zustand';
import { Palette } from '../features/palette/Palette.tsx';
import { FolderPicker } from '../features/welcome/FolderPicker.tsx';

/** Shown while `open`; the focus goes back to where it was when it closes. */
type Overlay = ComponentType<{ open: boolean; onClose: () => void }>;

// What is not needed at once is loaded when it is first opened.
const OVERLAYS = {
  folders: FolderPicker,
  palette: ({ open, onClose }) => <Palette mode="commands" open={open} onClose={onClose} />,
  goto: ({ open, onClose }) => <Palette mode="names" open={open} onClose={onClose} />,
  history: lazy(() => import('../features/issue/HistoryDialog.tsx')),
  settings: lazy(() => import('../features/settings/SettingsDialog.tsx')),
  export: lazy(() => import('../features/exchange/ExportDialog.tsx')),
  import: lazy(() => import('../features/exchange/ImportDialog.tsx')),
  shortcuts: lazy(() => import('../features/palette/CheatSheet.tsx')),
  verify: lazy(() => import('../features/verify/VerifyDialog.tsx')),
} satisfies Record<string, Overlay>;

export type OverlayName = keyof typeof OVERLAYS;

/** `seen`: those that were open once; they stay mounted, so that they can close with grace. */
export const useOverlay = create<{ open: OverlayName | null; seen: OverlayName[] }>(() => ({
  open: null,
  seen: [],
}));

export function openOverlay(name: OverlayName): void {
  useOverlay.setState(({ seen }) => ({
    open: name,
    seen: seen.includes(name) ? seen : [...seen, name],
  }));
}

export function closeOverlay(): void {
  useOverlay.setState({ open: null });
}

export function Overlays() {
  const { open, seen } = useOverlay();
  return seen.map((name) => {
    const Overlay: Overlay = OVERLAYS[name];
    return (
      <Suspense key={name} fallback={null}>
        <Overlay open={open === name} onClose={closeOverlay} />
      </Suspense>
    );
  });
}
