/** Where else a repository is: its remote `origin`, and whether a commit is there. */
import { git } from '../../base/git/git.ts';
import type { GitArguments } from '../../base/git/safe-git.ts';
import { isCancelled, LocusError } from '../../shared/errors.ts';
import { parseRemote, type Remote } from '../../shared/remote-url.ts';
import { FORGES, type Forge, forgeOf } from './permalink.ts';

export interface Origin {
  remote: Remote;
  /** By the host's name, or by `git config locus.forge`. */
  forge: Forge | null;
}

export interface GitPlace {
  root: string;
  /** A folder that is not left in the search for the repository. */
  ceiling?: string;
}

/**
 * The remote `origin`. Nothing is fetched, and what stands in its address of users and passwords is left out.
 * @returns null without git, without a remote, or with one whose address no other machine would understand.
 */
export async function readOrigin(place: GitPlace): Promise<Origin | null> {
  const url = await remoteUrl(place, 'origin');
  const remote = url === null ? null : parseRemote(url);
  if (!remote) return null;
  const named = await config(place, 'locus.forge');
  const forge = FORGES.find((known) => known === named) ?? forgeOf(remote);
  return { remote, forge };
}

/** Returns the first URL of a remote, spelled out; null without git and without such a remote. */
export async function remoteUrl(place: GitPlace, name: string): Promise<string | null> {
  const urls = await ask(place, ['config', '--get-all', `remote.${name}.url`]);
  const [first = ''] = urls?.split('\n') ?? [];
  return first === '' ? null : spelledOut(place, first);
}

/** `url.<base>.insteadOf`, as in `gh:owner/name`: the longest that fits is replaced. */
async function spelledOut(place: GitPlace, url: string): Promise<string> {
  const said = await ask(place, ['config', '-z', '--get-regexp', '^url\\..*\\.insteadof$']);
  const shorthands = (said ?? '').split('\0').flatMap((line) => {
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

/** Whether `origin` has a commit, as far as git knows here: it was pushed there, or came from there. */
export async function isPublished(place: GitPlace, commit: string): Promise<boolean> {
  const mirror = (await config(place, 'remote.origin.mirror')) === 'true';
  const known = mirror ? ['--branches', '--tags'] : ['--remotes=origin'];
  const left = await ask(place, ['rev-list', '--max-count=1', commit, '--not', ...known]);
  return left === '';
}

export async function hasCommit(place: GitPlace, commit: string): Promise<boolean> {
  return (await ask(place, ['rev-parse', '--verify', '--quiet', `${commit}^{commit}`])) !== null;
}

/** The folder's own path in its repository, with a slash at the end; empty at the top. */
export async function prefixOf(place: GitPlace): Promise<string> {
  return (await ask(place, ['rev-parse', '--show-prefix'])) ?? '';
}

/** The commit that is checked out; null without git, and where nothing was committed yet. */
export function checkedOutCommit(place: GitPlace): Promise<string | null> {
  return ask(place, ['rev-parse', '--verify', 'HEAD']);
}

/** Blob ids of files of the folder at a commit, by path; those that it lacks are left out. */
export async function blobsAt(
  place: GitPlace,
  commit: string,
  paths: readonly string[],
): Promise<Map<string, string>> {
  // A colon at the beginning of a path would be magic of git's.
  const literal = paths.map((path) => `:(literal)${path}`);
  const said = await ask(place, ['ls-tree', '-z', commit, '--', ...literal]);
  const lines = (said ?? '').split('\0').flatMap((line) => {
    const [, id, path] = /^\d+ blob ([0-9a-f]+)\t(.*)$/s.exec(line) ?? [];
    return id && path ? [[path, id] as const] : [];
  });
  return new Map(lines);
}

const config = (place: GitPlace, name: string) => ask(place, ['config', '--get', name]);

/** Git's answer without the line feed at its end; null where it has none to give. */
async function ask({ root, ceiling }: GitPlace, args: GitArguments): Promise<string | null> {
  try {
    return (await git(root, args, { ceiling })).toString().replace(/\n$/, '');
  } catch (error) {
    if (error instanceof LocusError && !isCancelled(error)) return null;
    throw error;
  }
}
