import { type Command, getCommand, isInReach, registerCommands } from '../../platform/commands.ts';
import { listen, type Stop, stopAll } from '../../platform/lifetime.ts';
import { showPanel } from '../../platform/panes.ts';
import { changeSettings, useApp } from '../../platform/state.ts';
import { getCurrentResponse, getCurrentSelected, hasResults, select } from '../search/index.ts';
import { followCalls } from './calls.ts';
import { findBestInNextFile, findNextInFile } from './candidates.ts';
import { followCopiedLines } from './copied-lines.ts';
import { canGoToDefinition, goToFocusedDefinition } from './definition.ts';
import { followFiles } from './files.ts';
import { followHistory, travel } from './history.ts';
import { useOutline } from './nesting.ts';
import { canFindReferences, findReferences } from './references.ts';
import { getCursorLine, openShownFile, usePreview } from './view.ts';

const isOpen = () => useApp.getState().repository !== null;
const hasFile = () => usePreview.getState().file !== null;

/** Goes back and forward with the mouse's side buttons, which would leave the page in a browser. */
function travelByMouse(event: MouseEvent): void {
  const found = getCommand(
    event.button === 3 ? 'code.back' : event.button === 4 ? 'code.forward' : '',
  );
  if (!found || !isOpen()) return;
  event.preventDefault();
  if (isInReach(found)) found.run();
}

const COMMANDS: readonly Command[] = [
  ...[
    ['nextCandidate', 'Next result in this file', 'F7', () => stepInFile(1)] as const,
    [
      'previousCandidate',
      'Previous result in this file',
      'Shift+F7',
      () => stepInFile(-1),
    ] as const,
    ['nextFile', 'Next file with results', 'F8', () => stepFile(1)] as const,
    ['previousFile', 'Previous file with results', 'Shift+F8', () => stepFile(-1)] as const,
  ].map(([id, title, keys, run]) => ({ id: `code.${id}`, title, keys, enabled: hasResults, run })),
  {
    id: 'code.definition',
    title: 'Go to definition',
    synonyms: 'declaration jump symbol',
    keys: 'F12',
    enabled: canGoToDefinition,
    run: goToFocusedDefinition,
  },
  {
    id: 'code.references',
    title: 'Find references',
    synonyms: 'who calls callers usages',
    keys: 'Shift+F12',
    enabled: canFindReferences,
    run: findReferences,
  },
  {
    id: 'code.outline',
    title: 'Show outline',
    synonyms: 'file symbols',
    keys: '$mod+Shift+O',
    enabled: hasFile,
    run: () => {
      showPanel('preview');
      useOutline.setState({ open: true });
    },
  },
  {
    id: 'code.blame',
    title: 'Toggle blame',
    synonyms: 'who changed line commit author git',
    keys: '$mod+Alt+A',
    enabled: isOpen,
    run: () => changeSettings({ blame: !useApp.getState().settings?.blame }),
  },
  {
    id: 'code.back',
    title: 'Go back',
    synonyms: 'previous',
    keys: 'Alt+ArrowLeft',
    // Enabled at the start of the history too, since the browser would otherwise leave the page.
    enabled: isOpen,
    run: () => travel(-1, getCursorLine()),
  },
  {
    id: 'code.forward',
    title: 'Go forward',
    synonyms: 'next',
    keys: 'Alt+ArrowRight',
    enabled: isOpen,
    run: () => travel(1, getCursorLine()),
  },
  {
    id: 'code.openInEditor',
    title: 'Open in editor',
    synonyms: 'ide vscode open file edit external',
    keys: '$mod+Alt+O',
    // The files of a commit are not on disk.
    enabled: () => hasFile() && useApp.getState().version === null,
    run: openShownFile,
  },
];

function stepInFile(step: 1 | -1): void {
  const response = getCurrentResponse();
  const selected = getCurrentSelected();
  if (!response || !selected) return;
  const next = findNextInFile(response.results, selected, getCursorLine() ?? 1, step);
  show(next?.address);
}

function stepFile(step: 1 | -1): void {
  const response = getCurrentResponse();
  const selected = getCurrentSelected();
  show(response && findBestInNextFile(response.results, selected, step)?.address);
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
    followCopiedLines(),
    followFiles(),
    followHistory(),
    listen('mouseup', travelByMouse),
  );
