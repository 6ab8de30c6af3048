import { type Command, command, isInReach, registerCommands } from '../../platform/commands.ts';
import { listen, type Stop, stopAll } from '../../platform/lifetime.ts';
import { showPanel } from '../../platform/panes.ts';
import { changeSettings, useApp } from '../../platform/state.ts';
import { hasResults, responseNow, select, selectedNow } from '../search/index.ts';
import { useOutline } from './around.ts';
import { followCalls } from './calls.ts';
import { bestInNextFile, neighborInFile } from './candidates.ts';
import { canGoToDefinition, goToFocusedDefinition } from './definition.ts';
import { followFiles } from './files.ts';
import { followHistory, travel } from './history.ts';
import { canFindReferences, findReferences } from './references.ts';
import { cursorLine, openInEditor, usePreview } from './view.ts';

const isOpen = () => useApp.getState().repository !== null;
const hasFile = () => usePreview.getState().file !== null;

/** Goes back and forward by a mouse's own buttons, which in a browser would leave the page. */
function travelByMouse(event: MouseEvent): void {
  const travels = command(
    event.button === 3 ? 'code.back' : event.button === 4 ? 'code.forward' : '',
  );
  if (!travels || !isOpen()) return;
  event.preventDefault();
  if (isInReach(travels)) travels.run();
}

const COMMANDS: readonly Command[] = [
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
    also: 'declaration jump symbol',
    keys: 'F12',
    enabled: canGoToDefinition,
    run: goToFocusedDefinition,
  },
  {
    id: 'code.references',
    title: 'Find references: who calls this function',
    group: 'Code',
    keys: 'Shift+F12',
    enabled: canFindReferences,
    run: findReferences,
  },
  {
    id: 'code.outline',
    title: 'Outline of the file',
    group: 'Code',
    keys: '$mod+Shift+O',
    enabled: hasFile,
    run: () => {
      showPanel('preview');
      useOutline.setState({ open: true });
    },
  },
  {
    id: 'code.blame',
    title: 'Who changed the line: show or hide its commit',
    group: 'Code',
    keys: '$mod+Alt+A',
    enabled: isOpen,
    run: () => changeSettings({ blame: !useApp.getState().settings?.blame }),
  },
  {
    id: 'code.back',
    title: 'Back',
    group: 'Code',
    also: 'previous',
    keys: 'Alt+ArrowLeft',
    // Also at the beginning, where the browser would otherwise leave the page.
    enabled: isOpen,
    run: () => travel(-1, cursorLine()),
  },
  {
    id: 'code.forward',
    title: 'Forward',
    group: 'Code',
    also: 'next',
    keys: 'Alt+ArrowRight',
    enabled: isOpen,
    run: () => travel(1, cursorLine()),
  },
  {
    id: 'code.openInEditor',
    title: 'Open in your editor',
    group: 'Code',
    also: 'ide vscode open file edit external',
    keys: '$mod+Alt+O',
    // The files of a commit are not on disk as they are shown.
    enabled: () => hasFile() && useApp.getState().version === null,
    run: openInEditor,
  },
];

function stepInFile(step: 1 | -1): void {
  const response = responseNow();
  const selected = selectedNow();
  if (!response || !selected) return;
  const next = neighborInFile(response.results, selected, cursorLine() ?? 1, step);
  show(next?.address);
}

function stepFile(step: 1 | -1): void {
  const response = responseNow();
  const selected = selectedNow();
  show(response && bestInNextFile(response.results, selected, step)?.address);
}

function show(address: string | null | undefined): void {
  if (!address) return;
  select(address);
  showPanel('preview');
}

export const start = (): Stop =>
  stopAll(
    registerCommands(COMMANDS),
    followCalls(),
    followFiles(),
    followHistory(),
    listen('mouseup', travelByMouse),
  );
