/** Several chunks at once: those that marking, copying and exporting act on. The active one is `useSearch().selected`. */
import { create } from 'zustand';
import type { ChunkAddress } from '../../../shared/address.ts';
import { select, useFilters, useSearch } from '../search/index.ts';
import { type Left, placesBeside } from './beside.ts';
import { rowsNow } from './shown-rows.ts';

interface Selection {
  /** Empty while only the active chunk is selected. */
  picked: ReadonlySet<ChunkAddress>;
}

export const useSelection = create<Selection>(() => ({ picked: new Set() }));

const NONE: Selection = { picked: new Set() };
/** Where a range begins. */
let anchor: ChunkAddress | null = null;
/** The active chunk as this module made it; another view that selects one ends the multiple selection. */
let own: ChunkAddress | null = null;
/** The active chunk's place, from when it was marked as not relevant until another one is active. */
let left: Left | null = null;

function activate(address: ChunkAddress): void {
  own = address;
  left = null;
  select(address);
}

/** This chunk alone. */
export function choose(address: ChunkAddress): void {
  anchor = address;
  useSelection.setState(NONE);
  activate(address);
}

/** Adds the chunk to the selection, or takes it out. */
export function toggle(address: ChunkAddress): void {
  const picked = new Set(selectedChunks());
  if (!picked.delete(address)) picked.add(address);
  anchor = address;
  activate(address);
  useSelection.setState({ picked });
}

/** All from where the range began to this chunk. */
export function extendTo(address: ChunkAddress): void {
  const addresses = rowsNow().chunks.map(({ key }) => key);
  anchor ??= useSearch.getState().selected;
  // Where the range began may be filtered out since: from the top would pick what nobody chose.
  if (anchor === null || !addresses.includes(anchor)) anchor = address;
  const from = addresses.indexOf(anchor);
  const to = addresses.indexOf(address);
  activate(address);
  const picked = new Set(addresses.slice(Math.min(from, to), Math.max(from, to) + 1));
  useSelection.setState({ picked });
}

export function selectAll(): void {
  useSelection.setState({ picked: new Set(rowsNow().chunks.map(({ key }) => key)) });
}

export function clearSelection(): void {
  anchor = null;
  useSelection.setState(NONE);
}

/** What a command acts on, in the order of the list: the picked chunks that are shown, or else the active one. */
export function selectedChunks(): ChunkAddress[] {
  const { picked } = useSelection.getState();
  const { selected } = useSearch.getState();
  const shown = picked.size === 0 ? [] : rowsNow().chunks.filter(({ key }) => picked.has(key));
  return shown.length > 0 ? shown.map(({ key }) => key) : selected ? [selected] : [];
}

/** What is selected is about to be marked as not relevant, which takes it away from where it is. */
export function leavePlace(): void {
  const { selected } = useSearch.getState();
  const [first] = selectedChunks();
  const at = rowsNow().chunks.findIndex(({ key }) => key === first);
  left = selected !== null && at >= 0 ? { address: selected, at } : null;
}

/** The places in the list before and after the active chunk, see `placesBeside`. */
export function besideActive(): { before: number; after: number } {
  const keys = rowsNow().chunks.map(({ key }) => key);
  return placesBeside(keys, useSearch.getState().selected, left);
}

useSearch.subscribe(({ selected }, before) => {
  if (selected !== before.selected) left = null;
  if (selected === before.selected || selected === own) return;
  anchor = null;
  if (useSelection.getState().picked.size > 0) useSelection.setState(NONE);
});

useFilters.subscribe(({ view }, before) => {
  if (view !== before.view) clearSelection();
});
