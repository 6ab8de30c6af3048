import { splitAddress } from '../../../shared/address.ts';
import { formatCounted } from '../../../shared/format-count.ts';
import { MARK_TITLES, type Mark } from '../../../shared/marks.ts';
import type { Settings } from '../../../shared/settings.ts';
import { type Command, registerCommands } from '../../platform/commands.ts';
import { copyText } from '../../platform/copy.ts';
import { type Stop, stopAll } from '../../platform/lifetime.ts';
import { focusPane } from '../../platform/panes.ts';
import { changeSettings, useApp } from '../../platform/state.ts';
import {
  applyOrder,
  changeMarks,
  clearFilters,
  getCurrentSelected,
  isFiltered,
  mayChangeOrder,
  toggleMark,
  useFilters,
  useMarks,
  useSearch,
} from '../search/index.ts';
import { followFolds } from './folders.ts';
import { editNote, followNotes } from './notes.ts';
import { followScroll } from './row-motion.ts';
import {
  adjacentToActive,
  chooseResult,
  clearSelection,
  followSelection,
  rememberPosition,
  selectAll,
  selectedChunks,
  useSelection,
} from './selection.ts';
import { getShownRows } from './shown-rows.ts';

const hasRows = () => getShownRows().chunks.length > 0;
const hasSelection = () => selectedChunks().length > 0;
const isOpen = () => useApp.getState().repository !== null;

/** Options of commands with single-letter keys, which work only in the list. */
const OPEN_LIST = { within: 'results', enabled: isOpen } as const;

const COMMANDS: readonly Command[] = [
  {
    id: 'results.next',
    title: 'Next result',
    keys: 'Alt+ArrowDown',
    enabled: hasRows,
    run: () => step(1),
  },
  {
    id: 'results.previous',
    title: 'Previous result',
    keys: 'Alt+ArrowUp',
    enabled: hasRows,
    run: () => step(-1),
  },
  markCommand('edit', 'e'),
  markCommand('read', 'r'),
  markCommand('irrelevant', 'x'),
  {
    id: 'results.unmark',
    title: 'Remove mark',
    keys: 'u',
    within: 'results',
    enabled: () => selectedChunks().some((address) => useMarks.getState().marks.get(address)?.mark),
    run: () => changeMarks(selectedChunks(), { mark: null }),
  },
  {
    id: 'results.note',
    title: 'Edit note',
    synonyms: 'write comment',
    keys: 'n',
    within: 'results',
    // The editor opens below the row.
    enabled: () => getShownRows().chunks.some(({ key }) => key === getCurrentSelected()),
    run: () => editNote(getCurrentSelected()),
  },
  {
    id: 'results.reranked',
    title: 'Apply new order',
    keys: 's',
    within: 'results',
    enabled: () => mayChangeOrder(useSearch.getState()),
    run: applyOrder,
  },
  {
    id: 'results.evidence',
    title: 'Toggle evidence',
    synonyms: 'explain why reasons signals',
    keys: 'w',
    ...OPEN_LIST,
    run: () => changeSettings({ showEvidence: !useApp.getState().settings?.showEvidence }),
  },
  {
    id: 'results.copy',
    title: 'Copy path and line',
    synonyms: 'clipboard',
    keys: '$mod+c',
    within: 'results',
    enabled: hasSelection,
    run: copyLocations,
  },
  {
    id: 'results.selectAll',
    title: 'Select all results',
    keys: '$mod+a',
    within: 'results',
    enabled: hasRows,
    run: () => {
      selectAll();
      focusPane('results');
    },
  },
  {
    id: 'results.selectNone',
    title: 'Deselect others',
    enabled: () => useSelection.getState().picked.size > 0,
    run: clearSelection,
  },
  {
    id: 'results.find',
    title: 'Filter by name',
    synonyms: 'search path',
    keys: '/',
    ...OPEN_LIST,
    run: () => document.querySelector<HTMLElement>('[data-results-filter]')?.focus(),
  },
  {
    id: 'results.filters',
    title: 'Edit filters…',
    synonyms: 'path kind tests glob folder language',
    keys: 'f',
    ...OPEN_LIST,
    run: () => useFilters.setState({ open: true }),
  },
  {
    id: 'results.clearFilters',
    title: 'Clear filters',
    synonyms: 'reset',
    enabled: () => isFiltered(useFilters.getState(), useApp.getState().settings?.tests),
    run: clearFilters,
  },
  {
    id: 'results.group',
    title: 'Toggle grouping',
    synonyms: 'by file',
    keys: 'g',
    ...OPEN_LIST,
    run: () => arrange({ groupByFile: !useApp.getState().settings?.groupByFile }),
  },
  {
    id: 'results.tree',
    title: 'Toggle folder tree',
    synonyms: 'hierarchy directories files',
    keys: 't',
    ...OPEN_LIST,
    run: () => arrange({ folderTree: !useApp.getState().settings?.folderTree }),
  },
  {
    id: 'results.marked',
    title: 'Toggle marked results',
    keys: 'm',
    ...OPEN_LIST,
    run: () =>
      useFilters.setState(({ view }) => ({ view: view === 'ranked' ? 'marked' : 'ranked' })),
  },
  {
    id: 'results.byMarks',
    title: 'Toggle ranking by marks',
    keys: 'Shift+r',
    within: 'results',
    enabled: () => useMarks.getState().marks.size > 0,
    run: () => useFilters.setState(({ rerank }) => ({ rerank: !rerank })),
  },
  testsCommand('demote', 'Rank tests lower'),
  testsCommand('exclude', 'Exclude tests'),
  testsCommand('include', 'Rank tests normally'),
];

function markCommand(mark: Mark, keys: string): Omit<Command, 'group'> {
  return {
    id: `results.mark.${mark}`,
    title: `Mark: ${MARK_TITLES[mark]}`,
    keys,
    within: 'results',
    enabled: hasSelection,
    run: () => {
      if (mark === 'irrelevant') rememberPosition();
      return toggleMark(selectedChunks(), mark);
    },
  };
}

function testsCommand(tests: Settings['tests'], title: string): Omit<Command, 'group'> {
  const run = () => changeSettings({ tests });
  return { id: `results.tests.${tests}`, title, enabled: isOpen, run };
}

/** Changes the arrangement, since grouping and the tree exclude each other. Keeps the focus in the list or tree. */
async function arrange(as: { groupByFile: boolean } | { folderTree: boolean }): Promise<void> {
  const inList = document.activeElement?.closest('[data-pane=results] [data-pane-focus]') ?? null;
  await changeSettings({ groupByFile: false, folderTree: false, ...as });
  if (inList) focusPane('results');
}

function step(by: 1 | -1): void {
  const { chunks } = getShownRows();
  const { before, after } = adjacentToActive();
  const at = by === 1 ? after : before;
  const next = chunks[Math.max(0, Math.min(chunks.length - 1, at))];
  if (next) chooseResult(next.key);
}

function copyLocations(): Promise<void> {
  const lines = new Map(getShownRows().chunks.map(({ key, chunk }) => [key, chunk.startLine]));
  const locations = selectedChunks().map(
    (address) => `${splitAddress(address).path}:${lines.get(address) ?? 1}`,
  );
  const [first = ''] = locations;
  const what = locations.length === 1 ? first : formatCounted(locations.length, 'location');
  return copyText(locations.join('\n'), what);
}

export const start = (): Stop =>
  stopAll(
    registerCommands(COMMANDS),
    followScroll(),
    followNotes(),
    followSelection(),
    followFolds(),
  );
