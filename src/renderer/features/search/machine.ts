/**
 * State machine of a window's search: the issue, its initial ranking, the reranked list, and the selected chunk. `transition` is
 * pure; `driver.ts` runs the searches and timers that its states need.
 *
 * A search shows its initial ranking at once, and replaces it with the reranked list. Rows never move while the user works with
 * them: if the pointer is on the list, or a row was opened or marked, a new order waits to be applied.
 */
import type { ChunkAddress } from '../../../shared/address.ts';
import type { Failure } from '../../../shared/errors.ts';
import { isIssueUrl } from '../../../shared/issue-url.ts';
import type { IssueSource } from '../../../shared/issues.ts';
import type { SearchRequest, SearchResponse } from '../../../shared/search.ts';

export interface EditedIssue {
  /** Id in the history. The window creates it, so that saving twice stores one issue. */
  id: string;
  text: string;
  /** Page that it was fetched from; null if it was written or pasted. */
  source: IssueSource | null;
  /** Number of times that a text was loaded from outside the editor, which then has to show it. */
  loads: number;
}

/** A search in progress. */
export interface SearchRun {
  id: string;
  request: SearchRequest;
  /**
   * True if the shown list is updated because the index or the marks changed. False if the user asked for another list, which
   * is shown at once.
   */
  isUpdate: boolean;
}

export interface SearchList {
  /** Text of the issue that it answers. */
  issue: string;
  response: SearchResponse;
  /** True once a row was opened or marked. From then on, rows move only on the user's command. */
  isUsed: boolean;
}

/** The phases of a search, each with its data. */
type Search =
  /** No search in progress. `failure`: failure of the last search. */
  | { phase: 'idle'; list: SearchList | null; failure: Failure | null }
  /** No answer yet; `list` and `failure` come from earlier runs. */
  | { phase: 'ranking'; run: SearchRun; list: SearchList | null; failure: Failure | null }
  /** The initial ranking is held back, because a reranked list of the same issue is shown and the next one may arrive soon. */
  | {
      phase: 'holding';
      run: SearchRun;
      initial: SearchResponse;
      list: SearchList;
      failure: Failure | null;
    }
  /** The initial ranking is shown. */
  | { phase: 'reranking'; run: SearchRun; list: SearchList }
  /** A list with another order has arrived, and waits until the user applies it. */
  | { phase: 'ready'; list: SearchList; next: SearchResponse };

/** The chunk shown by the preview and the neighbors, whether it is in the list or not. */
interface Selection {
  address: ChunkAddress;
  /** True if the user chose it; false if it is the best result, which changes with the list. */
  isChosen: boolean;
}

export interface SearchState {
  issue: EditedIssue;
  search: Search;
  selection: Selection | null;
  /** The next search, in milliseconds from the creation of this object; null if none is due. */
  due: { afterMs: number; isUpdate: boolean } | null;
  /** True while the pointer is on the list or its evidence. */
  isPointed: boolean;
  /** Number of results that the search in progress has reranked. */
  reranked: number;
  /** Number of times that the order changed without another search by the user, which moves rows. */
  moves: number;
  /** Number of changes of the index that this window has seen. */
  indexChanges: number;
}

export type SearchEvent =
  /** `isReplacement`: the whole text was replaced. `id`: id of the new issue, if the edit starts one. */
  | { type: 'issueEdited'; text: string; isReplacement: boolean; id: string | null }
  | { type: 'issueLoaded'; issue: Omit<EditedIssue, 'loads'> }
  /** The issue `id` was saved under the id `savedAs`. */
  | { type: 'issueSaved'; id: string; savedAs: string }
  | { type: 'searchDue'; afterMs: number; isUpdate: boolean }
  | { type: 'searchStarted'; run: SearchRun }
  | { type: 'initialRanked'; run: string; response: SearchResponse }
  | { type: 'rerankAdvanced'; run: string; count: number }
  | { type: 'holdEnded'; run: string }
  | { type: 'answered'; run: string; response: SearchResponse }
  | { type: 'failed'; run: string; failure: Failure }
  | { type: 'cancelled'; run: string }
  /** There is nothing to search for, or another repository was opened. */
  | { type: 'cleared' }
  /** An earlier list is shown again. It is searched for again if the index changed since `indexChanges`. */
  | { type: 'listRestored'; list: SearchList; indexChanges: number }
  | { type: 'selected'; address: ChunkAddress }
  | { type: 'pointerMoved'; isPointed: boolean }
  | { type: 'rowMarked' }
  | { type: 'orderApplied' }
  | { type: 'indexChanged' };

const AFTER_TYPING_MS = 400;

const EMPTY: Search = { phase: 'idle', list: null, failure: null };

export const initialState = (id: string): SearchState => ({
  issue: { id, text: '', source: null, loads: 0 },
  search: EMPTY,
  selection: null,
  due: null,
  isPointed: false,
  reranked: 0,
  moves: 0,
  indexChanges: 0,
});

