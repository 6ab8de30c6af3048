import { FileCode2, GitCompare, type LucideIcon, ScanText, Waypoints } from 'lucide-react';
import { Tabs } from 'radix-ui';
import {
  type ComponentType,
  lazy,
  type ReactNode,
  Suspense,
  useLayoutEffect,
  useRef,
  useState,
} from 'react';
import { createPortal } from 'react-dom';
import { Group, Panel, Separator } from 'react-resizable-panels';
import { IssuePane } from '../features/issue/IssuePane.tsx';
import { PreviewPanel } from '../features/preview/PreviewPanel.tsx';
import { ResultsPane } from '../features/results/ResultsPane.tsx';
import { StatusBar } from '../features/status/StatusBar.tsx';
import { focusPane, PANES, type PaneName, showPanel, usePanes } from '../platform/panes.ts';
import { changeSettings, useApp } from '../platform/state.ts';
import { type Arrangement, useArrangement } from './arrangement.ts';
import { ErrorBoundary } from './ErrorBoundary.tsx';
import styles from './shell.module.css';

const TITLES: Record<PaneName, string> = {
  issue: 'Issue',
  results: 'Where to edit',
  side: 'Code',
};

/** The main view: the issue, the ranked list, and the code. */
export default function Workspace() {
  const name = useApp((state) => state.repository?.name);
  const arrangement = useArrangement();
  const issue = useHome();
  const results = useHome();
  const side = useHome();
  const stands = {
    issue: <Stand home={issue} />,
    results: <Stand home={results} />,
    side: <Stand home={side} />,
  };
  return (
    <div className={styles.workspace}>
      <h1 className="unseen">{name}</h1>
      <Arranged as={arrangement} {...stands} />
      {createPortal(
        <ErrorBoundary what="The issue">
          <IssuePane />
        </ErrorBoundary>,
        issue,
      )}
      {createPortal(
        <ErrorBoundary what="The list">
          <ResultsPane />
        </ErrorBoundary>,
        results,
      )}
      {createPortal(<SidePane />, side)}
      <StatusBar />
    </div>
  );
}

/** An element that a pane is rendered into for good: it takes the pane along when the panes are arranged anew. */
function useHome(): HTMLElement {
  const [home] = useState(() => {
    const made = document.createElement('div');
    made.className = styles.home ?? '';
    return made;
  });
  return home;
}

function Stand({ home }: { home: HTMLElement }) {
  const stand = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => stand.current?.append(home), [home]);
  return <div ref={stand} className={styles.home} />;
}

type Stands = Record<PaneName, ReactNode>;

function Arranged({ as, ...stands }: Stands & { as: Arrangement }) {
  const pane = (name: PaneName, defaultSize: string, minSize: string) => (
    <Panel id={name} defaultSize={defaultSize} minSize={minSize}>
      {stands[name]}
    </Panel>
  );
  if (as === 'single') return <Single {...stands} />;
  if (as === 'stacked') {
    return (
      <Resizable key={as} id="stacked">
        <Panel id="left" defaultSize="44" minSize="22rem">
          <Resizable id="left" orientation="vertical">
            {pane('issue', '36', '8rem')}
            <Line label="Height of the issue" />
            {pane('results', '64', '14rem')}
          </Resizable>
        </Panel>
        <Line label="Width of the list" />
        {pane('side', '56', '24rem')}
      </Resizable>
    );
  }
  return (
    <Resizable key={as} id="workspace">
      {pane('issue', '26', '17rem')}
      <Line label="Width of the issue" />
      {pane('results', '32', '22rem')}
      <Line label="Width of the list" />
      {pane('side', '42', '22rem')}
    </Resizable>
  );
}

interface Props {
  id: string;
  orientation?: 'vertical';
  children: ReactNode;
}

/** Panes whose sizes the user changes, and finds again. */
function Resizable({ id, orientation, children }: Props) {
  // Only its first value counts: the panes remember their sizes themselves from then on.
  const layout = useApp((state) => state.settings?.layout[id]);
  return (
    <Group
      id={id}
      className={styles.panes}
      orientation={orientation}
      defaultLayout={layout}
      onLayoutChanged={(now, { isUserInteraction }) => {
        if (isUserInteraction) rememberLayout(id, now);
      }}
    >
      {children}
    </Group>
  );
}

const Line = ({ label }: { label: string }) => (
  <Separator className={styles.separator} aria-label={label} />
);

function rememberLayout(id: string, layout: Record<string, number>): void {
  const before = useApp.getState().settings?.layout ?? {};
  changeSettings({ layout: { ...before, [id]: layout } });
}

/** One pane at a time. The others keep their size, so that nothing in them has to be laid out anew. */
function Single(stands: Stands) {
  const shown = usePanes((state) => state.shown);
  return (
    <div className={styles.single}>
      <nav className={styles.choice} aria-label="Panes">
        {PANES.map((name) => (
          <button
            key={name}
            type="button"
            className={styles.tab}
            aria-pressed={name === shown}
            data-state={name === shown ? 'active' : undefined}
            onClick={() => focusPane(name)}
          >
            {TITLES[name]}
          </button>
        ))}
      </nav>
      <div className={styles.layers}>
        {PANES.map((name) => (
          <div key={name} className={styles.layer} inert={name !== shown}>
            {stands[name]}
          </div>
        ))}
      </div>
    </div>
  );
}

/** The right-hand pane: one of `PANELS` at a time. */
function SidePane() {
  const panel = usePanes((state) => state.panel);
  return (
    <section className={styles.side} data-pane="side" aria-label={TITLES.side} tabIndex={-1}>
      <h2 className="unseen">{TITLES.side}</h2>
      <Tabs.Root className={styles.tabs} value={panel} onValueChange={showPanel}>
        <Tabs.List className={styles.tabList} aria-label="Views of the selected function">
          {PANELS.map(({ id, title, icon: Icon }) => (
            <Tabs.Trigger key={id} value={id} className={styles.tab}>
              <Icon size={14} />
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

// Loaded when they are opened for the first time.
const NeighborsPanel = lazy(() => import('../features/neighbors/NeighborsPanel.tsx'));
const ComparePanel = lazy(() => import('../features/compare/ComparePanel.tsx'));
const ModelInputPanel = lazy(() => import('../features/model-input/ModelInputPanel.tsx'));

interface SidePanel {
  id: string;
  title: string;
  icon: LucideIcon;
  /** Shows the chunk that is selected in the list: `useSelectedChunk`. */
  component: ComponentType;
}

const PANELS: readonly SidePanel[] = [
  { id: 'preview', title: 'Preview', icon: FileCode2, component: PreviewPanel },
  { id: 'neighbors', title: 'Neighbours', icon: Waypoints, component: NeighborsPanel },
  { id: 'model-input', title: 'Model input', icon: ScanText, component: ModelInputPanel },
  { id: 'compare', title: 'Compare', icon: GitCompare, component: ComparePanel },
];
