import { type Stop, stopAll } from '../../platform/lifetime.ts';
import { followFilters } from './filters-state.ts';
import { followIssue } from './issue.ts';
import { followIssueUrls } from './issue-url.ts';
import { followMarks } from './marks.ts';
import { followSearch } from './search.ts';

/**
 * Keeps the list up to date with filters, marks and the issue. `followFilters` comes first: when another repository is opened,
 * it clears the filters that do not apply there before `followSearch` searches.
 */
export const start = (): Stop =>
  stopAll(followFilters(), followSearch(), followMarks(), followIssueUrls(), followIssue());
