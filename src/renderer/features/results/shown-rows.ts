/** The rows of the list as it is shown now. */

import type { ChunkAddress } from '../../../shared/address.ts';
import type { RankedChunk } from '../../../shared/search.ts';
import { useApp } from '../../platform/state.ts';
import { responseNow, useFilters, useMarks, useResponse } from '../search/index.ts';
import { useVerify } from '../verify/index.ts';
import { type ChunkRow, type Rows, type RowsInput, rowsOf } from './rows.ts';

const NO_RESULTS: readonly RankedChunk[] = [];
let known: { input: RowsInput; rows: Rows } | null = null;

/** The rows for this input; the last ones are kept, so that views and commands share them. */
function rowsFor(input: RowsInput): Rows {
  const keys = Object.keys(input) as (keyof RowsInput)[];
  if (known === null || keys.some((key) => known?.input[key] !== input[key])) {
    known = { input, rows: rowsOf(input) };
  }
  return known.rows;
}

export const rowsNow = (): Rows => rowsFor(inputNow());

function inputNow(): RowsInput {
  const { text, view, collapsed } = useFilters.getState();
  const { outcome, applied } = useVerify.getState();
  return {
    results: responseNow()?.results ?? NO_RESULTS,
    marks: useMarks.getState().marks,
    outcome,
    applied,
    text,
    view,
    grouped: useApp.getState().settings?.groupByFile ?? false,
    collapsed,
    tree: useApp.getState().settings?.folderTree ?? false,
  };
}

export function useRows(): Rows {
  useResponse();
  useMarks(({ marks }) => marks);
  useVerify(({ outcome }) => outcome);
  useVerify(({ applied }) => applied);
  useFilters();
  useApp(({ settings }) => settings?.groupByFile);
  useApp(({ settings }) => settings?.folderTree);
  return rowsNow();
}

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
