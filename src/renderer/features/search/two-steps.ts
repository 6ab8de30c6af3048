/**
 * The list of a search in two steps: the first at once, then the refined one in its place, rows moving once. Not under
 * somebody's hands: while the pointer is on the list or on its evidence, or once a row was opened, the refined list waits to
 * be asked for.
 */
import type { SearchResponse } from '../../../shared/search.ts';
import { useSearch } from './search-state.ts';

/** A refined list stays this long for the next one of the same issue, rather than going back to a first list between. */
const STAYS_MS = 500;

let pointed = false;
let opened = false;
/** Whether the first list of the search that runs is shown. */
let begun = false;
let timer = 0;

/** The pointer came onto the list and what belongs to it, or left that. */
export function pointAtList(now: boolean): void {
  pointed = now;
  if (!pointed && !opened) showRefined();
}

/** A row of the list was opened. */
export function rowOpened(): void {
  opened = true;
}

/** A search begins: what an earlier one has ready is of no use any more. */
export function beginSteps(): void {
  clearTimeout(timer);
  begun = false;
  useSearch.setState({ ready: null });
}

/** @param same whether the list that is shown is of the same issue. */
export function receiveFirst(response: SearchResponse, same: boolean): void {
  const begin = () => {
    begun = true;
    opened = false;
    show(response);
  };
  const shown = useSearch.getState().response;
  if (same && shown?.refined.state === 'refined') timer = window.setTimeout(begin, STAYS_MS);
  else begin();
}

/** The answer to a search: its refined list, or the first where there is no other. */
export function receiveAnswer(response: SearchResponse): void {
  clearTimeout(timer);
  if (!begun) show(response);
  else if (response.refined.state !== 'refined') useSearch.setState({ response });
  else {
    useSearch.setState({ ready: response });
    if (!pointed && !opened) showRefined();
  }
}

/** Puts the rows into the refined order, if one is ready. */
export function showRefined(): void {
  const { ready, moves } = useSearch.getState();
  if (!ready) return;
  useSearch.setState({ moves: moves + 1 });
  show(ready);
}

function show(response: SearchResponse): void {
  const { selected, chosen } = useSearch.getState();
  useSearch.setState({
    searching: false,
    response,
    ready: null,
    failure: null,
    selected: chosen ? selected : (response.results[0]?.address ?? null),
  });
}
