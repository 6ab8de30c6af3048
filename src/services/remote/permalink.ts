/** Creates permalinks: URLs of lines at a commit, in the format of each code host. */
import type { RemoteUrl } from '../../shared/remote-url.ts';

export const PERMALINK_HOSTS = [
  'github',
  'gitlab',
  'gitea',
  'bitbucket',
  'bitbucket-server',
] as const;
export type PermalinkHost = (typeof PERMALINK_HOSTS)[number];

/** A range of lines, from 1, both ends included. */
export interface LineRange {
  startLine: number;
  endLine: number;
}

const FORMATS: Record<
  PermalinkHost,
  (remote: RemoteUrl, commit: string, path: string, at: LineRange) => string
> = {
  // https://docs.github.com/en/get-started/writing-on-github/working-with-advanced-formatting/creating-a-permanent-link-to-a-code-snippet
  github: (remote, commit, path, { startLine, endLine }) =>
    `${formatWebUrl(remote)}/blob/${commit}/${path}#L${startLine}-L${endLine}`,
  gitlab: (remote, commit, path, { startLine, endLine }) =>
    `${formatWebUrl(remote)}/-/blob/${commit}/${path}#L${startLine}-${endLine}`,
  gitea: (remote, commit, path, { startLine, endLine }) =>
    `${formatWebUrl(remote)}/src/commit/${commit}/${path}#L${startLine}-L${endLine}`,
  bitbucket: (remote, commit, path, { startLine, endLine }) =>
    `${formatWebUrl(remote)}/src/${commit}/${path}#lines-${startLine}:${endLine}`,
  'bitbucket-server': ({ scheme, host, path: repository }, commit, path, at) => {
    // The path before `scm` is where the server is mounted; an SSH URL does not tell.
    const [, below = ''] = /^(.*\/)?scm\/[^/]+\/[^/]+$/.exec(repository) ?? [];
    const [project = '', name = ''] = repository.split('/').slice(-2);
    return `${scheme}://${host}/${below}projects/${project}/repos/${name}/browse/${path}?at=${commit}#${at.startLine}-${at.endLine}`;
  },
};

const formatWebUrl = ({ scheme, host, path }: RemoteUrl) => `${scheme}://${host}/${path}`;

/** Detects the kind of code host by its name; null if unknown. */
export function detectPermalinkHost({ host, path }: RemoteUrl): PermalinkHost | null {
  const labels = (host.split(':')[0] ?? '').split('.');
  const has = (...names: string[]) => labels.some((label) => names.includes(label));
  if (has('github')) return 'github';
  if (has('gitlab')) return 'gitlab';
  if (has('gitea', 'forgejo', 'codeberg')) return 'gitea';
  if (host === 'bitbucket.org') return 'bitbucket';
  if (has('bitbucket', 'stash') || path.startsWith('scm/')) return 'bitbucket-server';
  return null;
}

export function formatPermalink(
  forge: PermalinkHost,
  remote: RemoteUrl,
  commit: string,
  path: string,
  lines: LineRange,
): string {
  const segments = path.toWellFormed().split('/').map(encodeURIComponent).join('/');
  return FORMATS[forge](remote, commit, segments, lines);
}
