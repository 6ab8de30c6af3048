/** The rows of the list as it is shown now. */
import type { RankedChunk } from '../../../shared/search.ts';
import { useApp } from '../../platform/state.ts';
import { useFilters, useMarks, useSearch } from '../search/index.ts';
import { useVerify } from '../verify/index.ts';
import { type Rows, type RowsInput, rowsOf } from './rows.ts';

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

/** The rows as they are shown now. */
export const rowsNow = (): Rows => rowsFor(inputNow());

/** What they are made of. */
export function inputNow(): RowsInput {
  const { text, view, collapsed } = useFilters.getState();
  const { outcome, applied } = useVerify.getState();
  return {
    results: useSearch.getState().response?.results ?? NO_RESULTS,
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
  useSearch(({ response }) => response);
  useMarks(({ marks }) => marks);
  useVerify(({ outcome }) => outcome);
  useVerify(({ applied }) => applied);
  useFilters();
  useApp(({ settings }) => settings?.groupByFile);
  useApp(({ settings }) => settings?.folderTree);
  return rowsNow();
}
