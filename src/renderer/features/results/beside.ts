/** Where the arrow keys lead from the active result, also when a mark has taken it away from there. */
import type { ChunkAddress } from '../../../shared/address.ts';
import { type Beside, beside } from '../../ui/steps.ts';

/** The active result, and its place in the list at the moment that it was marked as not relevant. */
export interface Left {
  address: ChunkAddress;
  at: number;
}

/**
 * The places before and after the active result, which may lie outside of the list. One that was marked as not relevant has gone to
 * the end of the list or out of it, and the list has not gone along: its neighbours are then those of the place that it left.
 */
export function placesBeside(
  keys: readonly ChunkAddress[],
  active: ChunkAddress | null,
  left: Left | null,
): Beside {
  const at = active === null ? -1 : keys.indexOf(active);
  const isGone = left !== null && left.address === active && (at < 0 || at > left.at);
  return isGone ? { before: left.at - 1, after: left.at } : beside(at);
}
