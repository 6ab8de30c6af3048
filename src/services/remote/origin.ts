/** Reads a repository's remote `origin`, and checks which commits it has. */
import { git } from '../../base/git/git.ts';
import type { GitArguments } from '../../base/git/safe-git.ts';
import { isCancelled, LocusError } from '../../shared/errors.ts';
import { parseRemote, type RemoteUrl } from '../../shared/remote-url.ts';
import { detectPermalinkHost, PERMALINK_HOSTS, type PermalinkHost } from './permalink.ts';

export interface RemoteOrigin {
  remote: RemoteUrl;
  /** Kind of code host, from the setting `git config locus.codeHost` or the host's name. */
  codeHost: PermalinkHost | null;
}

export interface GitFolder {
  root: string;
  /** Folder above which git does not look for the repository. */
  ceiling?: string;
}

/**
 * Reads the remote `origin` without contacting it. User and password in its URL are dropped.
 * @returns null without git, without a remote, or if its URL only makes sense on this machine
 */
export async function readOrigin(place: GitFolder): Promise<RemoteOrigin | null> {
  const url = await readRemoteUrl(place, 'origin');
  const remote = url === null ? null : parseRemote(url);
  if (!remote) return null;
  const setting = await readConfig(place, 'locus.codeHost');
  const kind = PERMALINK_HOSTS.find((known) => known === setting) ?? detectPermalinkHost(remote);
  return { remote, codeHost: kind };
}

/** Returns the first URL of a remote, with shorthands expanded; null without git or without such a remote. */
export async function readRemoteUrl(place: GitFolder, name: string): Promise<string | null> {
  const urls = await readGit(place, ['config', '--get-all', `remote.${name}.url`]);
  const [first = ''] = urls?.split('\n') ?? [];
  return first === '' ? null : expandShorthand(place, first);
}

/** Expands shorthands like `gh:owner/name`, which `url.<base>.insteadOf` defines. The longest match applies. */
async function expandShorthand(place: GitFolder, url: string): Promise<string> {
  const output = await readGit(place, ['config', '-z', '--get-regexp', '^url\\..*\\.insteadof$']);
  const shorthands = (output ?? '').split('\0').flatMap((line) => {
    const at = line.indexOf('\n');
    const key = line.slice(0, Math.max(0, at));
    return at < 0
      ? []
      : [{ base: key.slice('url.'.length, -'.insteadof'.length), short: line.slice(at + 1) }];
  });
  const [fits] = shorthands
    .filter(({ short }) => short !== '' && url.startsWith(short))
    .sort((a, b) => b.short.length - a.short.length);
  return fits ? fits.base + url.slice(fits.short.length) : url;
}

/** Returns true if `origin` has a commit, as far as the local git knows: it was pushed there, or fetched from there. */
export async function isPublished(place: GitFolder, commit: string): Promise<boolean> {
  const mirror = (await readConfig(place, 'remote.origin.mirror')) === 'true';
  const refs = mirror ? ['--branches', '--tags'] : ['--remotes=origin'];
  const left = await readGit(place, ['rev-list', '--max-count=1', commit, '--not', ...refs]);
  return left === '';
}

export async function hasCommit(place: GitFolder, commit: string): Promise<boolean> {
  return (
    (await readGit(place, ['rev-parse', '--verify', '--quiet', `${commit}^{commit}`])) !== null
  );
}

/** Returns the folder's path in its repository, with a trailing slash; empty for the root. */
export async function readPrefix(place: GitFolder): Promise<string> {
  return (await readGit(place, ['rev-parse', '--show-prefix'])) ?? '';
}

/** Returns the folder with git's objects, which all worktrees share, relative to the root or absolute; null without git. */
export function readCommonFolder(place: GitFolder): Promise<string | null> {
  return readGit(place, ['rev-parse', '--git-common-dir']);
}

/** Returns the commit that is checked out; null without git or without commits. */
export function readHeadCommit(place: GitFolder): Promise<string | null> {
  return readGit(place, ['rev-parse', '--verify', 'HEAD']);
}

/** Returns the blob ids of files at a commit, by path. Files that the commit lacks are omitted. */
export async function readBlobIds(
  place: GitFolder,
  commit: string,
  paths: readonly string[],
): Promise<Map<string, string>> {
  // Git would interpret a colon at the start of a path.
  const literal = paths.map((path) => `:(literal)${path}`);
  const output = await readGit(place, ['ls-tree', '-z', commit, '--', ...literal]);
  const lines = (output ?? '').split('\0').flatMap((line) => {
    const [, id, path] = /^\d+ blob ([0-9a-f]+)\t(.*)$/s.exec(line) ?? [];
    return id && path ? [[path, id] as const] : [];
  });
  return new Map(lines);
}

const readConfig = (place: GitFolder, name: string) => readGit(place, ['config', '--get', name]);

/** Returns git's output without the trailing line feed; null if git fails. */
async function readGit({ root, ceiling }: GitFolder, args: GitArguments): Promise<string | null> {
  try {
    return (await git(root, args, { ceiling })).toString().replace(/\n$/, '');
  } catch (error) {
    if (error instanceof LocusError && !isCancelled(error)) return null;
    throw error;
  }
}
