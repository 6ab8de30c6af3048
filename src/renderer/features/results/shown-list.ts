/** Parts of the list for an export: under the ranks, in the order and with the filters that the screen has. */
import type { ChunkAddress } from '../../../shared/address.ts';
import { type ChunkRow, rowsOf } from './rows.ts';
import { inputNow, useRows } from './shown-rows.ts';

/** A result and its rank on the screen; null for one that is marked and not in the ranking. */
export interface ShownChunk {
  chunk: ChunkAddress;
  rank: number | null;
}

/** The best so many of those that the filters leave, grouped by file where the screen is. */
export function useBest(count: number): { best: ShownChunk[]; found: number } {
  useRows();
  // Not only what is unfolded, and the ranking also while the marked results are shown.
  const all = rowsOf({ ...inputNow(), view: 'ranked', collapsed: new Set() }).chunks;
  const ranks = all.map(rankOf).sort((a, b) => a - b);
  const last = ranks[Math.min(count, ranks.length) - 1] ?? 0;
  return { best: all.filter((row) => rankOf(row) <= last).map(shown), found: all.length };
}

/** All that is marked to be edited or read for the fix, whatever the filters are: in the order of the screen. */
export function useMarkedToActOn(): ShownChunk[] {
  useRows();
  const input = inputNow();
  const marked = rowsOf({ ...input, view: 'marked', text: '' }).chunks;
  const toActOn = marked.filter((row) => row.marked?.mark !== 'irrelevant');
  if (input.view === 'ranked') toActOn.sort((a, b) => rankOf(a) - rankOf(b));
  return toActOn.map(shown);
}

const rankOf = ({ chunk }: ChunkRow): number => chunk.rank ?? Number.POSITIVE_INFINITY;

const shown = ({ chunk, marked }: ChunkRow): ShownChunk => ({
  chunk: marked?.now?.address ?? chunk.address,
  rank: chunk.rank ?? null,
});
