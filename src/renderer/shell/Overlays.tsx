/** What is behind the names of dialogs: the folder picker, the palette, the settings, … A feature adds its own here. */
import { type ComponentType, lazy, Suspense } from 'react';
import { Palette } from '../features/palette/Palette.tsx';
import { FolderPicker } from '../features/welcome/FolderPicker.tsx';
import { closeOverlay, type OverlayName, useOverlay } from '../platform/overlays.ts';

/** Shown while `open`; the focus goes back to where it was when it closes. */
type Overlay = ComponentType<{ open: boolean; onClose: () => void }>;

// What is not needed at once is loaded when it is first opened.
const OVERLAYS: Record<OverlayName, Overlay> = {
  folders: FolderPicker,
  several: lazy(() => import('../features/welcome/SeveralDialog.tsx')),
  fleet: lazy(() => import('../features/fleet/FleetDialog.tsx')),
  palette: ({ open, onClose }) => <Palette mode="commands" open={open} onClose={onClose} />,
  goto: ({ open, onClose }) => <Palette mode="names" open={open} onClose={onClose} />,
  versions: ({ open, onClose }) => <Palette mode="versions" open={open} onClose={onClose} />,
  compare: ({ open, onClose }) => <Palette mode="compare" open={open} onClose={onClose} />,
  history: lazy(() => import('../features/issue/HistoryDialog.tsx')),
  settings: lazy(() => import('../features/settings/SettingsDialog.tsx')),
  export: lazy(() => import('../features/exchange/ExportDialog.tsx')),
  import: lazy(() => import('../features/exchange/ImportDialog.tsx')),
  shortcuts: lazy(() => import('../features/palette/CheatSheet.tsx')),
  link: lazy(() => import('../features/link/LinkDialog.tsx')),
  verify: lazy(() => import('../features/verify/VerifyDialog.tsx')),
};

export function Overlays() {
  const { open, seen } = useOverlay();
  return seen.map((name) => {
    const Overlay = OVERLAYS[name];
    return (
      <Suspense key={name} fallback={null}>
        <Overlay open={open === name} onClose={closeOverlay} />
      </Suspense>
    );
  });
}
