/** Multiple selection, which marking and copying act on. The active chunk is `useSelected()`. */

import type { MouseEvent } from 'react';
import { create } from 'zustand';
import type { ChunkAddress } from '../../../shared/address.ts';
import { type Stop, stopAll } from '../../platform/lifetime.ts';
import { type Adjacent, type FormerPosition, findAdjacent } from '../../ui/steps.ts';
import { getCurrentSelected, getSelected, select, useFilters, useSearch } from '../search/index.ts';
import type { ResultChunkRow } from './rows.ts';
import { getShownRows } from './shown-rows.ts';

interface Selection {
  /** Selected chunks; empty if only the active chunk is selected. */
  picked: ReadonlySet<ChunkAddress>;
  /** Chunk where a range selection started. */
  anchor: ChunkAddress | null;
  /** Active chunk set by this module. If another view selects a chunk, the multiple selection ends. */
  own: ChunkAddress | null;
  /** Former position of the active chunk after it was marked as not relevant; null once another chunk is active. */
  left: FormerPosition | null;
}

const NONE: Pick<Selection, 'picked'> = { picked: new Set() };

export const useSelection = create<Selection>(() => ({
  ...NONE,
  anchor: null,
  own: null,
  left: null,
}));

function activate(address: ChunkAddress, change: Partial<Selection>): void {
  useSelection.setState({ ...change, own: address, left: null });
  select(address);
}

export function chooseResult(address: ChunkAddress): void {
  activate(address, { ...NONE, anchor: address });
}

export function toggleSelected(address: ChunkAddress): void {
  const picked = new Set(selectedChunks());
  if (!picked.delete(address)) picked.add(address);
  activate(address, { picked, anchor: address });
}

/** Selects the range from its anchor to this chunk. */
export function extendTo(address: ChunkAddress): void {
  const addresses = getShownRows().chunks.map(({ key }) => key);
  const before = useSelection.getState().anchor ?? getCurrentSelected();
  // If the anchor was filtered out meanwhile, only this chunk is selected.
  const anchor = before !== null && addresses.includes(before) ? before : address;
  const from = addresses.indexOf(anchor);
  const to = addresses.indexOf(address);
  const picked = new Set(addresses.slice(Math.min(from, to), Math.max(from, to) + 1));
  activate(address, { picked, anchor });
}

export function selectAll(): void {
  useSelection.setState({ picked: new Set(getShownRows().chunks.map(({ key }) => key)) });
}

export function clearSelection(): void {
  useSelection.setState({ ...NONE, anchor: null });
}

/** Returns the chunks that a command acts on: the selected ones that are shown, in list order, or else the active one. */
export function selectedChunks(): ChunkAddress[] {
  const { picked } = useSelection.getState();
  const selected = getCurrentSelected();
  const shown = picked.size === 0 ? [] : getShownRows().chunks.filter(({ key }) => picked.has(key));
  return shown.length > 0 ? shown.map(({ key }) => key) : selected ? [selected] : [];
}

/** Remembers the position of the active chunk before it is marked as not relevant and moves away. */
export function rememberPosition(): void {
  const selected = getCurrentSelected();
  const [first] = selectedChunks();
  const at = getShownRows().chunks.findIndex(({ key }) => key === first);
  useSelection.setState({ left: selected !== null && at >= 0 ? { address: selected, at } : null });
}

/** Returns the positions before and after the active chunk, see `findAdjacent`. */
export function adjacentToActive(): Adjacent {
  const keys = getShownRows().chunks.map(({ key }) => key);
  return findAdjacent(keys, getCurrentSelected(), useSelection.getState().left);
}

/** Ends a multiple selection when another view selects a chunk, or when the list switches between ranked and marked results. */
export const followSelection = (): Stop =>
  stopAll(
    useSearch.subscribe((now, before) => {
      const selected = getSelected(now);
      if (selected === getSelected(before)) return;
      useSelection.setState({ left: null });
      if (selected !== useSelection.getState().own) clearSelection();
    }),
    useFilters.subscribe(({ view }, before) => {
      if (view !== before.view) clearSelection();
    }),
  );

/** Handles a click on a row: selects it; with Ctrl or ⌘, adds or removes it; with Shift, selects the range up to it. */
export function handleRowClick(event: MouseEvent, { key }: ResultChunkRow): void {
  if (event.type === 'contextmenu') {
    if (!useSelection.getState().picked.has(key)) chooseResult(key);
  } else if (event.shiftKey) extendTo(key);
  else if (event.ctrlKey || event.metaKey) toggleSelected(key);
  else chooseResult(key);
}