/** Returns true if the text can be searched for. An issue URL cannot. */
export const isSearchable = (text: string): boolean => text.trim() !== '' && !isIssueUrl(text);

export const getRun = ({ search }: SearchState): SearchRun | null =>
  'run' in search ? search.run : null;

export const getFailure = ({ search }: SearchState): Failure | null =>
  'failure' in search ? search.failure : null;

/** Returns true while a search has not shown a list yet. */
export const isSearching = ({ search: { phase } }: SearchState): boolean =>
  phase === 'ranking' || phase === 'holding';

/** Returns the next state. Returns the same object for an event that does not apply, such as the answer to an earlier run. */
export function transition(state: SearchState, event: SearchEvent): SearchState {
  const { search } = state;
  if ('run' in event && event.type !== 'searchStarted' && event.run !== getRun(state)?.id) {
    return state;
  }
  switch (event.type) {
    case 'issueEdited':
      return editIssue(state, event);
    case 'issueLoaded':
      return loadIssue(state, event.issue);
    case 'issueSaved': {
      if (state.issue.id !== event.id || event.id === event.savedAs) return state;
      return { ...state, issue: { ...state.issue, id: event.savedAs } };
    }
    case 'searchDue':
      return { ...state, due: mergeDue(state, event) };
    case 'searchStarted': {
      const { list } = search;
      const failure = getFailure(state);
      // The user still waits for the list of an unanswered run.
      const isUpdate = event.run.isUpdate && !(isSearching(state) && !getRun(state)?.isUpdate);
      const started: Search = { phase: 'ranking', run: { ...event.run, isUpdate }, list, failure };
      return { ...state, due: null, reranked: 0, search: started };
    }
    case 'initialRanked':
      return receiveInitial(state, event.response);
    case 'rerankAdvanced':
      return { ...state, reranked: event.count };
    case 'holdEnded':
      return search.phase === 'holding' ? showInitial(state, search.run, search.initial) : state;
    case 'answered':
      return receiveAnswer(state, event.response);
    case 'failed':
      return { ...state, search: { ...idle(search), failure: event.failure } };
    case 'cancelled':
      return { ...state, search: idle(search) };
    case 'cleared':
      return { ...state, search: EMPTY, selection: null, due: null };
    case 'listRestored': {
      const isCurrent = event.indexChanges === state.indexChanges;
      const due = isCurrent ? null : { afterMs: 0, isUpdate: true };
      return { ...state, search: { ...EMPTY, list: event.list }, due };
    }
    case 'selected': {
      const selection = { address: event.address, isChosen: true };
      return { ...state, selection, search: setUsed(search, true) };
    }
    case 'pointerMoved': {
      const moved = { ...state, isPointed: event.isPointed };
      return mayMove(moved) ? applyOrder(moved) : moved;
    }
    case 'rowMarked':
      return { ...state, search: setUsed(search, true) };
    case 'orderApplied':
      return search.phase === 'ready' ? applyOrder(state) : awaitOrder(state);
    case 'indexChanged': {
      const due = mergeDue(state, { afterMs: 0, isUpdate: true });
      return { ...state, indexChanges: state.indexChanges + 1, due };
    }
  }
}

/** Returns when the next search is due. A search that the user waits for stays one, even if an update is due before it. */
const mergeDue = (
  { due }: SearchState,
  { afterMs, isUpdate }: NonNullable<SearchState['due']>,
): SearchState['due'] => ({ afterMs, isUpdate: isUpdate && (due?.isUpdate ?? true) });

function editIssue(
  state: SearchState,
  { text, isReplacement, id }: Extract<SearchEvent, { type: 'issueEdited' }>,
): SearchState {
  const before = state.issue;
  const issue = id === null ? { ...before, text } : { ...before, id, text, source: null };
  const edited = { ...state, issue };
  if (!isSearchable(text)) return transition(edited, { type: 'cleared' });
  return {
    ...(isReplacement ? dropChoice(edited) : edited),
    due: { afterMs: AFTER_TYPING_MS, isUpdate: false },
  };
}

/** Loads an issue with normalized line endings: the editor counts each as one character, and so must offsets into the text. */
function loadIssue(state: SearchState, issue: Omit<EditedIssue, 'loads'>): SearchState {
  const text = issue.text.replace(/\r\n?/g, '\n');
  const loaded = { ...state, issue: { ...issue, text, loads: state.issue.loads + 1 } };
  if (!isSearchable(text)) return transition(loaded, { type: 'cleared' });
  if (state.search.list?.issue === text) {
    // An answer to another text would replace the correct list.
    return getRun(state)?.request.issue === text
      ? loaded
      : { ...loaded, search: withoutRun(loaded.search) };
  }
  return { ...dropChoice(loaded), due: { afterMs: 0, isUpdate: false } };
}

/**
 * Prepares for another issue, whose best result will be selected. Cancels the run of the previous issue, since its answer
 * would select its own best result.
 */
