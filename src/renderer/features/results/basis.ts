/** Describes the basis of a list: what was recognized in the issue, the history, unsupported files, likely repositories. */
import type { RepositoryStatus } from '../../../shared/indexing.ts';
import type { IssueReport, SearchResponse } from '../../../shared/search.ts';
import { formatNumber, formatQuantity } from '../../ui/counts.ts';

/** Returns `recognized 3 functions, 2 frames`. Names and paths are counted once each, frames as often as they occur. */
export function describeRecognized({ names, paths, frames }: IssueReport): string {
  const distinct = (spans: readonly { text: string }[]) =>
    new Set(spans.map(({ text }) => text)).size;
  const inside = frames.filter(({ address }) => address !== null).length;
  const counts = [
    [distinct(names), 'function'],
    [distinct(paths), 'path'],
    [inside, 'frame'],
  ] as const;
  const parts = counts.flatMap(([count, one]) => (count > 0 ? [formatQuantity(count, one)] : []));
  return parts.length > 0 ? `recognized ${parts.join(', ')}` : 'no names recognized';
}

export const describeHistory = ({ commits }: Pick<RepositoryStatus, 'commits'>): string =>
  commits > 0 ? `history ${formatQuantity(commits, 'commit')}` : 'no history';

/** Returns `3 of 240 files not supported`; null if all languages are supported. */
export function describeUnsupportedFiles({
  unread,
  files,
}: Pick<RepositoryStatus, 'unread' | 'files'>): string | null {
  const count = unread.reduce((sum, { files }) => sum + files, 0);
  return count > 0
    ? `${formatNumber(count)} of ${formatQuantity(count + files, 'file')} not supported`
    : null;
}

const MAX_LIKELY = 3;

/** Returns the likeliest repositories of a workspace: `flask 80%, requests 12%`; null for a single repository. */
export function describeLikely({
  repositories,
}: Pick<SearchResponse, 'repositories'>): string | null {
  const likely = (repositories ?? []).filter(({ results, failure }) => results > 0 && !failure);
  if (likely.length === 0) return null;
  const shown = likely.slice(0, MAX_LIKELY);
  const parts = shown.map(({ name, chance }) => `${name} ${Math.round(100 * chance)}%`);
  const more = likely.length - shown.length;
  return `${parts.join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}
