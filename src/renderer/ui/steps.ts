/** Keyboard navigation in lists. */
import type { ChunkAddress } from '../../shared/address.ts';

/** Indexes before and after the active one; they may be outside the list. */
export interface Adjacent {
  before: number;
  after: number;
}

/** Number of rows that Page Up and Page Down move by in a list of unknown height. */
export const PAGE = 8;

export const getAdjacent = (at: number): Adjacent => ({ before: at - 1, after: at + 1 });

/**
 * Returns the index that a key moves to in a list of `count`; null for any other key.
 * @param page number of rows that Page Up and Page Down move by; 0 to ignore these keys.
 */
export function resolveStep(
  key: string,
  { before, after }: Adjacent,
  count: number,
  page = 0,
): number | null {
  const steps: Record<string, number> = {
    ArrowDown: after,
    ArrowUp: before,
    Home: 0,
    End: count - 1,
    ...(page > 0 && { PageDown: after + page - 1, PageUp: before - page + 1 }),
  };
  const next = steps[key];
  return next === undefined ? null : Math.max(0, Math.min(count - 1, next));
}

/** The active result, and its position before it was marked as not relevant. */
export interface FormerPosition {
  address: ChunkAddress;
  at: number;
}

/**
 * Returns the positions before and after the active result. A result that was marked as not relevant moves to the end of the
 * list or out of it, but the view does not follow. The positions are then those around its former position.
 */
export function findAdjacent(
  keys: readonly ChunkAddress[],
  active: ChunkAddress | null,
  left: FormerPosition | null,
): Adjacent {
  const at = active === null ? -1 : keys.indexOf(active);
  const isGone = left !== null && left.address === active && (at < 0 || at > left.at);
  return isGone ? { before: left.at - 1, after: left.at } : getAdjacent(at);
}
