import { Tabs } from 'radix-ui';
import { Suspense } from 'react';
import { Group, Panel, Separator } from 'react-resizable-panels';
import { IssuePane } from '../features/issue/IssuePane.tsx';
import { ResultsPane } from '../features/results/ResultsPane.tsx';
import { StatusBar } from '../features/status/StatusBar.tsx';
import { showPanel, usePanes } from '../platform/panes.ts';
import { changeSettings, useApp } from '../platform/state.ts';
import { ErrorBoundary } from './ErrorBoundary.tsx';
import { PANELS } from './panels.tsx';
import styles from './shell.module.css';

const GROUP = 'workspace';

/** The main view: the issue, the ranked list, and the code. */
export default function Workspace() {
  const name = useApp((state) => state.repository?.name);
  // Only its first value counts: the panes remember their sizes themselves from then on.
  const layout = useApp((state) => state.settings?.layout[GROUP]);
  return (
    <div className={styles.workspace}>
      <h1 className="unseen">{name}</h1>
      <Group
        id={GROUP}
        className={styles.panes}
        defaultLayout={layout}
        onLayoutChanged={(now, { isUserInteraction }) => {
          if (isUserInteraction) rememberLayout(now);
        }}
      >
        <Panel id="issue" defaultSize="26" minSize={220}>
          <ErrorBoundary what="The issue">
            <IssuePane />
          </ErrorBoundary>
        </Panel>
        <Separator className={styles.separator} aria-label="Width of the issue" />
        <Panel id="results" defaultSize="32" minSize={280}>
          <ErrorBoundary what="The list">
            <ResultsPane />
          </ErrorBoundary>
        </Panel>
        <Separator className={styles.separator} aria-label="Width of the list" />
        <Panel id="side" defaultSize="42" minSize={280}>
          <SidePane />
        </Panel>
      </Group>
      <StatusBar />
    </div>
  );
}

function rememberLayout(layout: Record<string, number>): void {
  const before = useApp.getState().settings?.layout ?? {};
  changeSettings({ layout: { ...before, [GROUP]: layout } });
}

/** The right-hand pane: one of `PANELS` at a time. */
function SidePane() {
  const panel = usePanes((state) => state.panel);
  return (
    <section className={styles.side} data-pane="side" aria-label="Code" tabIndex={-1}>
      <Tabs.Root className={styles.tabs} value={panel} onValueChange={showPanel}>
        <Tabs.List className={styles.tabList} aria-label="Views of the selected function">
          {PANELS.map(({ id, title, icon: Icon }) => (
            <Tabs.Trigger key={id} value={id} className={styles.tab}>
              <Icon size={14} aria-hidden="true" />
              {title}
            </Tabs.Trigger>
          ))}
        </Tabs.List>
        {PANELS.map(({ id, title, component: Component }) => (
          <Tabs.Content key={id} value={id} className={styles.tabContent} tabIndex={-1}>
            <ErrorBoundary what={title}>
              <Suspense fallback={null}>
                <Component />
              </Suspense>
            </ErrorBoundary>
          </Tabs.Content>
        ))}
      </Tabs.Root>
    </section>
  );
}
