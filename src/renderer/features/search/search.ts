/** Runs a window's searches: one at a time, the newest wins. Repeats a search while the index grows. */
import { MOST_READING_MS } from '../../../shared/limits.ts';
import type { Feedback, SearchRequest, SearchResponse } from '../../../shared/search.ts';
import { engine } from '../../platform/client.ts';
import { onIndexChange } from '../../platform/index-changes.ts';
import { type Stop, stopAll } from '../../platform/lifetime.ts';
import { useApp } from '../../platform/state.ts';
import { driveSearch } from './driver.ts';
import { type Filters, filterRequest, toFeedback } from './filters.ts';
import { useFilters } from './filters-state.ts';
import { issueNow, loadIssue } from './issue.ts';
import { type Issue, isSearchable, isSearching, type List, type Run } from './machine.ts';
import { useMarks } from './marks.ts';
import { dispatch, responseNow, useSearch } from './search-state.ts';

/** While embeddings are still being made, the list is brought up to date this often. */
const WHILE_PARTIAL_MS = 1500;

/** Returns what to search for now; null while there is nothing to search with. */
function requestNow(): SearchRequest | null {
  const { repository, settings } = useApp.getState();
  const { text } = issueNow();
  if (!repository || !settings || !isSearchable(text)) return null;
  const { limit, tests, refine, readSeconds } = settings;
  const feedback = feedbackNow();
  return {
    issue: text,
    limit,
    tests,
    refine: refine ? { milliseconds: 1000 * readSeconds } : { read: 0 },
    ...filterRequest(useFilters.getState()),
    ...(feedback && { feedback }),
  };
}

/** Returns the request that the list answers: as many results read as for this list. Null while there is nothing to search with. */
export function requestShown(): SearchRequest | null {
  const request = requestNow();
  const refined = responseNow()?.refined;
  const read = refined?.state === 'refined' ? refined.read : 0;
  return request && { ...request, refine: { read, milliseconds: MOST_READING_MS } };
}

/** Returns the marks, unless the user wants to see the ranking without them. */
const feedbackNow = (): Feedback | undefined =>
  useFilters.getState().refine ? toFeedback(useMarks.getState().marks) : undefined;

const searchSoon = (afterMs: number): void => dispatch({ type: 'searchDue', afterMs });

/** Searches at once; what is running is cancelled. */
export function searchNow(): void {
  const request = requestNow();
  dispatch(
    request
      ? { type: 'searchStarted', run: { id: crypto.randomUUID(), request } }
      : { type: 'cleared' },
  );
}

/** Asks the engine for the list of a run; its initial ranking comes before the answer. */
async function ask(
  { id: run, request }: Run,
  onInitial: (response: SearchResponse) => void,
  signal: AbortSignal,
): Promise<SearchResponse> {
  const repository = useApp.getState().repository?.id ?? '';
  const stop = engine.on('ranking', (initial) => {
    if (initial.run === run) onInitial(initial.response);
  });
  return engine.call('search', { repository, run, request }, { signal }).finally(stop);
}

/** An issue with the list that was found for it, and how it was filtered: what one can come back to. */
export interface ShownSearch {
  issue: Pick<Issue, 'id' | 'text' | 'source'>;
  filters: Pick<Filters, 'text' | 'paths' | 'kinds' | 'repositories' | 'packages' | 'view'>;
  list: List;
  /** Number of changes of the index before the list was left. */
  indexChanges: number;
}

/** Returns what is shown now; null without a list. */
export function shownSearch(): ShownSearch | null {
  const { search, issue, indexChanges } = useSearch.getState();
  const { list } = search;
  if (!list) return null;
  const { text, paths, kinds, repositories, packages, view } = useFilters.getState();
  const filters = { text, paths, kinds, repositories, packages, view };
  return { issue: { ...issue, text: list.issue }, filters, list, indexChanges };
}

/** Puts an issue and its list back as they were. */
export function showAgain({ issue, filters, list, indexChanges }: ShownSearch): void {
  useFilters.setState(filters);
  loadIssue(issue.text, issue.id, issue.source);
  // Last: filters and marks that come back are those that it was found with.
  dispatch({ type: 'listRestored', list, indexChanges });
}

/** Follows the index: what was found may be found better, or elsewhere, once it has changed. */
function followIndex(): Stop {
  let last = Number.NEGATIVE_INFINITY;
  return stopAll(
    onIndexChange(() => dispatch({ type: 'indexChanged' })),
    engine.on('indexing', ({ state }) => {
      const response = responseNow();
      if (isSearching(useSearch.getState()) || (response && !response.partial)) return;
      const due = performance.now() - last > WHILE_PARTIAL_MS;
      if (state.phase === 'indexing' && !due) return;
      last = performance.now();
      searchSoon(0);
    }),
  );
}

const SEARCHED_WITH = ['tests', 'limit', 'refine', 'readSeconds'] as const;
const FILTERED_BY = ['paths', 'kinds', 'repositories', 'packages'] as const;
const AFTER_FILTERING_MS = 400;

/** Follows the filters and settings that the engine ranks with. */
function followFilters(): Stop {
  return stopAll(
    useFilters.subscribe((now, before) => {
      if (FILTERED_BY.some((name) => now[name] !== before[name])) searchSoon(AFTER_FILTERING_MS);
    }),
    useApp.subscribe(({ settings: now }, { settings: before }) => {
      if (now && before && SEARCHED_WITH.some((name) => now[name] !== before[name])) searchSoon(0);
    }),
  );
}

/** Marks refine the list at once; a note does not. */
function followMarks(): Stop {
  const written = () => JSON.stringify(feedbackNow() ?? null);
  let before = written();
  const follow = () => {
    const now = written();
    if (now !== before) searchSoon(0);
    before = now;
  };
  return stopAll(useMarks.subscribe(follow), useFilters.subscribe(follow));
}

/** Searches whenever what is searched for has changed. */
export function followSearch(): Stop {
  const { subscribe } = useSearch;
  return stopAll(
    driveSearch({ subscribe, dispatch, searchNow, ask }),
    followIndex(),
    followFilters(),
    followMarks(),
  );
}
