import { registerCommands } from '../../platform/commands.ts';
import { showPanel } from '../../platform/panes.ts';
import { useApp } from '../../platform/state.ts';
import { select, useSearch } from '../search/index.ts';
import { bestInNextFile, neighborInFile } from './candidates.ts';
import { canGoToDefinition, goToFocusedDefinition } from './definition.ts';
import { canGoBack, canGoForward, travel } from './history.ts';
import { openInEditor } from './open-editor.ts';
import { cursorLine, usePreview } from './view.ts';

const isOpen = () => useApp.getState().repository !== null;
const hasResults = () => (useSearch.getState().response?.results.length ?? 0) > 0;
const hasFile = () => usePreview.getState().file !== null;

registerCommands([
  {
    id: 'code.nextCandidate',
    title: 'Next candidate in this file',
    group: 'Code',
    keys: 'F7',
    enabled: hasResults,
    run: () => stepInFile(1),
  },
  {
    id: 'code.previousCandidate',
    title: 'Previous candidate in this file',
    group: 'Code',
    keys: 'Shift+F7',
    enabled: hasResults,
    run: () => stepInFile(-1),
  },
  {
    id: 'code.nextFile',
    title: 'Next file with candidates',
    group: 'Code',
    keys: 'F8',
    enabled: hasResults,
    run: () => stepFile(1),
  },
  {
    id: 'code.previousFile',
    title: 'Previous file with candidates',
    group: 'Code',
    keys: 'Shift+F8',
    enabled: hasResults,
    run: () => stepFile(-1),
  },
  {
    id: 'code.definition',
    title: 'Go to the definition',
    group: 'Code',
    keys: 'F12',
    enabled: canGoToDefinition,
    run: goToFocusedDefinition,
  },
  {
    id: 'code.back',
    title: 'Back',
    group: 'Code',
    keys: 'Alt+ArrowLeft',
    // Also at the beginning, where the browser would otherwise leave the page.
    enabled: isOpen,
    run: () => canGoBack() && travel(-1, cursorLine()),
  },
  {
    id: 'code.forward',
    title: 'Forward',
    group: 'Code',
    keys: 'Alt+ArrowRight',
    enabled: isOpen,
    run: () => canGoForward() && travel(1, cursorLine()),
  },
  {
    id: 'code.openInEditor',
    title: 'Open in your editor',
    group: 'Code',
    keys: '$mod+Alt+O',
    enabled: hasFile,
    run: openInEditor,
  },
]);

function stepInFile(step: 1 | -1): void {
  const { response, selected } = useSearch.getState();
  if (!response || !selected) return;
  const next = neighborInFile(response.results, selected, cursorLine() ?? 1, step);
  show(next?.address);
}

function stepFile(step: 1 | -1): void {
  const { response, selected } = useSearch.getState();
  show(response && bestInNextFile(response.results, selected, step)?.address);
}

function show(address: string | null | undefined): void {
  if (!address) return;
  select(address);
  showPanel('preview');
}
