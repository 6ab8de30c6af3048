import { Tooltip as RadixTooltip } from 'radix-ui';
import { lazy, Suspense, useEffect } from 'react';
import { Welcome } from '../features/welcome/Welcome.tsx';
import './all-commands.ts';
import { bindKeys } from '../platform/keys.ts';
import { useApp } from '../platform/state.ts';
import { ErrorBoundary } from './ErrorBoundary.tsx';
import { Overlays } from './Overlays.tsx';
import styles from './shell.module.css';
import { TitleBar } from './TitleBar.tsx';

// Monaco comes with it: the welcome screen need not wait for that.
const Workspace = lazy(() => import('./Workspace.tsx'));

export function App() {
  const repository = useApp((state) => state.repository);
  useEffect(bindKeys, []);
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
            ) : (
              <Welcome />
            )}
          </ErrorBoundary>
        </main>
        <Overlays />
      </div>
    </RadixTooltip.Provider>
  );
}
