/** Places that were gone to, as a browser keeps pages. */
import type { ChunkAddress } from '../../../shared/address.ts';

interface Place {
  address: ChunkAddress;
  /** Where the cursor was when it was left. */
  line: number | null;
}

export interface Places {
  places: readonly Place[];
  at: number;
}

export const NOWHERE: Places = { places: [], at: -1 };

const KEPT = 200;

/** Remembers the line at which the place that is shown is left. */
export function left({ places, at }: Places, line: number | null): Places {
  const place = places[at];
  return place ? { places: places.with(at, { ...place, line }), at } : { places, at };
}

/** Adds a place after the one that is shown, in place of those ahead; `instead` of it, too, where that was passed only. */
export function arrivedAt(
  { places, at }: Places,
  address: ChunkAddress,
  { instead }: { instead: boolean },
): Places {
  if (places[at]?.address === address) return { places, at };
  const before = places.slice(0, instead && at >= 0 ? at : at + 1);
  const now = [...before, { address, line: null }].slice(-KEPT);
  return { places: now, at: now.length - 1 };
}
