/** Addresses of lines at a commit, as the hosts of repositories have them. */
import type { Remote } from '../../shared/remote-url.ts';

export const FORGES = ['github', 'gitlab', 'gitea', 'bitbucket', 'bitbucket-server'] as const;
export type Forge = (typeof FORGES)[number];

/** Lines from 1, the last one included. */
export interface Lines {
  startLine: number;
  endLine: number;
}

const SHAPES: Record<Forge, (remote: Remote, commit: string, path: string, at: Lines) => string> = {
  // https://docs.github.com/en/get-started/writing-on-github/working-with-advanced-formatting/creating-a-permanent-link-to-a-code-snippet
  github: (remote, commit, path, { startLine, endLine }) =>
    `${web(remote)}/blob/${commit}/${path}#L${startLine}-L${endLine}`,
  gitlab: (remote, commit, path, { startLine, endLine }) =>
    `${web(remote)}/-/blob/${commit}/${path}#L${startLine}-${endLine}`,
  gitea: (remote, commit, path, { startLine, endLine }) =>
    `${web(remote)}/src/commit/${commit}/${path}#L${startLine}-L${endLine}`,
  bitbucket: (remote, commit, path, { startLine, endLine }) =>
    `${web(remote)}/src/${commit}/${path}#lines-${startLine}:${endLine}`,
  'bitbucket-server': ({ scheme, host, path: repository }, commit, path, at) => {
    // Before `scm` is where the server is on its host; over SSH nothing says.
    const [, below = ''] = /^(.*\/)?scm\/[^/]+\/[^/]+$/.exec(repository) ?? [];
    const [project = '', name = ''] = repository.split('/').slice(-2);
    return `${scheme}://${host}/${below}projects/${project}/repos/${name}/browse/${path}?at=${commit}#${at.startLine}-${at.endLine}`;
  },
};

const web = ({ scheme, host, path }: Remote) => `${scheme}://${host}/${path}`;

/** Which kind of host it is, by its name; null for one that could be any. */
export function forgeOf({ host, path }: Remote): Forge | null {
  const labels = (host.split(':')[0] ?? '').split('.');
  const has = (...names: string[]) => labels.some((label) => names.includes(label));
  if (has('github')) return 'github';
  if (has('gitlab')) return 'gitlab';
  if (has('gitea', 'forgejo', 'codeberg')) return 'gitea';
  if (host === 'bitbucket.org') return 'bitbucket';
  if (has('bitbucket', 'stash') || path.startsWith('scm/')) return 'bitbucket-server';
  return null;
}

export function permalink(
  forge: Forge,
  remote: Remote,
  commit: string,
  path: string,
  lines: Lines,
): string {
  const segments = path.toWellFormed().split('/').map(encodeURIComponent).join('/');
  return SHAPES[forge](remote, commit, segments, lines);
}
