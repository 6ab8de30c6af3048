/** The order of a list after a check, and what has changed since. */
import type { ChunkAddress } from './address.ts';
import type { CheckedChunk, CheckOutcome } from './check.ts';
import { formatCounted } from './format-count.ts';

/**
 * Sorts results into the checked order. The results that the model was asked about exchange their ranks among each other, and what a
 * second request added joins them. All others keep theirs: those that it was not asked about, and those that a person marked, since
 * a mark outranks the model.
 */
export function sortByCheck<Chunk extends { address: ChunkAddress }>(
  results: readonly Chunk[],
  { chunks, added = [] }: { chunks: readonly CheckedChunk[]; added?: readonly Chunk[] },
  isMarked: (chunk: Chunk) => boolean = () => false,
): Chunk[] {
  const ranks = new Map(chunks.map(({ address }, index) => [address, index]));
  const joining = new Set(chunks.flatMap(({ isAdded, address }) => (isAdded ? address : [])));
  const known = new Map([...added, ...results].map((chunk) => [chunk.address, chunk]));
  const canMove = (chunk: Chunk) => ranks.has(chunk.address) && !isMarked(chunk);
  const moved = [...known.values()]
    .filter(canMove)
    .sort((a, b) => (ranks.get(a.address) ?? 0) - (ranks.get(b.address) ?? 0));
  const rest = results.filter((chunk) => !canMove(chunk) || !joining.has(chunk.address));
  const last = rest.findLastIndex(canMove);
  let next = 0;
  return rest.flatMap((chunk, at) => {
    if (!canMove(chunk)) return chunk;
    const end = at === last ? moved.length : next + 1;
    const placed = moved.slice(next, end);
    next = end;
    return placed;
  });
}

/** Says how many of the checked functions have changed; null if none has. */
export function describeChanged({ chunks }: Pick<CheckOutcome, 'chunks'>): string | null {
  const changed = chunks.filter(({ isChanged }) => isChanged).length;
  if (changed === 0) return null;
  return `Older than the code: ${changed} of ${formatCounted(chunks.length, 'function')} ${changed === 1 ? 'has' : 'have'} changed since.`;
}

/** Counts the results that a check of as many first results would ask about, but this one did not. */
export function countUnchecked(
  results: readonly { address: ChunkAddress }[],
  { chunks }: Pick<CheckOutcome, 'chunks'>,
): number {
  const checked = new Set(chunks.map(({ address }) => address));
  const ranks = new Set(chunks.map(({ from }) => from));
  let first = 0;
  while (ranks.has(first + 1)) first++;
  return results.slice(0, first).filter(({ address }) => !checked.has(address)).length;
}