function dropChoice(state: SearchState): SearchState {
  const { search, selection } = state;
  return {
    ...state,
    search: idle(search),
    selection: selection && { ...selection, isChosen: false },
  };
}

const withoutRun = (search: Search): Search => ('run' in search ? idle(search) : search);

/** Returns the idle phase with the list that is shown. */
function idle(search: Search): Extract<Search, { phase: 'idle' }> {
  return { phase: 'idle', list: search.list, failure: 'failure' in search ? search.failure : null };
}

function receiveInitial(state: SearchState, response: SearchResponse): SearchState {
  const { search } = state;
  if (search.phase !== 'ranking') return state;
  const { run, list, failure } = search;
  const isOfSameIssue = list !== null && list.issue === run.request.issue;
  // The rows of an update move at most once.
  if (isOfSameIssue && run.isUpdate) return state;
  if (isOfSameIssue && list.response.reranking.state === 'reranked') {
    return { ...state, search: { phase: 'holding', run, initial: response, list, failure } };
  }
  return showInitial(state, run, response);
}

function showInitial(state: SearchState, run: SearchRun, response: SearchResponse): SearchState {
  const shown = showList(state, run.request.issue, response);
  return { ...shown, search: { phase: 'reranking', run, list: shown.search.list } };
}

/** Handles the answer of a run: the reranked list, or the initial ranking if it was not reranked. */
function receiveAnswer(state: SearchState, response: SearchResponse): SearchState {
  const { search } = state;
  if (search.phase === 'ranking' || search.phase === 'holding') {
    const { run, list } = search;
    const { issue } = run.request;
    return run.isUpdate && list?.issue === issue
      ? offerOrder(state, list, response)
      : showList(state, issue, response);
  }
  if (search.phase !== 'reranking') return state;
  const { list } = search;
  if (response.reranking.state !== 'reranked') {
    return { ...state, search: { phase: 'idle', list: { ...list, response }, failure: null } };
  }
  return offerOrder(state, list, response);
}

/** Shows a newer response for the shown list. If that would move rows while the user works with them, it waits. */
function offerOrder(state: SearchState, list: SearchList, next: SearchResponse): SearchState {
  if (hasSameOrder(list.response, next))
    return {
      ...state,
      search: { phase: 'idle', list: { ...list, response: next }, failure: null },
    };
  const ready: SearchState = { ...state, search: { phase: 'ready', list, next } };
  if (mayMove(ready)) return applyOrder(ready);
  const kept = { ...list, response: keepOrder(list.response, next) };
  return { ...state, search: { phase: 'ready', list: kept, next } };
}

/** Returns the newer response in the order and with the ranks of the older one, so that only what the rows say changes. */
function keepOrder({ results }: SearchResponse, next: SearchResponse): SearchResponse {
  const newer = new Map(next.results.map((result) => [result.address, result]));
  return {
    ...next,
    results: results.map((shown) => {
      const { rank, rankWithoutMarks } = shown;
      const result = newer.get(shown.address);
      return result ? { ...result, rank, rankWithoutMarks } : shown;
    }),
  };
}

const hasSameOrder = (one: SearchResponse, other: SearchResponse): boolean =>
  one.results.length === other.results.length &&
  one.results.every(({ address }, i) => address === other.results[i]?.address);

/** Returns true if rows may move without a command: the user neither points at the list nor has used it. */
export const mayMove = ({ search, isPointed }: SearchState): boolean =>
  search.list !== null &&
  (search.list.response.results.length === 0 || (!isPointed && !search.list.isUsed));

/** Returns true if a new order is ready, or may arrive from the search in progress. */
export const mayChangeOrder = ({ search }: SearchState): boolean =>
  search.phase === 'ready' || ('run' in search && search.list !== null);

/** Lets the order of the search in progress apply as soon as it arrives. */
function awaitOrder(state: SearchState): SearchState {
  const { search } = state;
  if (!('run' in search) || !search.list) return state;
  return { ...state, isPointed: false, search: setUsed(search, false) };
}

/** Applies the order that is ready, if there is one. */
function applyOrder(state: SearchState): SearchState {
  const { search, moves } = state;
  if (search.phase !== 'ready') return state;
  return showList({ ...state, moves: moves + 1 }, search.list.issue, search.next);
}

/** Shows a list, with no search in progress. Selects its best result unless the user chose a chunk. */
function showList(
  state: SearchState,
  issue: string,
  response: SearchResponse,
): SearchState & { search: { list: SearchList } } {
  const [best] = response.results;
  const bestSelection = best ? { address: best.address, isChosen: false } : null;
  return {
    ...state,
    selection: state.selection?.isChosen ? state.selection : bestSelection,
    search: { phase: 'idle', list: { issue, response, isUsed: false }, failure: null },
  };
}

const setUsed = (search: Search, isUsed: boolean): Search =>
  search.list ? { ...search, list: { ...search.list, isUsed } } : search;
