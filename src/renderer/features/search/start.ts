import { type Stop, stopAll } from '../../platform/lifetime.ts';
import { followFilters } from './filters-state.ts';
import { followIssue } from './issue.ts';
import { followLinks } from './link.ts';
import { followMarks } from './marks.ts';
import { followSearch } from './search.ts';

/** Follows what is searched for: names of filters first, as the search that comes of another repository has none of them. */
export const start = (): Stop =>
  stopAll(followFilters(), followSearch(), followMarks(), followLinks(), followIssue());
