/** Where the preview has been: back and forward, like in a browser. */
import { create } from 'zustand';
import type { ChunkAddress } from '../../../shared/address.ts';
import { useApp } from '../../platform/state.ts';
import { select, useSearch } from '../search/index.ts';
import { arrivedAt, left, NOWHERE, type Places } from './places.ts';
import { revealLine } from './reveal.ts';

export const useHistory = create<Places>(() => NOWHERE);

/** Places that are passed faster than this, on the way through the list, are not worth going back to. */
const PASSING_MS = 700;

let arrived = 0;
let moving = false;
let jumping = false;

/** Goes to a chunk from a line of the one that is shown, to which `back` returns. */
export function jump(address: ChunkAddress, from: number | null): void {
  leave(from);
  jumping = true;
  select(address);
  jumping = false;
}

export const canGoBack = (): boolean => useHistory.getState().at > 0;
export const canGoForward = (): boolean => {
  const { places, at } = useHistory.getState();
  return at < places.length - 1;
};

/** Moves in the history by -1 or 1; `from` is the line that is left. */
export function travel(step: 1 | -1, from: number | null): void {
  const { places, at } = useHistory.getState();
  const place = places[at + step];
  if (!place) return;
  leave(from);
  useHistory.setState({ at: at + step });
  moving = true;
  if (place.line === null) select(place.address);
  else revealLine(place.address, place.line);
  moving = false;
}

function leave(line: number | null): void {
  useHistory.setState((before) => left(before, line));
}

function arrive(address: ChunkAddress, chosen: boolean): void {
  const before = useHistory.getState();
  if (moving || before.places[before.at]?.address === address) return;
  const instead = !jumping && (!chosen || Date.now() - arrived < PASSING_MS);
  arrived = Date.now();
  useHistory.setState(arrivedAt(before, address, { instead }));
}

useSearch.subscribe(({ selected, chosen }, before) => {
  if (selected && selected !== before.selected) arrive(selected, chosen);
});
useApp.subscribe(({ repository }, before) => {
  if (repository?.id !== before.repository?.id) useHistory.setState(NOWHERE);
});
