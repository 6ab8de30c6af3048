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
import { ConnectionBanner } from '../features/status/ConnectionBanner.tsx';
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
  const slots = {
    issue: <Slot home={issue} />,
    results: <Slot home={results} />,
    side: <Slot home={side} />,
  };
  return (
    <div className={styles.workspace}>
      <h1 className="visually-hidden">{name}</h1>
      <ConnectionBanner />
      <Arranged as={arrangement} {...slots} />
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

/** Returns an element that a pane is always rendered into. Moving the element keeps the pane's state when the layout changes. */
function useHome(): HTMLElement {
  const [home] = useState(() => {
    const element = document.createElement('div');
    element.className = styles.home ?? '';
    return element;
  });
  return home;
}

/** Position of a pane in the current layout. */
function Slot({ home }: { home: HTMLElement }) {
  const slot = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => slot.current?.append(home), [home]);
  return <div ref={slot} className={styles.home} />;
}

type Slots = Record<PaneName, ReactNode>;

function Arranged({ as, ...slots }: Slots & { as: Arrangement }) {
  const pane = (name: PaneName, defaultSize: string, minSize: string) => (
    <Panel id={name} defaultSize={defaultSize} minSize={minSize}>
      {slots[name]}
    </Panel>
  );
  if (as === 'single') return <Single {...slots} />;
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

/** Panes whose sizes the user can change. The sizes are stored in the settings. */
function Resizable({ id, orientation, children }: Props) {
  // Only the first value is used. Afterwards, the panes manage their sizes.
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

/** Shows one pane at a time. The others keep their size, so that switching needs no new layout. */
function Single(slots: Slots) {
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
            {slots[name]}
          </div>
        ))}
      </div>
    </div>
  );
}

/** Right-hand pane, which shows one of `PANELS` at a time. */
function SidePane() {
  const panel = usePanes((state) => state.panel);
  return (
    <section className={styles.side} data-pane="side" aria-label={TITLES.side} tabIndex={-1}>
      <h2 className="visually-hidden">{TITLES.side}</h2>
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

// Loaded when opened for the first time.
const NeighborsPanel = lazy(() => import('../features/neighbors/NeighborsPanel.tsx'));
const ComparePanel = lazy(() => import('../features/compare/ComparePanel.tsx'));
const ModelInputPanel = lazy(() => import('../features/model-input/ModelInputPanel.tsx'));

interface SidePanel {
  id: string;
  title: string;
  icon: LucideIcon;
  /** View of the chunk that is selected in the list. */
  component: ComponentType;
}

const PANELS: readonly SidePanel[] = [
  { id: 'preview', title: 'Preview', icon: FileCode2, component: PreviewPanel },
  { id: 'neighbors', title: 'Neighbors', icon: Waypoints, component: NeighborsPanel },
  { id: 'model-input', title: 'Model input', icon: ScanText, component: ModelInputPanel },
  { id: 'compare', title: 'Compare', icon: GitCompare, component: ComparePanel },
];
