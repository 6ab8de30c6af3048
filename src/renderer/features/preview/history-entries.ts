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
  at: number;
}

export const EMPTY_HISTORY: NavigationHistory = { entries: [], at: -1 };

const MAX_ENTRIES = 200;

/** Updates the current entry, when it is left or its list changes. */
export function updateEntry(
  { entries, at }: NavigationHistory,
  how: Partial<Omit<HistoryEntry, 'address'>>,
): NavigationHistory {
  const place = entries[at];
  return place ? { entries: entries.with(at, { ...place, ...how }), at } : { entries, at };
}

/** Adds an entry after the current one, and drops later entries. With `instead`, it also replaces the current entry. */
export function addEntry(
  { entries, at }: NavigationHistory,
  arrival: Pick<HistoryEntry, 'address' | 'search' | 'isPicked'>,
  { instead }: { instead: boolean },
): NavigationHistory {
  const before = entries.slice(0, instead && at >= 0 ? at : at + 1);
  const now = [...before, { ...arrival, line: null, restore: () => {} }].slice(-MAX_ENTRIES);
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
 * @param isChosen true if the user chose the next entry
 * @param shownMs time for which the current entry was shown
 */
export function isTransient(
  place: HistoryEntry | undefined,
  { search, isChosen, shownMs }: { search: ShownSearch | null; isChosen: boolean; shownMs: number },
): boolean {
  if (place && isAnotherSearch(place.search, search)) {
    const isEdited = place.search?.issue.id === search?.issue.id;
    return isEdited && !place.isPicked && shownMs < EDITING_MS;
  }
  return !isChosen || shownMs < PASSING_MS;
}
