/** The search for the issue in the editor: one at a time, the newest wins; repeated while the index grows. */
import type { ChunkAddress } from '../../../shared/address.ts';
import type { Failure } from '../../../shared/errors.ts';
import { isIssueLink } from '../../../shared/issue-link.ts';
import { MOST_READING_MS } from '../../../shared/limits.ts';
import type {
  Feedback,
  RankedChunk,
  SearchRequest,
  SearchResponse,
} from '../../../shared/search.ts';
import { engine } from '../../platform/client.ts';
import { onIndexChange } from '../../platform/index-changes.ts';
import { isCancelled, useApp } from '../../platform/state.ts';
import { feedbackOf } from './feedback.ts';
import { type Filters, filterRequest } from './filters.ts';
import { useFilters } from './filters-state.ts';
import { type IssueState, loadIssue, useIssue } from './issue.ts';
import { useMarks } from './marks.ts';
import { useSearch } from './search-state.ts';
import { beginSteps, receiveAnswer, receiveFirst, rowOpened } from './two-steps.ts';

/** The selected chunk as it stands in the list; null when it is not in it. */
export function useSelectedResult(): RankedChunk | null {
  return useSearch(
    ({ response, selected }) =>
      response?.results.find(({ address }) => address === selected) ?? null,
  );
}

export function select(address: ChunkAddress): void {
  rowOpened();
  useSearch.setState({ selected: address, chosen: true });
}

const AFTER_TYPING_MS = 400;
/** While embeddings are still being made, the list is brought up to date this often. */
const WHILE_PARTIAL_MS = 1500;

let timer = 0;
let running: AbortController | null = null;
/** The issue that the list is of. */
let shownIssue = '';

/**
 * Another issue is there: its best result will be selected. What is still to come for the one before is given up, as its list
 * would select its own best result in place of what was chosen in it.
 */
export function forgetChoice(): void {
  giveUp();
  useSearch.setState({ chosen: false });
}

/** An answer that is on its way already is none to what is asked next. */
function giveUp(): void {
  running?.abort();
  running = null;
  beginSteps();
}

/** Searches once nothing has been asked for a moment. */
export function searchSoon(afterMs = AFTER_TYPING_MS): void {
  clearTimeout(timer);
  timer = window.setTimeout(searchNow, afterMs);
}

