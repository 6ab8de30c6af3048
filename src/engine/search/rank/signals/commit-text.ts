import { quoteText } from '../../../../shared/quote.ts';
import type { HistoryIndex } from '../../../history/history-index.ts';

/** Maximum number of UTF-16 units of a commit subject to show. */
const MAX_SUBJECT = 80;

/** Describes a commit, such as `` `Fix cookie path on redirect` (a1b2c3d, 2021) ``. */
export function describeCommit(commit: number, history: HistoryIndex): string {
  const { hash, subject, time } = history.getCommit(commit);
  // Don't cut a surrogate pair in half.
  const cut = subject.slice(0, MAX_SUBJECT - 1).replace(/[\ud800-\udbff]$/, '');
  const shown = subject.length > MAX_SUBJECT ? `${cut}…` : subject;
  return `${quoteText(shown)} (${hash.slice(0, 7)}, ${getYear(time)})`;
}

export function getYear(time: number): string {
  const year = new Date(time * 1000).getUTCFullYear();
  return Number.isNaN(year) ? '?' : String(year);
}
