/**
 * Where the window has been, as a browser has it: the searches, and in each what was selected, in which views. What comes
 * back is what was there, the list included.
 */
import { create } from 'zustand';
import type { ChunkAddress } from '../../../shared/address.ts';
import { usePanes } from '../../platform/panes.ts';
import { onRepositoryChange } from '../../platform/state.ts';
import { select, showAgain, shownSearch, useSearch } from '../search/index.ts';
import {
  arrivedAt,
  isAnotherSearch,
  isPassed,
  left,
  NOWHERE,
  type Place,
  type Places,
} from './places.ts';
import { revealLine } from './reveal.ts';

const useHistory = create<Places>(() => NOWHERE);

let arrived = 0;
let moving = false;
let jumping = false;

const views = new Set<() => () => void>();

/**
 * Has a view come back as it was: `keep` is called when a place is left, and what it answers when that comes back.
 * Returns what ends it.
 */
export function keepView(keep: () => () => void): () => void {
  views.add(keep);
  return () => {
    views.delete(keep);
  };
}

/** Goes somewhere by `go`, which selects a chunk or shows it otherwise, to a place of its own. */
export function step(address: ChunkAddress, from: number | null, go: () => void): void {
  leave(from);
  const before = useHistory.getState();
  jumping = true;
  go();
  jumping = false;
  if (useHistory.getState() === before)
    add({ address, search: shownSearch(), picked: true }, false);
}

/** Goes to a chunk from a line of the one that is shown, to which `back` returns. */
export function jump(address: ChunkAddress, from: number | null): void {
  step(address, from, () => select(address));
}

/** Goes to a line of a chunk from a line of the one that is shown, to which `back` returns. */
export function jumpToLine(
  address: ChunkAddress,
  { line, column }: { line: number; column: number },
  from: number | null,
): void {
  step(address, from, () => revealLine(address, line, column));
}

/** Whether there is anywhere to go, for buttons. */
export function useTravel(): { back: boolean; forward: boolean } {
  const { places, at } = useHistory();
  const shown = useSearch(({ selected }) => selected !== null);
  return { back: at > (shown ? 0 : -1), forward: at < places.length - 1 };
}

/** Moves in the history by -1 or 1; `from` is the line that is left. */
export function travel(by: 1 | -1, from: number | null): void {
  const { places, at } = useHistory.getState();
  // An issue without a list is no place: from there, back leads to the latest.
  const isPlace = useSearch.getState().selected !== null;
  const to = isPlace || by > 0 ? at + by : at;
  const place = places[to];
  if (!place) return;
  if (isPlace) leave(from);
  useHistory.setState({ at: to });
  moving = true;
  const now = shownSearch();
  if (place.search && (now === null || isAnotherSearch(now, place.search))) showAgain(place.search);
  if (place.line === null) select(place.address);
  else revealLine(place.address, place.line);
  moving = false;
  place.restore();
}

/** Remembers the place that is shown as it is now. */
function leave(line: number | null): void {
  const restores = Array.from(views, (keep) => keep());
  const restore = () => {
    for (const each of restores) each();
  };
  useHistory.setState((before) => left(before, { line, restore }));
}

function add(arrival: Pick<Place, 'address' | 'search' | 'picked'>, instead: boolean): void {
  arrived = Date.now();
  useHistory.setState((before) => arrivedAt(before, arrival, { instead }));
}

useSearch.subscribe(({ selected, chosen, response }, before) => {
  if (moving || !selected || (selected === before.selected && response === before.response)) return;
  const search = shownSearch();
  const { places, at } = useHistory.getState();
  const here = places[at];
  if (here?.address === selected && !isAnotherSearch(here.search, search)) {
    useHistory.setState((history) => left(history, { search }));
    return;
  }
  const stoodMs = Date.now() - arrived;
  const instead = !jumping && isPassed(here, { search, chosen, stoodMs });
  if (!instead && !jumping) leave(null);
  add({ address: selected, search, picked: response === before.response }, instead);
});

onRepositoryChange(() => useHistory.setState(NOWHERE));

keepView(() => {
  const { panel, shown } = usePanes.getState();
  return () => usePanes.setState({ panel, shown });
});
