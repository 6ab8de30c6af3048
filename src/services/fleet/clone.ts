/**
 * Clones that workers index: bare, and of one commit, since the fleet keeps no history. What is a folder on the worker's machine is read
 * where it is.
 */
import { existsSync, readdirSync, rmSync, symlinkSync } from 'node:fs';
import { dirname, isAbsolute } from 'node:path';
import { git } from '../../base/git/git.ts';
import { makeFolder } from '../../base/private.ts';
import type { Entry } from './catalog.ts';
import { type Authorization, notThere, type RemoteCall, remoteGit } from './remote-git.ts';

/** Where the newest commit that was fetched is. */
const FETCHED = 'refs/locus/fleet';

const CALL: RemoteCall = {
  patience: 20 * 60_000,
  settings: {
    'fetch.fsckObjects': 'true',
    'transfer.fsckObjects': 'true',
    'gc.auto': '0',
    'maintenance.auto': 'false',
  },
};

/**
 * Fetches the newest commit of a repository into a clone, which is made where there is none, and anew where a fetch was cut short.
 * @returns the commit's id
 * @throws LocusError `bad-repository` where it cannot be had, in none of the host's words; `cancelled`.
 */
export async function fetchCommit(
  folder: string,
  { url, ref }: Pick<Entry, 'url' | 'ref'>,
  authorization: Authorization,
  signal?: AbortSignal,
): Promise<string> {
  if (isAbsolute(url)) {
    link(folder, url);
    return commitOf(folder, ref ?? 'HEAD');
  }
  const call = { ...CALL, signal };
  if (isLocked(folder)) rmSync(folder, { recursive: true, force: true });
  makeFolder(folder);
  // Also where it is: one whose making was cut short is none, and git would look for another above it.
  await remoteGit(folder, ['init', '--quiet', '--bare', '.'], call);
  const what = `+${ref ?? 'HEAD'}:${FETCHED}`;
  const fetch = ['fetch', '--quiet', '--depth=1', '--no-tags', '--force', '--', url, what];
  await remoteGit(folder, fetch, { ...call, url, authorization });
  return commitOf(folder, FETCHED);
}

/** Whether a git that was killed left a lock in a clone, which no other git removes or passes. Nobody else fetches into it: the lease is held. */
function isLocked(folder: string): boolean {
  if (!existsSync(folder)) return false;
  return readdirSync(folder, { recursive: true }).some((name) => String(name).endsWith('.lock'));
}

/** Lets a folder stand where clones are, by which it is found again when it is taken out. */
function link(place: string, folder: string): void {
  if (!existsSync(folder)) throw notThere();
  rmSync(place, { force: true });
  makeFolder(dirname(place));
  symlinkSync(folder, place, 'junction');
}

async function commitOf(folder: string, ref: string): Promise<string> {
  return (await git(folder, ['rev-parse', '--verify', `${ref}^{commit}`])).toString().trim();
}
