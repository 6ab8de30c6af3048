/**
 * State machine of a window's search: the issue, its initial ranking, the reranked list, and the selected chunk. `transition` is
 * pure; `driver.ts` runs the searches and timers that its states need.
 *
 * A search shows its initial ranking at once, and replaces it with the reranked list. Rows never move while the user works with
 * them: if the pointer is on the list, or a row was opened, the reranked list waits to be applied.
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
}

export interface SearchList {
  /** Text of the issue that it answers. */
  issue: string;
  response: SearchResponse;
  /** True once a row was opened. From then on, rows move only on the user's command. */
  isOpened: boolean;
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
  /** The reranked list has arrived, and waits until the user applies it. */
  | { phase: 'ready'; list: SearchList; reranked: SearchResponse };

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
  due: { afterMs: number } | null;
  /** True while the pointer is on the list or its evidence. */
  isPointed: boolean;
  /** Number of times that a reranked list replaced an initial ranking, which moves rows. */
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
  | { type: 'searchDue'; afterMs: number }
  | { type: 'searchStarted'; run: SearchRun }
  | { type: 'initialRanked'; run: string; response: SearchResponse }
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
  | { type: 'rerankedApplied' }
  | { type: 'indexChanged' };

const AFTER_TYPING_MS = 400;

const EMPTY: Search = { phase: 'idle', list: null, failure: null };

export const initialState = (id: string): SearchState => ({
  issue: { id, text: '', source: null, loads: 0 },
  search: EMPTY,
  selection: null,
  due: null,
  isPointed: false,
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
      return { ...state, due: { afterMs: event.afterMs } };
    case 'searchStarted': {
      const { list } = search;
      const failure = getFailure(state);
      return { ...state, due: null, search: { phase: 'ranking', run: event.run, list, failure } };
    }
    case 'initialRanked':
      return receiveInitial(state, event.response);
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
      const due = event.indexChanges === state.indexChanges ? null : { afterMs: 0 };
      return { ...state, search: { ...EMPTY, list: event.list }, due };
    }
    case 'selected': {
      const selection = { address: event.address, isChosen: true };
      return { ...state, selection, search: openRow(search) };
    }
    case 'pointerMoved': {
      const moved = { ...state, isPointed: event.isPointed };
      return mayMove(moved) ? applyReranked(moved) : moved;
    }
    case 'rerankedApplied':
      return applyReranked(state);
    case 'indexChanged':
      return { ...state, indexChanges: state.indexChanges + 1, due: { afterMs: 0 } };
  }
}

function editIssue(
  state: SearchState,
  { text, isReplacement, id }: Extract<SearchEvent, { type: 'issueEdited' }>,
): SearchState {
  const before = state.issue;
  const issue = id === null ? { ...before, text } : { ...before, id, text, source: null };
  const edited = { ...state, issue };
  if (!isSearchable(text)) return transition(edited, { type: 'cleared' });
  return { ...(isReplacement ? dropChoice(edited) : edited), due: { afterMs: AFTER_TYPING_MS } };
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
  return { ...dropChoice(loaded), due: { afterMs: 0 } };
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
    return showList(state, search.run.request.issue, response);
  }
  if (search.phase !== 'reranking') return state;
  const { list } = search;
  if (response.reranking.state !== 'reranked') {
    return { ...state, search: { phase: 'idle', list: { ...list, response }, failure: null } };
  }
  const ready: SearchState = { ...state, search: { phase: 'ready', list, reranked: response } };
  return mayMove(ready) ? applyReranked(ready) : ready;
}

const mayMove = ({ search, isPointed }: SearchState): boolean =>
  !isPointed && search.list !== null && !search.list.isOpened;

/** Applies the reranked order, if one is ready. */
function applyReranked(state: SearchState): SearchState {
  const { search, moves } = state;
  if (search.phase !== 'ready') return state;
  return showList({ ...state, moves: moves + 1 }, search.list.issue, search.reranked);
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
    search: { phase: 'idle', list: { issue, response, isOpened: false }, failure: null },
  };
}

const openRow = (search: Search): Search =>
  search.list ? { ...search, list: { ...search.list, isOpened: true } } : search;
