/** The search for the issue in the editor: one at a time, the newest wins; repeated while the index grows. */
import { create } from 'zustand';
import type { Failure } from '../../../shared/rpc.ts';
import type { ChunkAddress, RankedChunk, SearchResponse } from '../../../shared/types.ts';
import { isCancelled, useApp } from '../../app/state.ts';
import { engine } from '../../engine/engine.ts';
import { useIssue } from '../issue/issue.ts';

interface SearchState {
  searching: boolean;
  /** Of the latest search that was answered; null for an empty issue. */
  response: SearchResponse | null;
  failure: Failure | null;
  /** The chunk that preview and neighbours show; any chunk, in the list or not. */
  selected: ChunkAddress | null;
  /** Whether the user chose it; otherwise the best result is selected, whichever that is. */
  chosen: boolean;
}

export const useSearch = create<SearchState>(() => ({
  searching: false,
  response: null,
  failure: null,
  selected: null,
  chosen: false,
}));

/** The selected chunk as it stands in the list; null when it is not in it. */
export function useSelectedResult(): RankedChunk | null {
  return useSearch(
    ({ response, selected }) =>
      response?.results.find(({ address }) => address === selected) ?? null,
  );
}

export function select(address: ChunkAddress): void {
  useSearch.setState({ selected: address, chosen: true });
}

/** For another issue: its best result is selected. */
export function forgetChoice(): void {
  useSearch.setState({ chosen: false });
}

const AFTER_TYPING_MS = 400;
/** While embeddings are still being made, the list is brought up to date this often. */
const WHILE_PARTIAL_MS = 1500;

let timer = 0;
let running: AbortController | null = null;

/** Searches once nothing has been asked for a moment. */
export function searchSoon(afterMs = AFTER_TYPING_MS): void {
  clearTimeout(timer);
  timer = window.setTimeout(searchNow, afterMs);
}

/** Searches at once; what is running is given up. */
export async function searchNow(): Promise<void> {
  clearTimeout(timer);
  running?.abort();
  const { repository, settings } = useApp.getState();
  const { text } = useIssue.getState();
  if (!repository || !settings || text.trim() === '') {
    useSearch.setState({
      searching: false,
      response: null,
      failure: null,
      selected: null,
      chosen: false,
    });
    return;
  }
  const controller = new AbortController();
  running = controller;
  useSearch.setState({ searching: true });
  try {
    const request = { issue: text, limit: settings.limit, tests: settings.tests };
    const { signal } = controller;
    const response = await engine.call(
      'search',
      { repository: repository.id, request },
      { signal },
    );
    if (running === controller) show(response);
  } catch (error) {
    if (running !== controller || isCancelled(error)) return;
    useSearch.setState({ searching: false, failure: error as Failure });
  }
}

function show(response: SearchResponse): void {
  const { selected, chosen } = useSearch.getState();
  useSearch.setState({
    searching: false,
    response,
    failure: null,
    selected: chosen ? selected : (response.results[0]?.address ?? null),
  });
}

/** Follows the index: what was found may be found better, or elsewhere, once it has changed. */
function followIndex(): void {
  let last = 0;
  engine.on('updated', () => searchSoon(0));
  engine.on('indexing', ({ state }) => {
    const { response, searching } = useSearch.getState();
    if (searching || (response && !response.partial)) return;
    const due = Date.now() - last > WHILE_PARTIAL_MS;
    if (state.phase === 'indexing' && !due) return;
    last = Date.now();
    searchSoon(0);
  });
}

followIndex();
