/**
 * What is searched for, how, and what was found: the issue in the editor, filters and marks, the ranking and the
 * selected chunk. Every view works on these; none is here.
 */
export { globsOf, isFiltered, TESTS_TITLES } from './filters.ts';
export {
  clearFilters,
  toggleCollapsed,
  toggleKind,
  togglePackage,
  toggleRepository,
  useFilters,
} from './filters-state.ts';
export {
  abandonIssue,
  beginAnew,
  editIssue,
  loadIssue,
  newIssue,
  saveIssue,
  useIssue,
} from './issue.ts';
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
export { type Lit, lightUp, litInCode, litInIssue, revealLit, useLit } from './lit.ts';
export { changeMarks, type Marks, toggleMark, useMarks } from './marks.ts';
export {
  forgetChoice,
  isListOfIssue,
  requestShown,
  type ShownSearch,
  searchNow,
  searchSoon,
  select,
  showAgain,
  shownSearch,
  useSelectedResult,
} from './search.ts';
export { useSearch } from './search-state.ts';
export { pointAtList, showRefined } from './two-steps.ts';
