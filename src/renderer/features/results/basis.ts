/** What a list rests on, in words: what the issue names of the repository, and how much of the past is known. */
import type { RepositoryStatus } from '../../../shared/indexing.ts';
import type { IssueReport, SearchResponse } from '../../../shared/search.ts';
import { counted, number } from '../../ui/counts.ts';

/** `names 3 functions, 2 frames`: functions for whatever definitions; names and paths count once, frames as they stand. */
export function namedText({ names, paths, frames }: IssueReport): string {
  const distinct = (spans: readonly { text: string }[]) =>
    new Set(spans.map(({ text }) => text)).size;
  const inside = frames.filter(({ address }) => address !== null).length;
  const counts = [
    [distinct(names), 'function'],
    [distinct(paths), 'path'],
    [inside, 'frame'],
  ] as const;
  const said = counts.flatMap(([count, one]) => (count > 0 ? [counted(count, one)] : []));
  return said.length > 0 ? `names ${said.join(', ')}` : 'names nothing of this repository';
}

export const historyText = ({ commits }: Pick<RepositoryStatus, 'commits'>): string =>
  commits > 0 ? `history ${counted(commits, 'commit')}` : 'no history';

/** `3 of 240 files not read`, for the languages that Locus does not read; null where it reads all. */
export function unreadText({
  unread,
  files,
}: Pick<RepositoryStatus, 'unread' | 'files'>): string | null {
  const left = unread.reduce((sum, { files }) => sum + files, 0);
  return left > 0 ? `${number(left)} of ${counted(left + files, 'file')} not read` : null;
}

const LIKELY = 3;

/** Of several repositories, the likeliest: `flask 80%, requests 12%`; null of one. */
export function likelyText({ repositories }: Pick<SearchResponse, 'repositories'>): string | null {
  const likely = (repositories ?? []).filter(({ results, failure }) => results > 0 && !failure);
  if (likely.length === 0) return null;
  const shown = likely.slice(0, LIKELY);
  const said = shown.map(({ name, chance }) => `${name} ${Math.round(100 * chance)}%`);
  const more = likely.length - shown.length;
  return `${said.join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}
