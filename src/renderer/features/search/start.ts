import { type Stop, stopAll } from '../../platform/lifetime.ts';
import { followFilters } from './filters-state.ts';
import { followIssue } from './issue.ts';
import { followIssueUrls } from './issue-url.ts';
import { followMarks } from './marks.ts';
import { followSearch } from './search.ts';

/** Starts the search. Filters come first: they must be cleared before another repository starts a search. */
export const start = (): Stop =>
  stopAll(followFilters(), followSearch(), followMarks(), followIssueUrls(), followIssue());
