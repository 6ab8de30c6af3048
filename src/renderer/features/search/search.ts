/** Runs a window's searches, one at a time; a new one cancels the previous one. Repeats a search while the index grows. */
import { MAX_RERANK_MS } from '../../../shared/limits.ts';
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

/** Returns the request for the current issue; null if it cannot be searched for. */
function requestNow(): SearchRequest | null {
  const { repository, settings } = useApp.getState();
  const { text } = getIssue();
  if (!repository || !settings || !isSearchable(text)) return null;
  const { limit, tests, rerank, rerankSeconds } = settings;
  const feedback = feedbackNow();
  return {
    issue: text,
    limit,
    tests,
    rerank: rerank ? { milliseconds: 1000 * rerankSeconds } : { count: 0 },
    ...toFilterRequest(useFilters.getState()),
    ...(feedback && { feedback }),
  };
}

/** Returns the request that reproduces the list, with as many reranked results. Null if there is nothing to search for. */
export function getShownRequest(): SearchRequest | null {
  const request = requestNow();
  const reranking = getCurrentResponse()?.reranking;
  const read = reranking?.state === 'reranked' ? reranking.count : 0;
  return request && { ...request, rerank: { count: read, milliseconds: MAX_RERANK_MS } };
}

/** Returns the marks, unless the user turned off their effect on the ranking. */
const feedbackNow = (): Feedback | undefined =>
  useFilters.getState().rerank ? toFeedback(useMarks.getState().marks) : undefined;

const searchSoon = (afterMs: number): void => dispatch({ type: 'searchDue', afterMs });

/** Searches at once, and cancels a search in progress. */
export function searchNow(): void {
  const request = requestNow();
  dispatch(
    request
      ? { type: 'searchStarted', run: { id: crypto.randomUUID(), request } }
      : { type: 'cleared' },
  );
}

/** Sends a run's request to the engine. `onInitial` receives the initial ranking before the answer. */
async function ask(
  { id: run, request }: SearchRun,
  onInitial: (response: SearchResponse) => void,
  signal: AbortSignal,
): Promise<SearchResponse> {
  const repository = useApp.getState().repository?.id ?? '';
  const stop = engine.on('ranking', (initial) => {
    if (initial.run === run) onInitial(initial.response);
  });
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
function followIndex(): Stop {
  let last = Number.NEGATIVE_INFINITY;
  return stopAll(
    onIndexChange(() => dispatch({ type: 'indexChanged' })),
    engine.on('indexing', ({ state }) => {
      const response = getCurrentResponse();
      if (isSearching(useSearch.getState()) || (response && !response.partial)) return;
      const due = performance.now() - last > WHILE_PARTIAL_MS;
      if (state.phase === 'indexing' && !due) return;
      last = performance.now();
      searchSoon(0);
    }),
  );
}

const SEARCHED_WITH = ['tests', 'limit', 'rerank', 'rerankSeconds'] as const;
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

/** Searches again when a mark has changed, but not for a note. */
function followMarks(): Stop {
  const serialize = () => JSON.stringify(feedbackNow() ?? null);
  let before = serialize();
  const follow = () => {
    const now = serialize();
    if (now !== before) searchSoon(0);
    before = now;
  };
  return stopAll(useMarks.subscribe(follow), useFilters.subscribe(follow));
}

/** Searches whenever the issue, filters, marks or index have changed. */
export function followSearch(): Stop {
  const { subscribe } = useSearch;
  return stopAll(
    driveSearch({ subscribe, dispatch, searchNow, ask }),
    followIndex(),
    followFilters(),
    followMarks(),
  );
}
