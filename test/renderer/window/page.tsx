/** Page of the component tests: the started window with one component, and an engine that the test simulates. */
import '../../../src/shared/plain-schemas.ts';
import { Tooltip } from 'radix-ui';
import { type ComponentType, StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import ExportDialog from '../../../src/renderer/features/exchange/ExportDialog.tsx';
import ImportDialog from '../../../src/renderer/features/exchange/ImportDialog.tsx';
import HistoryDialog from '../../../src/renderer/features/issue/HistoryDialog.tsx';
import { IssuePane } from '../../../src/renderer/features/issue/IssuePane.tsx';
import { IssueUrlBar } from '../../../src/renderer/features/issue/IssueUrlBar.tsx';
import NeighborsPanel from '../../../src/renderer/features/neighbors/NeighborsPanel.tsx';
import { Palette } from '../../../src/renderer/features/palette/Palette.tsx';
import { PreviewPanel } from '../../../src/renderer/features/preview/PreviewPanel.tsx';
import { FilterBar } from '../../../src/renderer/features/results/FilterBar.tsx';
import { ResultsPane } from '../../../src/renderer/features/results/ResultsPane.tsx';
import {
  editIssue,
  getCurrentResponse,
  getCurrentSelected,
  getIssue,
  loadIssue,
  select,
  useFilters,
} from '../../../src/renderer/features/search/index.ts';
import { IssueUrlSettings } from '../../../src/renderer/features/settings/IssueUrlSettings.tsx';
import { Notes } from '../../../src/renderer/features/status/Notes.tsx';
import { StatusBar } from '../../../src/renderer/features/status/StatusBar.tsx';
import { FolderPicker } from '../../../src/renderer/features/welcome/FolderPicker.tsx';
import { engine } from '../../../src/renderer/platform/client.ts';
import { closeOverlay } from '../../../src/renderer/platform/overlays.ts';
import { usePanes } from '../../../src/renderer/platform/panes.ts';
import { openRepository } from '../../../src/renderer/platform/state.ts';
import { CopiedMessage } from '../../../src/renderer/shell/CopiedMessage.tsx';
import { startWindow } from '../../../src/renderer/shell/start.ts';
import '../../../src/renderer/ui/base.css';
import '../../../src/renderer/ui/tokens.css';

const COMPONENTS = {
  ExportDialog: () => <ExportDialog open onClose={closeOverlay} />,
  FilterBar,
  FolderPicker: () => <FolderPicker open onClose={closeOverlay} />,
  HistoryDialog: () => <HistoryDialog open onClose={closeOverlay} />,
  ImportDialog: () => <ImportDialog open onClose={closeOverlay} />,
  IssuePane,
  IssueUrlBar: IssueUrlBar,
  IssueUrlSettings,
  NeighborsPanel,
  Notes,
  Palette: () => <Palette mode="names" open onClose={closeOverlay} />,
  PreviewPanel,
  ResultsPane,
  StatusBar,
} satisfies Record<string, ComponentType>;

export type ComponentName = keyof typeof COMPONENTS;

/** Functions that a test calls in the page. */
const driver = {
  openRepository: (root: string) => openRepository(root),
  loadIssue: (text: string) => loadIssue(text),
  editIssue: (text: string) => editIssue(text),
  readIssue: () => getIssue().text,
  readSelection: () => getCurrentSelected(),
  select: (address: string) => select(address),
  readPanel: () => usePanes.getState().panel,
  hasList: () => getCurrentResponse() !== null,
  readFilters: () => {
    const { kinds, ...filters } = useFilters.getState();
    return { ...filters, kinds: [...kinds] };
  },
  mount(name: ComponentName): void {
    const Component = COMPONENTS[name];
    const root = document.querySelector('#root');
    if (!root) throw new Error('The page has no root.');
    createRoot(root).render(
      <StrictMode>
        <Tooltip.Provider>
          <Component />
          <CopiedMessage />
        </Tooltip.Provider>
      </StrictMode>,
    );
  },
  emit: (_event: string, _data: unknown): void => {},
};
export type Driver = typeof driver;

declare global {
  interface Window {
    driver: Driver;
    /** Sends a message to the test's engine. */
    post(text: string): void;
    /** Receives a message from the test's engine. */
    receive(text: string): void;
  }
}

startWindow();
engine.attach({
  post: (text) => window.post(text),
  onMessage: (listener) => {
    window.receive = listener;
  },
  onClose: () => {},
  close: () => {},
});
window.driver = {
  ...driver,
  emit: (event, data) => window.receive(JSON.stringify({ event, data })),
};