/** What is searched for; null while there is nothing to search with, as for a link, whose words say nothing. */
function requestNow(): SearchRequest | null {
  const { repository, settings } = useApp.getState();
  const { text } = useIssue.getState();
  if (!repository || !settings || text.trim() === '' || isIssueLink(text)) return null;
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

/** What the list shows is the answer to this; null while there is nothing to search with. */
export function requestShown(): SearchRequest | null {
  const request = requestNow();
  return request && { ...request, refine: refineShown() };
}

/** Has as many results read as were for the list that is shown: none for a first list, and else in any time. */
function refineShown(): SearchRequest['refine'] {
  const refined = useSearch.getState().response?.refined;
  const read = refined?.state === 'refined' ? refined.read : 0;
  return { read, milliseconds: MOST_READING_MS };
}

/** The marks, unless the user wants to see the ranking without them. */
const feedbackNow = (): Feedback | undefined =>
  useFilters.getState().refine ? feedbackOf(useMarks.getState().marks) : undefined;

/** Searches at once; what is running is given up. */
export async function searchNow(): Promise<void> {
  clearTimeout(timer);
  giveUp();
  const { repository } = useApp.getState();
  const request = requestNow();
  if (!repository || !request) {
    useSearch.setState({
      searching: false,
      response: null,
      ready: null,
      failure: null,
      selected: null,
      chosen: false,
    });
    return;
  }
  const controller = new AbortController();
  running = controller;
  useSearch.setState({ searching: true });
  const run = crypto.randomUUID();
  const same = request.issue === shownIssue;
  const stop = engine.on('ranking', (first) => {
    if (first.run !== run || running !== controller) return;
    shownIssue = request.issue;
    receiveFirst(first.response, same);
  });
  try {
    const { signal } = controller;
    const response = await engine.call(
      'search',
      { repository: repository.id, run, request },
      { signal },
    );
    if (running !== controller) return;
    shownIssue = request.issue;
    receiveAnswer(response);
  } catch (error) {
    if (running !== controller || isCancelled(error)) return;
    useSearch.setState({ searching: false, failure: error as Failure });
  } finally {
    stop();
  }
}

/** An issue with the list that was found for it, and how it was filtered: what one can come back to. */
export interface ShownSearch {
  issue: Pick<IssueState, 'id' | 'text' | 'source'>;
  filters: Pick<Filters, 'text' | 'paths' | 'kinds' | 'repositories' | 'packages' | 'view'>;
  response: SearchResponse;
  /** How often the index had changed. */
  changes: number;
}

let changes = 0;

/** What is shown now; null without a list. */
export function shownSearch(): ShownSearch | null {
  const { response } = useSearch.getState();
  if (!response) return null;
  const { id, source } = useIssue.getState();
  const { text, paths, kinds, repositories, packages, view } = useFilters.getState();
  const filters = { text, paths, kinds, repositories, packages, view };
  return { issue: { id, text: shownIssue, source }, filters, response, changes };
}

/** Whether the list is that of the text in the editor. */
export const isListOfIssue = (): boolean =>
  useSearch.getState().response !== null && useIssue.getState().text === shownIssue;

/** Puts an issue and its list back as they were; it is searched for anew only if the index has changed since. */
export function showAgain(search: ShownSearch): void {
  const { issue, filters, response } = search;
  giveUp();
  shownIssue = issue.text;
  useSearch.setState({ searching: false, response, failure: null });
  useFilters.setState(filters);
  loadIssue(issue.text, issue.id, issue.source);
  clearTimeout(timer);
  if (search.changes !== changes) searchSoon(0);
}

/** Follows the index: what was found may be found better, or elsewhere, once it has changed. */
function followIndex(): void {
  let last = 0;
  onIndexChange(() => {
    changes += 1;
    searchSoon(0);
  });
  engine.on('indexing', ({ state }) => {
    const { response, searching } = useSearch.getState();
    if (searching || (response && !response.partial)) return;
    const due = Date.now() - last > WHILE_PARTIAL_MS;
    if (state.phase === 'indexing' && !due) return;
    last = Date.now();
    searchSoon(0);
  });
}

const SEARCHED_WITH = ['tests', 'limit', 'refine', 'readSeconds'] as const;

/** Follows the filters and settings that the engine ranks with. */
function followFilters(): void {
  useFilters.subscribe((now, before) => {
    const changed = (['paths', 'kinds', 'repositories', 'packages'] as const).some(
      (name) => now[name] !== before[name],
    );
    if (changed) searchSoon();
  });
  useApp.subscribe(({ settings: now }, { settings: before }) => {
    if (now && before && SEARCHED_WITH.some((name) => now[name] !== before[name])) searchSoon(0);
  });
}

/** Marks refine the list at once; a note does not. */
function followMarks(): void {
  const written = () => JSON.stringify(feedbackNow() ?? null);
  let before = written();
  const follow = () => {
    const now = written();
    if (now !== before) searchSoon(0);
    before = now;
  };
  useMarks.subscribe(follow);
  useFilters.subscribe(follow);
}

/** What was found in another repository, or another version of it, is no answer here. */
function followRepository(): void {
  useApp.subscribe(({ repository }, before) => {
    if (repository?.id === before.repository?.id) return;
    forgetChoice();
    useSearch.setState({ searching: false, response: null, failure: null, selected: null });
  });
}

/** A link has no list: that of the issue before it would seem to be its own. */
function followLinks(): void {
  useIssue.subscribe(({ text: now }, { text: before }) => {
    if (now !== before && isIssueLink(now)) searchNow();
  });
}

followIndex();
followRepository();
followLinks();
followFilters();
followMarks();
