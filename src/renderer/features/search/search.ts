/** Runs a window's searches, one at a time; a new one cancels the previous one. Repeats a search while the index grows. */
import type { Feedback, SearchRequest, SearchResponse } from '../../../shared/search.ts';
import { engine } from '../../platform/client.ts';
import { onIndexChange } from '../../platform/index-changes.ts';
import { type Stop, stopAll } from '../../platform/lifetime.ts';
import { useApp } from '../../platform/state.ts';
import { driveSearch } from './driver.ts';
import { type Filters, toFeedback, toFilterRequest } from './filters.ts';
import { useFilters } from './filters-state.ts';
import { getIssue, loadIssue } from './issue.ts';
import {
  type EditedIssue,
  isSearchable,
  isSearching,
  type SearchList,
  type SearchRun,
} from './machine.ts';
import { useMarks } from './marks.ts';
import { dispatch, getCurrentResponse, useSearch } from './search-state.ts';

/** Interval at which the list is updated while embeddings are computed. */
const WHILE_PARTIAL_MS = 1500;

/** Returns the request for the current issue, which reproduces the final list; null if it cannot be searched for. */
export function getRequest(): SearchRequest | null {
  const { repository, settings } = useApp.getState();
  const { text } = getIssue();
  if (!repository || !settings || !isSearchable(text)) return null;
  const { limit, tests, rerank } = settings;
  const feedback = feedbackNow();
  return {
    issue: text,
    limit,
    tests,
    ...(!rerank && { rerank: { count: 0 } }),
    ...toFilterRequest(useFilters.getState()),
    ...(feedback && { feedback }),
  };
}

/** Returns the marks, unless the user turned off their effect on the ranking. */
const feedbackNow = (): Feedback | undefined =>
  useFilters.getState().rerank ? toFeedback(useMarks.getState().marks) : undefined;

const searchSoon = (afterMs: number): void =>
  dispatch({ type: 'searchDue', afterMs, isUpdate: false });

const updateSoon = (): void => dispatch({ type: 'searchDue', afterMs: 0, isUpdate: true });

/** Searches at once, and cancels a search in progress. @param isUpdate see `SearchRun` */
export function searchNow(isUpdate = false): void {
  const request = getRequest();
  dispatch(
    request
      ? { type: 'searchStarted', run: { id: crypto.randomUUID(), request, isUpdate } }
      : { type: 'cleared' },
  );
}

/** Sends a run's request to the engine. `dispatch` gets its initial ranking and its progress before the answer. */
async function ask({ id: run, request }: SearchRun, signal: AbortSignal): Promise<SearchResponse> {
  const repository = useApp.getState().repository?.id ?? '';
  const stop = stopAll(
    engine.on('ranking', ({ run, response }) => dispatch({ type: 'initialRanked', run, response })),
    engine.on('reranking', ({ run, count }) => dispatch({ type: 'rerankAdvanced', run, count })),
  );
  return engine.call('search', { repository, run, request }, { signal }).finally(stop);
}

/** An issue with its list and filters, to which the user can return. */
export interface ShownSearch {
  issue: Pick<EditedIssue, 'id' | 'text' | 'source'>;
  filters: Pick<Filters, 'text' | 'paths' | 'kinds' | 'repositories' | 'packages' | 'view'>;
  list: SearchList;
  /** Number of changes of the index before the list was left. */
  indexChanges: number;
}

/** Returns the search that is shown; null if there is no list. */
export function captureSearch(): ShownSearch | null {
  const { search, issue, indexChanges } = useSearch.getState();
  const { list } = search;
  if (!list) return null;
  const { text, paths, kinds, repositories, packages, view } = useFilters.getState();
  const filters = { text, paths, kinds, repositories, packages, view };
  return { issue: { ...issue, text: list.issue }, filters, list, indexChanges };
}

/** Restores an issue with its list and filters. */
export function restoreSearch({ issue, filters, list, indexChanges }: ShownSearch): void {
  useFilters.setState(filters);
  loadIssue(issue.text, issue.id, issue.source);
  // Last, since restoring the filters and marks would otherwise start a new search.
  dispatch({ type: 'listRestored', list, indexChanges });
}

/** Searches again when the index has changed, since results may have changed or moved. */
function searchOnIndexChange(): Stop {
  let last = Number.NEGATIVE_INFINITY;
  return stopAll(
    onIndexChange(() => dispatch({ type: 'indexChanged' })),
    engine.on('indexing', ({ state }) => {
      const response = getCurrentResponse();
      if (isSearching(useSearch.getState()) || (response && !response.partial)) return;
      const due = performance.now() - last > WHILE_PARTIAL_MS;
      if (state.phase === 'indexing' && !due) return;
      last = performance.now();
      updateSoon();
    }),
  );
}

const SEARCHED_WITH = ['tests', 'limit', 'rerank'] as const;
const FILTERED_BY = ['paths', 'kinds', 'repositories', 'packages'] as const;
const AFTER_FILTERING_MS = 400;

/** Searches again when a filter or setting that the engine ranks with has changed. */
function searchOnFilterChange(): Stop {
  return stopAll(
    useFilters.subscribe((now, before) => {
      if (FILTERED_BY.some((name) => now[name] !== before[name])) searchSoon(AFTER_FILTERING_MS);
    }),
    useApp.subscribe(({ settings: now }, { settings: before }) => {
      if (now && before && SEARCHED_WITH.some((name) => now[name] !== before[name])) searchSoon(0);
    }),
  );
}

/** Searches again when a mark or its effect has changed, but not for a note. */
function searchOnMarkChange(): Stop {
  const serialize = () => JSON.stringify(feedbackNow() ?? null);
  let before = serialize();
  const follow = (search: () => void) => () => {
    const now = serialize();
    if (now !== before) search();
    before = now;
  };
  return stopAll(
    useMarks.subscribe(follow(updateSoon)),
    useFilters.subscribe(follow(() => searchSoon(0))),
  );
}

/** Searches whenever the issue, filters, marks or index have changed. */
export function followSearch(): Stop {
  const { subscribe } = useSearch;
  return stopAll(
    driveSearch({ subscribe, dispatch, searchNow, ask }),
    searchOnIndexChange(),
    searchOnFilterChange(),
    searchOnMarkChange(),
  );
}
