/** Scores, orders and caches for all chunks of an index. */

import { assertPresent } from '../../../shared/assert-present.ts';
import type { ChunkSummary } from '../../../shared/chunk.ts';
import type { Neighbor, SearchIndex } from '../../snapshot/types.ts';
import { findLargest } from '../../vectors/largest.ts';
import { ABSENT } from '../../vectors/vector-table.ts';

/** Returns true for edges that ranking follows: a reference in the code itself, with a known target. */
export function isCertainCall({ kind, guess }: Neighbor): boolean {
  return kind !== 'register' && !guess;
}

/** Adds (value - mean) / deviation to the sum of each slot that has a value. Uses indexed loops, since it visits every chunk. */
export function addStandardized(
  sums: Float32Array,
  slots: Uint32Array,
  values: Float32Array,
): void {
  let count = 0;
  let sum = 0;
  let squares = 0;
  for (let i = 0; i < slots.length; i++) {
    const slot = assertPresent(slots[i], 'a slot');
    const value = values[slot] ?? ABSENT;
    if (value === ABSENT) continue;
    count++;
    sum += value;
    squares += value * value;
  }
  const mean = sum / count;
  const deviation = Math.sqrt(Math.max(0, squares / count - mean * mean));
  if (!(deviation > 1e-9)) return;
  for (let i = 0; i < slots.length; i++) {
    const slot = assertPresent(slots[i], 'a slot');
    const value = values[slot] ?? ABSENT;
    if (value !== ABSENT) sums[slot] = getScore(slot, sums) + (value - mean) / deviation;
  }
}

export function getScore(slot: number, scores: Float32Array): number {
  return assertPresent(scores[slot], 'the score of a chunk');
}

/** Returns the `count` slots with the largest scores, best first; equal ones in order of path and line. */
export function selectBest(
  slots: Uint32Array,
  first: Float32Array,
  count: number,
  index: SearchIndex,
): number[] {
  const k = Math.min(count, slots.length);
  if (k === 0) return [];
  const sums = new Float32Array(slots.length);
  for (let i = 0; i < slots.length; i++)
    sums[i] = getScore(assertPresent(slots[i], 'a slot'), first);
  const threshold = assertPresent(
    findLargest(sums, k).similarities[k - 1],
    'the least of the best',
  );
  const compareBySlot = createLocationOrder(index);
  const best: number[] = [];
  for (let i = 0; i < slots.length; i++) {
    if (assertPresent(sums[i], 'a score') >= threshold)
      best.push(assertPresent(slots[i], 'a slot'));
  }
  return best
    .sort((a, b) => getScore(b, first) - getScore(a, first) || compareBySlot(a, b))
    .slice(0, k);
}

/** Returns a function that orders slots by the path and line of their chunks. */
export function createLocationOrder(index: SearchIndex): (a: number, b: number) => number {
  return (a, b) => compareLocations(index.getChunk(a), index.getChunk(b));
}

/** Returns the callers of a chunk in order of path and line. Their order in the index depends on earlier edits. */
export function listCallersByLocation(slot: number, index: SearchIndex): Neighbor[] {
  return index
    .getCallers(slot)
    .map((caller) => ({ caller, chunk: index.getChunk(caller.slot) }))
    .sort((a, b) => compareLocations(a.chunk, b.chunk))
    .map(({ caller }) => caller);
}

type LocatedChunk = Omit<ChunkSummary, 'address'>;

/** Orders chunks by path and line. */
export function compareLocations(left: LocatedChunk, right: LocatedChunk): number {
  return (
    compare(left.path, right.path) ||
    left.startLine - right.startLine ||
    left.endLine - right.endLine ||
    compare(left.qualifiedName, right.qualifiedName) ||
    left.ordinal - right.ordinal
  );
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

/** Caches a value that is the same for every issue until the index is edited. */
export function cacheUntilEdited<Value>(
  compute: (index: SearchIndex) => Value,
): (index: SearchIndex) => Value {
  const cache = new WeakMap<SearchIndex, { edits: number; length: number; value: Value }>();
  return (index) => {
    const { edits, chunks } = index;
    const cached = cache.get(index);
    if (cached?.edits === edits && cached.length === chunks.length) return cached.value;
    const value = compute(index);
    cache.set(index, { edits, length: chunks.length, value });
    return value;
  };
}
