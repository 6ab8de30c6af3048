/** Describes the basis of a list: what was recognized in the issue, the history, unsupported files, likely repositories. */
import { formatCount, formatCounted } from '../../../shared/format-count.ts';
import type { RepositoryStatus } from '../../../shared/indexing.ts';
import type { IssueReport, SearchResponse } from '../../../shared/search.ts';

/**
 * Returns `3 names, 2 frames recognized`, as below the issue. Names and paths are counted once each, frames as often as they
 * occur.
 */
export function describeRecognized({ names, paths, frames }: IssueReport): string {
  const distinct = (spans: readonly { text: string }[]) =>
    new Set(spans.map(({ text }) => text)).size;
  const inside = frames.filter(({ address }) => address !== null).length;
  const counts = [
    [distinct(names), 'name'],
    [distinct(paths), 'path'],
    [frames.length, 'frame'],
  ] as const;
  const parts = counts.flatMap(([count, one]) => (count > 0 ? [formatCounted(count, one)] : []));
  if (parts.length === 0) return 'no names recognized';
  const found = inside === 0 ? 'none' : formatCount(inside);
  const outside = inside < frames.length ? `, ${found} of the frames in this repository` : '';
  return `${parts.join(', ')} recognized${outside}`;
}

/** @param isIndexed false while the repository is being indexed, which ends with its history */
export function describeHistory(
  { commits }: Pick<RepositoryStatus, 'commits'>,
  isIndexed: boolean,
): string {
  if (commits > 0) return `history ${formatCounted(commits, 'commit')}`;
  return isIndexed ? 'no history' : 'history is still being read';
}

/** Maximum number of kinds of files that are named. */
const MAX_KINDS = 2;

/** Returns `16 of 240 files not read: configuration, style sheets…`; null if all languages are supported. */
export function describeUnsupportedFiles({
  unread,
  files,
}: Pick<RepositoryStatus, 'unread' | 'files'>): string | null {
  const count = unread.reduce((sum, { files }) => sum + files, 0);
  if (count === 0) return null;
  const kinds = unread.slice(0, MAX_KINDS).map(({ kind }) => kind);
  const more = unread.length > MAX_KINDS ? '…' : '';
  return `${formatCount(count)} of ${formatCounted(count + files, 'file')} not read: ${kinds.join(', ')}${more}`;
}

const MAX_LIKELY = 3;

/** Returns the likeliest repositories of a workspace: `likely in flask (80%), requests (12%)`; null for a single repository. */
export function describeLikely({
  repositories,
}: Pick<SearchResponse, 'repositories'>): string | null {
  const likely = (repositories ?? []).filter(({ results, failure }) => results > 0 && !failure);
  if (likely.length === 0) return null;
  const shown = likely.slice(0, MAX_LIKELY);
  const parts = shown.map(({ name, chance }) => `${name} (${Math.round(100 * chance)}%)`);
  const more = likely.length - shown.length;
  return `likely in ${parts.join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}
