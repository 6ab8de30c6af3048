/**
 * Clones for workers: bare, with a single commit, since the fleet stores no history. A folder on the worker's machine is read in
 * place.
 */
import { existsSync, readdirSync, rmSync, symlinkSync } from 'node:fs';
import { dirname, isAbsolute, join } from 'node:path';
import { git } from '../../base/git/git.ts';
import { createFolder } from '../../base/private.ts';
import type { FleetEntry } from './catalog.ts';
import {
  type Authorization,
  createMissingError,
  type RemoteGitOptions,
  runRemoteGit,
} from './remote-git.ts';

/** Ref of the newest commit that was fetched. */
const FETCHED = 'refs/locus/fleet';

const FETCH_OPTIONS: RemoteGitOptions = {
  timeoutMs: 20 * 60_000,
  settings: {
    'fetch.fsckObjects': 'true',
    'transfer.fsckObjects': 'true',
    'gc.auto': '0',
    'maintenance.auto': 'false',
  },
};

/**
 * Fetches the newest commit of a repository into its clone. Creates a missing clone, and continues with one whose fetch was interrupted.
 * @returns the commit's id
 * @throws LocusError `bad-repository` if fetching fails, without quoting the host; `cancelled`
 */
export async function fetchCommit(
  folder: string,
  { url, ref }: Pick<FleetEntry, 'url' | 'ref'>,
  authorization: Authorization,
  signal?: AbortSignal,
): Promise<string> {
  if (isAbsolute(url)) {
    linkFolder(folder, url);
    return readCommit(folder, ref ?? 'HEAD');
  }
  return fetchInto(folder, ref ?? 'HEAD', { url, authorization, signal });
}

export interface FetchOptions extends Partial<RemoteGitOptions> {
  url: string;
  /** Number of generations of commits; 1 by default. A clone that had more loses them. */
  depth?: number;
  /** Filter of a partial clone. By default, all objects of new commits are fetched. */
  filter?: string;
}

/**
 * Fetches the newest commit of a ref into a bare clone, as `fetchCommit` does. With `onOutput`, git prints its progress.
 * @param options override the time limit, and add settings
 */
export async function fetchInto(
  folder: string,
  ref: string,
  { depth = 1, filter, ...options }: FetchOptions,
): Promise<string> {
  const settings = { ...FETCH_OPTIONS.settings, ...options.settings };
  const call = { ...FETCH_OPTIONS, ...options, settings };
  createFolder(folder);
  removeLeftovers(folder);
  // Repeated for an existing folder: if an earlier `init` was interrupted, git would look for a repository above it.
  const { url: _url, authorization: _header, ...local } = call;
  await runRemoteGit(folder, ['init', '--quiet', '--bare', '.'], local);
  const fetch = [
    ...['fetch', call.onOutput ? '--progress' : '--quiet', `--depth=${depth}`],
    ...[filter ? `--filter=${filter}` : '--no-filter', '--no-tags', '--force'],
  ];
  await runRemoteGit(folder, [...fetch, '--', call.url, `+${ref}:${FETCHED}`], call);
  return readCommit(folder, FETCHED);
}

/** Returns the commit that was fetched last; null if none was. */
export async function readFetched(folder: string): Promise<string | null> {
  if (!existsSync(folder)) return null;
  return readCommit(folder, FETCHED).catch(() => null);
}

/** Files that git renames when they are complete. */
const LEFTOVER = /\.lock$|^tmp_/;

/**
 * Removes what a killed git process left behind: locks, which block other processes, and packs that did not arrive completely. The
 * caller excludes other fetches.
 */
function removeLeftovers(folder: string): void {
  for (const { name, parentPath } of readdirSync(folder, { recursive: true, withFileTypes: true }))
    if (LEFTOVER.test(name)) rmSync(join(parentPath, name), { recursive: true, force: true });
}

/** Links a folder from where clones are, so that removing the repository from the fleet finds it. */
function linkFolder(path: string, folder: string): void {
  if (!existsSync(folder)) throw createMissingError();
  rmSync(path, { force: true });
  createFolder(dirname(path));
  symlinkSync(folder, path, 'junction');
}

async function readCommit(folder: string, ref: string): Promise<string> {
  return (await git(folder, ['rev-parse', '--verify', `${ref}^{commit}`])).toString().trim();
}
