import { Tooltip as RadixTooltip } from 'radix-ui';
import { type ComponentType, lazy, Suspense, useEffect } from 'react';
import { Palette } from '../features/palette/Palette.tsx';
import { FolderPicker } from '../features/welcome/FolderPicker.tsx';
import { TokenNeeded } from '../features/welcome/TokenNeeded.tsx';
import { Welcome } from '../features/welcome/Welcome.tsx';
import { useHost } from '../platform/host.ts';
import { closeOverlay, type OverlayName, useOverlay } from '../platform/overlays.ts';
import { useApp } from '../platform/state.ts';
import { CopiedMessage } from './CopiedMessage.tsx';
import { ErrorBoundary } from './ErrorBoundary.tsx';
import styles from './shell.module.css';
import { TitleBar } from './TitleBar.tsx';

// Loaded lazily with Monaco, so that the welcome screen need not wait.
const Workspace = lazy(() => import('./Workspace.tsx'));

export function App() {
  const repository = useApp((state) => state.repository);
  const isTokenRejected = useHost((state) => state.isTokenRejected);
  useEffect(() => {
    document.title = repository ? `${repository.name} – Locus` : 'Locus';
  }, [repository]);
  return (
    <RadixTooltip.Provider delayDuration={500}>
      <div className={styles.app}>
        <TitleBar />
        <main className={styles.main}>
          <ErrorBoundary what="Locus">
            {repository ? (
              <Suspense fallback={null}>
                <Workspace key={repository.id} />
              </Suspense>
            ) : isTokenRejected ? (
              <TokenNeeded />
            ) : (
              <Welcome />
            )}
          </ErrorBoundary>
        </main>
        <Overlays />
        <CopiedMessage />
      </div>
    </RadixTooltip.Provider>
  );
}

/** A dialog that is shown while `open`. When it closes, the focus returns to where it was. */
type Overlay = ComponentType<{ open: boolean; onClose: () => void }>;

// Most overlays are loaded when they are opened for the first time.
const OVERLAYS: Record<OverlayName, Overlay> = {
  folders: FolderPicker,
  several: lazy(() => import('../features/welcome/WorkspaceDialog.tsx')),
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
  link: lazy(() => import('../features/deep-link/DeepLinkDialog.tsx')),
  log: lazy(() => import('../features/status/LogDialog.tsx')),
  updates: lazy(() => import('../features/updates/UpdateDialog.tsx')),
  check: lazy(() => import('../features/check/CheckDialog.tsx')),
  setUpCheck: lazy(() => import('../features/check/SetUpDialog.tsx')),
  investigate: lazy(() => import('../features/investigate/InvestigateDialog.tsx')),
};

function Overlays() {
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
