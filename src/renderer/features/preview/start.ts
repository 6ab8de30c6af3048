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
  ...[
    ['nextCandidate', 'Next candidate in this file', 'F7', () => stepInFile(1)] as const,
    [
      'previousCandidate',
      'Previous candidate in this file',
      'Shift+F7',
      () => stepInFile(-1),
    ] as const,
    ['nextFile', 'Next file with candidates', 'F8', () => stepFile(1)] as const,
    ['previousFile', 'Previous file with candidates', 'Shift+F8', () => stepFile(-1)] as const,
  ].map(([id, title, keys, run]) => ({ id: `code.${id}`, title, keys, enabled: hasResults, run })),
  {
    id: 'code.definition',
    title: 'Go to the definition',
    also: 'declaration jump symbol',
    keys: 'F12',
    enabled: canGoToDefinition,
    run: goToFocusedDefinition,
  },
  {
    id: 'code.references',
    title: 'Find references: who calls this function',
    keys: 'Shift+F12',
    enabled: canFindReferences,
    run: findReferences,
  },
  {
    id: 'code.outline',
    title: 'Outline of the file',
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
    keys: '$mod+Alt+A',
    enabled: isOpen,
    run: () => changeSettings({ blame: !useApp.getState().settings?.blame }),
  },
  {
    id: 'code.back',
    title: 'Back',
    also: 'previous',
    keys: 'Alt+ArrowLeft',
    // Also at the beginning, where the browser would otherwise leave the page.
    enabled: isOpen,
    run: () => travel(-1, cursorLine()),
  },
  {
    id: 'code.forward',
    title: 'Forward',
    also: 'next',
    keys: 'Alt+ArrowRight',
    enabled: isOpen,
    run: () => travel(1, cursorLine()),
  },
  {
    id: 'code.openInEditor',
    title: 'Open in your editor',
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
