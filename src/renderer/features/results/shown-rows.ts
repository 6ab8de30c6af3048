/** Rows of the list as it is shown now. */

import type { ChunkAddress } from '../../../shared/address.ts';
import type { RankedChunk } from '../../../shared/search.ts';
import { useApp } from '../../platform/state.ts';
import { responseNow, useFilters, useMarks, useResponse } from '../search/index.ts';
import { useVerify } from '../verify/index.ts';
import { type ChunkRow, type Rows, type RowsInput, rowsOf } from './rows.ts';

const NO_RESULTS: readonly RankedChunk[] = [];
let cached: { input: RowsInput; rows: Rows } | null = null;

/** Returns the rows for an input. Caches the last ones, so that views and commands share them. */
function getRows(input: RowsInput): Rows {
  const keys = Object.keys(input) as (keyof RowsInput)[];
  if (cached === null || keys.some((key) => cached?.input[key] !== input[key])) {
    cached = { input, rows: rowsOf(input) };
  }
  return cached.rows;
}

export const rowsNow = (): Rows => getRows(getInput());

function getInput(): RowsInput {
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

/** A result and its rank on the screen; the rank is null for a marked chunk that is not in the ranking. */
export interface ShownChunk {
  chunk: ChunkAddress;
  rank: number | null;
}

/** Returns the best `count` results that pass the filters, in the order and grouping of the screen, and the number of all. */
export function useBest(count: number): { best: ShownChunk[]; found: number } {
  useRows();
  // Includes results in collapsed files. Uses the ranking even while marked results are shown.
  const all = rowsOf({ ...getInput(), view: 'ranked', collapsed: new Set() }).chunks;
  const ranks = all.map(getRank).sort((a, b) => a - b);
  const last = ranks[Math.min(count, ranks.length) - 1] ?? 0;
  return { best: all.filter((row) => getRank(row) <= last).map(toShownChunk), found: all.length };
}

/** Returns all chunks marked as `edit` or `read`, regardless of filters, in the order of the screen. */
export function useMarkedToActOn(): ShownChunk[] {
  useRows();
  const input = getInput();
  const marked = rowsOf({ ...input, view: 'marked', text: '' }).chunks;
  const toActOn = marked.filter((row) => row.marked?.mark !== 'irrelevant');
  if (input.view === 'ranked') toActOn.sort((a, b) => getRank(a) - getRank(b));
  return toActOn.map(toShownChunk);
}

const getRank = ({ chunk }: ChunkRow): number => chunk.rank ?? Number.POSITIVE_INFINITY;

const toShownChunk = ({ chunk, marked }: ChunkRow): ShownChunk => ({
  chunk: marked?.now?.address ?? chunk.address,
  rank: chunk.rank ?? null,
});
