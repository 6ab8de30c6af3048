/**
 * Where the window has been, as a browser has it: the searches, and in each what was selected, in which views. What comes
 * back is what was there, the list included.
 */
import { create } from 'zustand';
import { type ChunkAddress, splitAddress } from '../../../shared/address.ts';
import { type Stop, stopAll } from '../../platform/lifetime.ts';
import { showPanel, usePanes } from '../../platform/panes.ts';
import { onRepositoryChange } from '../../platform/state.ts';
import {
  responseOf,
  type SearchState,
  select,
  selectedNow,
  selectedOf,
  showAgain,
  shownSearch,
  useSearch,
  useSelected,
} from '../search/index.ts';
import {
  arrivedAt,
  isAnotherSearch,
  isPassed,
  left,
  NOWHERE,
  type Place,
  type Places,
} from './places.ts';

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

export function useTravel(): { back: boolean; forward: boolean } {
  const { places, at } = useHistory();
  const shown = useSelected() !== null;
  return { back: at > (shown ? 0 : -1), forward: at < places.length - 1 };
}

/** Moves in the history by -1 or 1; `from` is the line that is left. */
export function travel(by: 1 | -1, from: number | null): void {
  const { places, at } = useHistory.getState();
  // An issue without a list is no place: from there, back leads to the latest.
  const isPlace = selectedNow() !== null;
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

function follow(now: SearchState, before: SearchState): void {
  const selected = selectedOf(now);
  const hasNewList = responseOf(now) !== responseOf(before);
  if (moving || !selected || (selected === selectedOf(before) && !hasNewList)) return;
  const search = shownSearch();
  const { places, at } = useHistory.getState();
  const here = places[at];
  if (here?.address === selected && !isAnotherSearch(here.search, search)) {
    useHistory.setState((history) => left(history, { search }));
    return;
  }
  const stoodMs = Date.now() - arrived;
  const chosen = now.selection?.isChosen ?? false;
  const instead = !jumping && isPassed(here, { search, chosen, stoodMs });
  if (!instead && !jumping) leave(null);
  add({ address: selected, search, picked: !hasNewList }, instead);
}

export const followHistory = (): Stop =>
  stopAll(
    useSearch.subscribe(follow),
    onRepositoryChange(() => useHistory.setState(NOWHERE)),
    keepView(() => {
      const { panel, shown } = usePanes.getState();
      return () => usePanes.setState({ panel, shown });
    }),
  );

/** A line that the preview is to scroll to as soon as it shows that file; it then forgets it. */
export const useReveal = create<{
  target: { path: string; line: number; column: number } | null;
}>(() => ({ target: null }));

/** Selects a chunk and shows a line of its file in the preview; `line` is 1-based, `column` 0-based. */
export function revealLine(address: ChunkAddress, line: number, column = 0): void {
  const { path } = splitAddress(address);
  useReveal.setState({ target: { path, line, column } });
  select(address);
  showPanel('preview');
}
