/** Places that were gone to, as a browser keeps pages. */
import type { ChunkAddress } from '../../../shared/address.ts';
import type { ShownSearch } from '../search/index.ts';

/** A chunk that was selected, in the list of a search. */
export interface Place {
  address: ChunkAddress;
  search: ShownSearch | null;
  /** True if the user selected it, and it did not come with its list. */
  picked: boolean;
  /** Where the cursor was when it was left. */
  line: number | null;
  /** Puts the views back to how they were when it was left. */
  restore: () => void;
}

export interface Places {
  places: readonly Place[];
  at: number;
}

export const NOWHERE: Places = { places: [], at: -1 };

const KEPT = 200;

/** Remembers how the place that is shown is left, or what has become of its list. */
export function left({ places, at }: Places, how: Partial<Omit<Place, 'address'>>): Places {
  const place = places[at];
  return place ? { places: places.with(at, { ...place, ...how }), at } : { places, at };
}

/** Adds a place after the one that is shown, in place of those ahead; `instead` of it, too, where that was passed only. */
export function arrivedAt(
  { places, at }: Places,
  arrival: Pick<Place, 'address' | 'search' | 'picked'>,
  { instead }: { instead: boolean },
): Places {
  const before = places.slice(0, instead && at >= 0 ? at : at + 1);
  const now = [...before, { ...arrival, line: null, restore: () => {} }].slice(-KEPT);
  return { places: now, at: now.length - 1 };
}

export const isAnotherSearch = (a: ShownSearch | null, b: ShownSearch | null): boolean =>
  a !== null && b !== null && a.issue.text !== b.issue.text;

/** Places that are passed faster than this, on the way through the list, are not worth going back to. */
const PASSING_MS = 700;
/** Nor are lists that stood for less while their issue was edited, and in which nothing was selected. */
const EDITING_MS = 5000;

/** Returns true if a place that was shown so long was only passed on the way to the next, chosen or not, in this search. */
export function isPassed(
  place: Place | undefined,
  { search, chosen, stoodMs }: { search: ShownSearch | null; chosen: boolean; stoodMs: number },
): boolean {
  if (place && isAnotherSearch(place.search, search)) {
    const isEdited = place.search?.issue.id === search?.issue.id;
    return isEdited && !place.picked && stoodMs < EDITING_MS;
  }
  return !chosen || stoodMs < PASSING_MS;
}
