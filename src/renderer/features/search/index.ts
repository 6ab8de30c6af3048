/**
 * State of the search that all views share: the issue in the editor, filters, marks, the ranking and the selected chunk.
 * Contains no views.
 */
export { isFiltered, type MarksByAddress, parseGlobs, TESTS_TITLES } from './filters.ts';
export {
  clearFilters,
  toggleCollapsed,
  toggleKind,
  togglePackage,
  toggleRepository,
  useFilters,
} from './filters-state.ts';
export {
  findCodeHighlight,
  findIssueHighlight,
  highlightReason,
  revealReason,
  useHighlight,
  useHighlightOnHover,
} from './highlight.ts';
export { discardIssue, editIssue, getIssue, loadIssue, saveIssue } from './issue.ts';
export {
  cancelFetch,
  declineFetch,
  dismissFetched,
  fetchAlways,
  fetchIssue,
  recordPaste,
  requestOffer,
  setWithComments,
  useIssueUrl,
} from './issue-url.ts';
export { getFailure, isSearching, mayChangeOrder, mayMove, type SearchState } from './machine.ts';
export { changeMarks, toggleMark, useMarks } from './marks.ts';
export {
  captureSearch,
  getRequest,
  restoreSearch,
  type ShownSearch,
  searchNow,
} from './search.ts';
export {
  applyOrder,
  getCurrentResponse,
  getCurrentSelected,
  getResponse,
  getSelected,
  hasResults,
  select,
  setListPointed,
  useResponse,
  useSearch,
  useSelected,
  useSelectedResult,
} from './search-state.ts';
