/**
 * Clones that workers index: bare, and of one commit, since the fleet keeps no history. What is a folder on the worker's machine is read
 * where it is.
 */
import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, rmSync, symlinkSync } from 'node:fs';
import { dirname, isAbsolute } from 'node:path';
import { git } from '../../engine/source/git.ts';
import { safeEnvironment } from '../../engine/source/safe-git.ts';
import { LocusError } from '../../shared/errors.ts';
import type { Entry } from './catalog.ts';

/** What a host wants to be shown; a header's value, in no argument and no file. */
export type Authorization = string | null;

/** Where the newest commit that was fetched is. */
const FETCHED = 'refs/locus/fleet';
/** Of one fetch. */
const PATIENCE_MS = 20 * 60_000;

/** What keeps git from running programs that a configuration names, on this side. */
const SETTINGS = {
  'core.hooksPath': '/dev/null',
  'core.fsmonitor': 'false',
  'fetch.fsckObjects': 'true',
  'transfer.fsckObjects': 'true',
  'submodule.recurse': 'false',
  'gc.auto': '0',
  'maintenance.auto': 'false',
};

/**
 * Fetches the newest commit of a repository into a clone, which is made where there is none.
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
  if (!existsSync(folder)) {
    mkdirSync(folder, { recursive: true });
    await run(folder, ['init', '--quiet', '--bare', '.'], {}, signal);
  }
  const what = `+${ref ?? 'HEAD'}:${FETCHED}`;
  const header = authorization !== null && {
    // For that host alone, wherever it redirects to.
    GIT_CONFIG_COUNT: '1',
    GIT_CONFIG_KEY_0: `http.${new URL(url).origin}/.extraHeader`,
    GIT_CONFIG_VALUE_0: `Authorization: ${authorization}`,
  };
  await run(
    folder,
    ['fetch', '--quiet', '--depth=1', '--no-tags', '--force', '--', url, what],
    header || {},
    signal,
  );
  return commitOf(folder, FETCHED);
}

/** Lets a folder stand where clones are, by which it is found again when it is taken out. */
function link(place: string, folder: string): void {
  if (!existsSync(folder)) throw failure(null);
  rmSync(place, { force: true });
  mkdirSync(dirname(place), { recursive: true });
  symlinkSync(folder, place, 'junction');
}

async function commitOf(folder: string, ref: string): Promise<string> {
  return (await git(folder, ['rev-parse', '--verify', `${ref}^{commit}`])).toString().trim();
}

function run(
  folder: string,
  args: readonly string[],
  variables: NodeJS.ProcessEnv,
  signal: AbortSignal | undefined,
): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const timeout = AbortSignal.timeout(PATIENCE_MS);
  const child = spawn('git', ['--no-pager', ...settings(SETTINGS), ...args], {
    cwd: folder,
    env: {
      ...safeEnvironment({}),
      // The one place that fetches: by these, and by nothing that a host could redirect to.
      GIT_ALLOW_PROTOCOL: 'https:ssh',
      GIT_SSH_COMMAND: 'ssh -oBatchMode=yes',
      ...variables,
    },
    stdio: 'ignore',
    windowsHide: true,
    signal: signal ? AbortSignal.any([signal, timeout]) : timeout,
    killSignal: 'SIGKILL',
  });
  child.once('error', (error) => reject(signal?.aborted ? cancelled() : failure(error)));
  child.once('close', (code) => (code === 0 ? resolve() : reject(failure(null))));
  return promise;
}

const settings = (all: Record<string, string>): string[] =>
  Object.entries(all).flatMap(([name, value]) => ['-c', `${name}=${value}`]);

const cancelled = () =>
  new LocusError('cancelled', 'fetching the repository was given up', 'run it again to go on');

function failure(error: Error | null): LocusError {
  const missing = error && 'code' in error && error.code === 'ENOENT';
  return new LocusError(
    'bad-repository',
    missing ? 'git is not installed' : 'the repository cannot be fetched',
    missing
      ? 'install git, or put it on the PATH'
      : 'see that this machine reaches its host and may read it: git ls-remote <address>',
  );
}
