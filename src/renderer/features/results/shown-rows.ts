/** Rows of the list as it is shown now. */

import type { ChunkAddress } from '../../../shared/address.ts';
import type { RankedChunk } from '../../../shared/search.ts';
import { useApp } from '../../platform/state.ts';
import { useCheck } from '../check/index.ts';
import { getCurrentResponse, useFilters, useMarks, useResponse } from '../search/index.ts';
import { buildRows, type ResultChunkRow, type ResultRows, type ResultRowsInput } from './rows.ts';

const NO_RESULTS: readonly RankedChunk[] = [];
let cached: { input: ResultRowsInput; rows: ResultRows } | null = null;

/** Returns the rows for an input. Caches the last ones, so that views and commands share them. */
function getRows(input: ResultRowsInput): ResultRows {
  const keys = Object.keys(input) as (keyof ResultRowsInput)[];
  if (cached === null || keys.some((key) => cached?.input[key] !== input[key])) {
    cached = { input, rows: buildRows(input) };
  }
  return cached.rows;
}

export const getShownRows = (): ResultRows => getRows(getInput());

function getInput(): ResultRowsInput {
  const { text, view, collapsed } = useFilters.getState();
  const { outcome, applied } = useCheck.getState();
  return {
    results: getCurrentResponse()?.results ?? NO_RESULTS,
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

export function useRows(): ResultRows {
  useResponse();
  useMarks(({ marks }) => marks);
  useCheck(({ outcome }) => outcome);
  useCheck(({ applied }) => applied);
  useFilters();
  useApp(({ settings }) => settings?.groupByFile);
  useApp(({ settings }) => settings?.folderTree);
  return getShownRows();
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
  const all = buildRows({ ...getInput(), view: 'ranked', collapsed: new Set() }).chunks;
  const ranks = all.map(getRank).sort((a, b) => a - b);
  const last = ranks[Math.min(count, ranks.length) - 1] ?? 0;
  return { best: all.filter((row) => getRank(row) <= last).map(toShownChunk), found: all.length };
}

/** Returns all chunks marked as `edit` or `read`, regardless of filters, in the order of the screen. */
export function useMarkedToActOn(): ShownChunk[] {
  useRows();
  const input = getInput();
  const marked = buildRows({ ...input, view: 'marked', text: '' }).chunks;
  const toActOn = marked.filter((row) => row.marked?.mark !== 'irrelevant');
  if (input.view === 'ranked') toActOn.sort((a, b) => getRank(a) - getRank(b));
  return toActOn.map(toShownChunk);
}

const getRank = ({ chunk }: ResultChunkRow): number => chunk.rank ?? Number.POSITIVE_INFINITY;

const toShownChunk = ({ chunk, marked }: ResultChunkRow): ShownChunk => ({
  chunk: marked?.now?.address ?? chunk.address,
  rank: chunk.rank ?? null,
});
