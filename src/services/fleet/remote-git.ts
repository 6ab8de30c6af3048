/** The one way in which Locus lets git reach a host: by https or SSH, asking nobody, running no program that a configuration names. */

import { type ChildProcess, spawn } from 'node:child_process';
import { throwIfCancelled } from '../../base/cancel.ts';
import { NO_PROGRAMS, safeEnvironment, settingOptions } from '../../base/git/safe-git.ts';
import { LocusError } from '../../shared/errors.ts';
import { RedirectReader, redirectFailure } from './git-redirect.ts';

/** What a host wants to be shown; a header's value, in no argument and no file. */
export type Authorization = string | null;

export interface RemoteCall {
  /** Address of the repository, the only one that git may reach. The header is for its host. */
  url?: string;
  authorization?: Authorization;
  /** Settings beside those that keep programs from running. */
  settings?: Readonly<Record<string, string>>;
  signal?: AbortSignal | undefined;
  /** Of the whole call, in milliseconds. */
  patience: number;
  /** Told what git says on its standard error, which is otherwise thrown away. */
  onSaid?: (text: string) => void;
}

/**
 * Settings that keep git at the address that it was given. A server may name others in a redirect, a list of bundles, a list of pack
 * files, another remote that has the missing objects, or a submodule. Git also reads `http-alternates` only if it follows redirects.
 */
const ONE_ADDRESS: Readonly<Record<string, string>> = {
  'http.followRedirects': 'false',
  'transfer.bundleURI': 'false',
  'fetch.bundleURI': '',
  'fetch.uriProtocols': '',
  'promisor.acceptFromServer': 'none',
  'fetch.recurseSubmodules': 'false',
  'submodule.recurse': 'false',
};

/** Traces that would hold the header. Those of the environment are left out; these win over the user's configuration. */
const NO_TRACES = { GIT_TRACE2: '0', GIT_TRACE2_EVENT: '0', GIT_TRACE2_PERF: '0' };

/** Headers of requests and answers on standard error, where git hides credentials. Only a refused redirect is read from them. */
const HEADERS_ON_STDERR = {
  GIT_TRACE_CURL: '2',
  GIT_TRACE_CURL_NO_DATA: '1',
  GIT_TRACE_REDACT: '1',
};

/**
 * Runs git in a folder, in a group of processes of its own, which ends with it: git leaves the programs that it starts behind.
 * Redirects are not followed, with or without a credential: git would send the header to the new address, and a host that is open to
 * everybody could send a worker to an address inside its network.
 * @throws LocusError `bad-repository` where it fails, in none of the host's words but the address of a redirect; `cancelled`.
 */
export async function remoteGit(
  folder: string,
  args: readonly string[],
  { url, authorization = null, settings = {}, signal, patience, onSaid }: RemoteCall,
): Promise<void> {
  throwIfCancelled(signal, 'Fetching the repository');
  const all = { ...NO_PROGRAMS, ...settings, ...ONE_ADDRESS, ...noRedirectsAt(url) };
  const child = spawn('git', ['--no-pager', ...settingOptions(all), ...args], {
    cwd: folder,
    env: {
      ...safeEnvironment({}),
      // By these, and by nothing that a host could redirect to.
      GIT_ALLOW_PROTOCOL: 'https:ssh',
      GIT_SSH_COMMAND: 'ssh -oBatchMode=yes',
      // Set and empty: no program is asked for a password.
      GIT_ASKPASS: '',
      ...NO_TRACES,
      ...HEADERS_ON_STDERR,
      ...(url !== undefined && authorization !== null && shown(url, authorization)),
    },
    stdio: ['ignore', 'ignore', 'pipe'],
    windowsHide: true,
    detached: process.platform !== 'win32',
  });
  const ending = AbortSignal.any([AbortSignal.timeout(patience), ...(signal ? [signal] : [])]);
  const end = () => endGroup(child);
  ending.addEventListener('abort', end, { once: true });
  const redirects = new RedirectReader();
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    redirects.read(text);
    onSaid?.(text);
  });
  const { promise, resolve, reject } = Promise.withResolvers<number | null>();
  child.once('error', reject);
  child.once('close', resolve);
  try {
    if ((await promise) === 0) return;
  } catch (error) {
    throw failure(error);
  } finally {
    ending.removeEventListener('abort', end);
  }
  throwIfCancelled(signal, 'Fetching the repository');
  const { refused } = redirects;
  throw url !== undefined && refused !== null
    ? redirectFailure(url, refused, authorization)
    : failure(null);
}

/** A setting of the user's for an address wins over one for all; the same setting for the whole address wins over that. */
function noRedirectsAt(url: string | undefined): Record<string, string> {
  const parsed = URL.parse(url ?? '');
  if (parsed?.protocol !== 'https:') return {};
  return { [`http.${parsed.origin}${parsed.pathname}.followRedirects`]: 'false' };
}

function endGroup(child: ChildProcess): void {
  if (child.pid === undefined || process.platform === 'win32') child.kill('SIGKILL');
  else process.kill(-child.pid, 'SIGKILL');
}

const shown = (url: string, authorization: string) => ({
  GIT_CONFIG_COUNT: '1',
  GIT_CONFIG_KEY_0: `http.${new URL(url).origin}/.extraHeader`,
  GIT_CONFIG_VALUE_0: `Authorization: ${authorization}`,
});

function failure(error: unknown): LocusError {
  const missing = error instanceof Error && 'code' in error && error.code === 'ENOENT';
  return new LocusError(
    'bad-repository',
    missing ? 'git is not installed' : 'the repository cannot be fetched',
    missing
      ? 'install git, or put it on the PATH'
      : 'see that this machine reaches its host and may read it: git ls-remote <address>',
  );
}

/** Where there is no repository to fetch from at all. */
export const notThere = (): LocusError => failure(null);
