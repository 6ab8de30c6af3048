/** Entries of the navigation history, see `history.ts`. */
import type { ChunkAddress } from '../../../shared/address.ts';
import type { ShownSearch } from '../search/index.ts';

/** A chunk that was selected in a search. */
export interface HistoryEntry {
  address: ChunkAddress;
  search: ShownSearch | null;
  /** True if the user selected it; false if it was selected as the best result of a new list. */
  isPicked: boolean;
  /** Cursor line when it was left; null if unknown. */
  line: number | null;
  /** Restores the views to their state when it was left. */
  restore: () => void;
}

export interface NavigationHistory {
  entries: readonly HistoryEntry[];
  /** Index of the current entry; -1 while the history is empty. */
  at: number;
}

export const EMPTY_HISTORY: NavigationHistory = { entries: [], at: -1 };

const MAX_ENTRIES = 200;

/** Updates the current entry, when it is left or its list changes. */
export function updateEntry(
  { entries, at }: NavigationHistory,
  change: Partial<Omit<HistoryEntry, 'address'>>,
): NavigationHistory {
  const entry = entries[at];
  return entry ? { entries: entries.with(at, { ...entry, ...change }), at } : { entries, at };
}

/** Adds an entry after the current one, and drops later entries. With `shouldReplace`, it also replaces the current entry. */
export function addEntry(
  { entries, at }: NavigationHistory,
  added: Pick<HistoryEntry, 'address' | 'search' | 'isPicked'>,
  { shouldReplace }: { shouldReplace: boolean },
): NavigationHistory {
  const before = entries.slice(0, shouldReplace && at >= 0 ? at : at + 1);
  const now = [...before, { ...added, line: null, restore: () => {} }].slice(-MAX_ENTRIES);
  return { entries: now, at: now.length - 1 };
}

export const isAnotherSearch = (a: ShownSearch | null, b: ShownSearch | null): boolean =>
  a !== null && b !== null && a.issue.text !== b.issue.text;

/** Results shown for less than this, while moving through the list, do not stay in the history. */
const PASSING_MS = 700;
/** Lists shown for less than this while their issue was edited, without a selection by the user, do not stay either. */
const EDITING_MS = 5000;

/**
 * Returns true if the current entry should be replaced by the next one.
 * @param search search of the next entry
 * @param isNextPicked true if the user selected the next entry
 * @param shownMs time for which the current entry was shown
 */
export function isTransient(
  current: HistoryEntry | undefined,
  {
    search,
    isNextPicked,
    shownMs,
  }: { search: ShownSearch | null; isNextPicked: boolean; shownMs: number },
): boolean {
  if (current && isAnotherSearch(current.search, search)) {
    const isEdited = current.search?.issue.id === search?.issue.id;
    return isEdited && !current.isPicked && shownMs < EDITING_MS;
  }
  return !isNextPicked || shownMs < PASSING_MS;
}
