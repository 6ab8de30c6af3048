/**
 * State of the search that all views share: the issue in the editor, filters, marks, the ranking and the selected chunk.
 * Contains no views.
 */
export { globsOf, isFiltered, type Marks, TESTS_TITLES } from './filters.ts';
export {
  clearFilters,
  toggleCollapsed,
  toggleKind,
  togglePackage,
  toggleRepository,
  useFilters,
} from './filters-state.ts';
export { abandonIssue, editIssue, issueNow, loadIssue, saveIssue } from './issue.ts';
export {
  cancelFetch,
  commentsToo,
  declineLink,
  dismissFetched,
  fetchAlways,
  fetchLink,
  offerLink,
  pasteLink,
  useLink,
} from './link.ts';
export {
  lightUp,
  litInCode,
  litInIssue,
  revealLit,
  useLit,
  usePointedAt,
} from './lit.ts';
export { failureOf, isSearching, type SearchState } from './machine.ts';
export { changeMarks, toggleMark, useMarks } from './marks.ts';
export { requestShown, type ShownSearch, searchNow, showAgain, shownSearch } from './search.ts';
export {
  applyReranked,
  hasResults,
  pointAtList,
  responseNow,
  responseOf,
  select,
  selectedNow,
  selectedOf,
  useResponse,
  useSearch,
  useSelected,
  useSelectedResult,
} from './search-state.ts';
