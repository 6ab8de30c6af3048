/** Entries of the navigation history, see `history.ts`. */
import type { ChunkAddress } from '../../../shared/address.ts';
import type { ShownSearch } from '../search/index.ts';

/** A chunk that was selected in a search. */
export interface Place {
  address: ChunkAddress;
  search: ShownSearch | null;
  /** True if the user selected it; false if it was selected as the best result of a new list. */
  picked: boolean;
  /** Cursor line when it was left; null if unknown. */
  line: number | null;
  /** Restores the views to their state when it was left. */
  restore: () => void;
}

export interface Places {
  places: readonly Place[];
  at: number;
}

export const NOWHERE: Places = { places: [], at: -1 };

const MAX_ENTRIES = 200;

/** Updates the current entry, when it is left or its list changes. */
export function left({ places, at }: Places, how: Partial<Omit<Place, 'address'>>): Places {
  const place = places[at];
  return place ? { places: places.with(at, { ...place, ...how }), at } : { places, at };
}

/** Adds an entry after the current one, and drops later entries. With `instead`, it also replaces the current entry. */
export function arrivedAt(
  { places, at }: Places,
  arrival: Pick<Place, 'address' | 'search' | 'picked'>,
  { instead }: { instead: boolean },
): Places {
  const before = places.slice(0, instead && at >= 0 ? at : at + 1);
  const now = [...before, { ...arrival, line: null, restore: () => {} }].slice(-MAX_ENTRIES);
  return { places: now, at: now.length - 1 };
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
export function isPassed(
  place: Place | undefined,
  { search, isChosen, shownMs }: { search: ShownSearch | null; isChosen: boolean; shownMs: number },
): boolean {
  if (place && isAnotherSearch(place.search, search)) {
    const isEdited = place.search?.issue.id === search?.issue.id;
    return isEdited && !place.picked && shownMs < EDITING_MS;
  }
  return !isChosen || shownMs < PASSING_MS;
}
