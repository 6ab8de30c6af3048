/** Several chunks at once: those that marking, copying and exporting act on. The active one is `useSelected()`. */

import type { MouseEvent } from 'react';
import { create } from 'zustand';
import type { ChunkAddress } from '../../../shared/address.ts';
import { type Stop, stopAll } from '../../platform/lifetime.ts';
import { type Adjacent, findAdjacent, type Left } from '../../ui/steps.ts';
import { select, selectedNow, selectedOf, useFilters, useSearch } from '../search/index.ts';
import type { ChunkRow } from './rows.ts';
import { rowsNow } from './shown-rows.ts';

interface Selection {
  /** Empty while only the active chunk is selected. */
  picked: ReadonlySet<ChunkAddress>;
  anchor: ChunkAddress | null;
  /** The active chunk as this module made it; another view that selects one ends the multiple selection. */
  own: ChunkAddress | null;
  /** The active chunk's place, from when it was marked as not relevant until another one is active. */
  left: Left | null;
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

export function choose(address: ChunkAddress): void {
  activate(address, { ...NONE, anchor: address });
}

export function toggle(address: ChunkAddress): void {
  const picked = new Set(selectedChunks());
  if (!picked.delete(address)) picked.add(address);
  activate(address, { picked, anchor: address });
}

/** All from where the range began to this chunk. */
export function extendTo(address: ChunkAddress): void {
  const addresses = rowsNow().chunks.map(({ key }) => key);
  const before = useSelection.getState().anchor ?? selectedNow();
  // Where the range began may be filtered out since: from the top would pick what nobody chose.
  const anchor = before !== null && addresses.includes(before) ? before : address;
  const from = addresses.indexOf(anchor);
  const to = addresses.indexOf(address);
  const picked = new Set(addresses.slice(Math.min(from, to), Math.max(from, to) + 1));
  activate(address, { picked, anchor });
}

export function selectAll(): void {
  useSelection.setState({ picked: new Set(rowsNow().chunks.map(({ key }) => key)) });
}

export function clearSelection(): void {
  useSelection.setState({ ...NONE, anchor: null });
}

/** Returns what a command acts on: the picked chunks that are shown, in the order of the list, or else the active one. */
export function selectedChunks(): ChunkAddress[] {
  const { picked } = useSelection.getState();
  const selected = selectedNow();
  const shown = picked.size === 0 ? [] : rowsNow().chunks.filter(({ key }) => picked.has(key));
  return shown.length > 0 ? shown.map(({ key }) => key) : selected ? [selected] : [];
}

/** What is selected is about to be marked as not relevant, which takes it away from where it is. */
export function leavePlace(): void {
  const selected = selectedNow();
  const [first] = selectedChunks();
  const at = rowsNow().chunks.findIndex(({ key }) => key === first);
  useSelection.setState({ left: selected !== null && at >= 0 ? { address: selected, at } : null });
}

/** The places in the list before and after the active chunk, see `findAdjacent`. */
export function adjacentToActive(): Adjacent {
  const keys = rowsNow().chunks.map(({ key }) => key);
  return findAdjacent(keys, selectedNow(), useSelection.getState().left);
}

/** Ends a selection of several when another view selects a chunk, or the list shows something else. */
export const followSelection = (): Stop =>
  stopAll(
    useSearch.subscribe((now, before) => {
      const selected = selectedOf(now);
      if (selected === selectedOf(before)) return;
      useSelection.setState({ left: null });
      if (selected !== useSelection.getState().own) clearSelection();
    }),
    useFilters.subscribe(({ view }, before) => {
      if (view !== before.view) clearSelection();
    }),
  );

/** A click chooses, with Ctrl or ⌘ it adds or takes out, with Shift it takes all up to here. */
export function pick(event: MouseEvent, { key }: ChunkRow): void {
  if (event.type === 'contextmenu') {
    if (!useSelection.getState().picked.has(key)) choose(key);
  } else if (event.shiftKey) extendTo(key);
  else if (event.ctrlKey || event.metaKey) toggle(key);
  else choose(key);
}
