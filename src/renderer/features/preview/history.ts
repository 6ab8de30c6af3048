/**
 * Navigation history of the window, as in a browser: searches, and the chunks that were selected in them. Going back restores
 * the list and the views too.
 */
import { create } from 'zustand';
import { type ChunkAddress, splitAddress } from '../../../shared/address.ts';
import { type Stop, stopAll } from '../../platform/lifetime.ts';
import { showPanel, usePanes } from '../../platform/panes.ts';
import { onRepositoryChange } from '../../platform/state.ts';
import {
  captureSearch,
  getCurrentSelected,
  getResponse,
  getSelected,
  restoreSearch,
  type SearchState,
  select,
  useSearch,
  useSelected,
} from '../search/index.ts';
import {
  addEntry,
  EMPTY_HISTORY,
  type HistoryEntry,
  isAnotherSearch,
  isTransient,
  type NavigationHistory,
  updateEntry,
} from './history-entries.ts';

const useHistory = create<NavigationHistory>(() => EMPTY_HISTORY);

/** Time when the current entry was added, in milliseconds since 1970. */
let arrivedAtMs = 0;
let isTraveling = false;
let isJumping = false;

const savers = new Set<() => () => void>();

/**
 * Saves and restores a view's state. `save` is called when an entry is left, and the function that it returns when the user
 * comes back to it. Returns a function that stops this.
 */
export function registerViewState(save: () => () => void): () => void {
  savers.add(save);
  return () => {
    savers.delete(save);
  };
}

/** Calls `go`, which selects or shows a chunk, and adds a history entry for it in any case. */
export function visit(address: ChunkAddress, from: number | null, go: () => void): void {
  leave(from);
  const before = useHistory.getState();
  isJumping = true;
  go();
  isJumping = false;
  if (useHistory.getState() === before)
    add({ address, search: captureSearch(), isPicked: true }, false);
}

/** Goes to a chunk. Going back returns to the line `from` of the current chunk. */
export function jumpToChunk(address: ChunkAddress, from: number | null): void {
  visit(address, from, () => select(address));
}

/** Goes to a line of a chunk. Going back returns to the line `from` of the current chunk. */
export function jumpToLine(
  address: ChunkAddress,
  { line, column }: { line: number; column: number },
  from: number | null,
): void {
  visit(address, from, () => revealLine(address, line, column));
}

/** Returns whether the user can go back and forward. */
export function useTravel(): { back: boolean; forward: boolean } {
  const { entries, at } = useHistory();
  const hasSelection = useSelected() !== null;
  return { back: at > (hasSelection ? 0 : -1), forward: at < entries.length - 1 };
}

/** Moves in the history by -1 or 1. `from` is the current line. */
export function travel(by: 1 | -1, from: number | null): void {
  const { entries, at } = useHistory.getState();
  // An issue without a list has no entry. Going back from it leads to the latest entry.
  const isInHistory = getCurrentSelected() !== null;
  const to = isInHistory || by > 0 ? at + by : at;
  const entry = entries[to];
  if (!entry) return;
  if (isInHistory) leave(from);
  useHistory.setState({ at: to });
  isTraveling = true;
  const now = captureSearch();
  if (entry.search && (now === null || isAnotherSearch(now, entry.search)))
    restoreSearch(entry.search);
  if (entry.line === null) select(entry.address);
  else revealLine(entry.address, entry.line);
  isTraveling = false;
  entry.restore();
}

/** Replaces a chunk's address after it moved, so that going back leads to it. */
export function renameInHistory(from: ChunkAddress, to: ChunkAddress): void {
  useHistory.setState(({ entries }) => ({
    entries: entries.map((entry) => (entry.address === from ? { ...entry, address: to } : entry)),
  }));
}

function leave(line: number | null): void {
  const restorers = Array.from(savers, (save) => save());
  const restore = () => {
    for (const restoreView of restorers) restoreView();
  };
  useHistory.setState((before) => updateEntry(before, { line, restore }));
}

function add(
  entry: Pick<HistoryEntry, 'address' | 'search' | 'isPicked'>,
  shouldReplace: boolean,
): void {
  arrivedAtMs = Date.now();
  useHistory.setState((before) => addEntry(before, entry, { shouldReplace }));
}

function follow(now: SearchState, before: SearchState): void {
  const selected = getSelected(now);
  const hasNewList = getResponse(now) !== getResponse(before);
  if (isTraveling || !selected || (selected === getSelected(before) && !hasNewList)) return;
  const search = captureSearch();
  const { entries, at } = useHistory.getState();
  const current = entries[at];
  if (current?.address === selected && !isAnotherSearch(current.search, search)) {
    useHistory.setState((history) => updateEntry(history, { search }));
    return;
  }
  const shownMs = Date.now() - arrivedAtMs;
  const isNextPicked = now.selection?.isChosen ?? false;
  const shouldReplace = !isJumping && isTransient(current, { search, isNextPicked, shownMs });
  if (!shouldReplace && !isJumping) leave(null);
  add({ address: selected, search, isPicked: !hasNewList }, shouldReplace);
}

export const followHistory = (): Stop =>
  stopAll(
    useSearch.subscribe(follow),
    onRepositoryChange(() => useHistory.setState(EMPTY_HISTORY)),
    registerViewState(() => {
      const { panel, shown } = usePanes.getState();
      return () => usePanes.setState({ panel, shown });
    }),
  );

/** Line that the preview scrolls to once it shows the file; reset to null afterwards. */
export const useReveal = create<{
  target: { path: string; line: number; column: number } | null;
}>(() => ({ target: null }));

/** Selects a chunk and shows a line of its file in the preview; `line` is 1-based, `column` 0-based. */
export function revealLine(address: ChunkAddress, line: number, column = 0): void {
  const { path } = splitAddress(address);
  useReveal.setState({ target: { path, line, column } });
  select(address);
  showPanel('preview');
}
