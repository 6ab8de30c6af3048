/** The search for the issue in the editor: one at a time, the newest wins; repeated while the index grows. */
import type { ChunkAddress } from '../../../shared/address.ts';
import type { Failure } from '../../../shared/errors.ts';
import type {
  Feedback,
  RankedChunk,
  SearchRequest,
  SearchResponse,
} from '../../../shared/search.ts';
import { engine } from '../../platform/client.ts';
import { isCancelled, useApp } from '../../platform/state.ts';
import { feedbackOf } from './feedback.ts';
import { filterRequest } from './filters.ts';
import { useFilters } from './filters-state.ts';
import { useIssue } from './issue.ts';
import { useMarks } from './marks.ts';
import { useSearch } from './search-state.ts';

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

/** What the list shows is the answer to this; null while there is nothing to search with. */
export function requestNow(): SearchRequest | null {
  const { repository, settings } = useApp.getState();
  const { text } = useIssue.getState();
  if (!repository || !settings || text.trim() === '') return null;
  const { limit, tests } = settings;
  const feedback = feedbackNow();
  return {
    issue: text,
    limit,
    tests,
    ...filterRequest(useFilters.getState()),
    ...(feedback && { feedback }),
  };
}

/** The marks, unless the user wants to see the ranking without them. */
const feedbackNow = (): Feedback | undefined =>
  useFilters.getState().refine ? feedbackOf(useMarks.getState().marks) : undefined;

/** Searches at once; what is running is given up. */
export async function searchNow(): Promise<void> {
  clearTimeout(timer);
  running?.abort();
  const { repository } = useApp.getState();
  const request = requestNow();
  if (!repository || !request) {
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

/** Follows the filters and settings that the engine ranks with. */
function followFilters(): void {
  useFilters.subscribe((now, before) => {
    if (now.paths !== before.paths || now.kinds !== before.kinds) searchSoon();
  });
  useApp.subscribe(({ settings: now }, { settings: before }) => {
    if (now && before && (now.tests !== before.tests || now.limit !== before.limit)) searchSoon(0);
  });
}

/** Marks refine the list at once; a note does not. */
function followMarks(): void {
  let before = '';
  const follow = () => {
    const now = JSON.stringify(feedbackNow() ?? null);
    if (now !== before) searchSoon(0);
    before = now;
  };
  useMarks.subscribe(follow);
  useFilters.subscribe(follow);
}

followIndex();
followFilters();
followMarks();
