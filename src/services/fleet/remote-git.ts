/** The only way in which Locus lets git reach a host: by HTTPS or SSH, without prompts, and without programs that a configuration names. */

import { spawn } from 'node:child_process';
import { throwIfCancelled } from '../../base/cancel.ts';
import { createSafeEnvironment, NO_PROGRAMS, toSettingOptions } from '../../base/git/safe-git.ts';
import { killGroup } from '../../base/kill-group.ts';
import { LocusError } from '../../shared/errors.ts';
import { createRedirectError, RedirectReader } from './git-redirect.ts';

/** Value of the Authorization header for a host; null for none. It is in no argument and no file. */
export type Authorization = string | null;

export interface RemoteGitOptions {
  /** Address of the repository, the only one that git may reach. The header is sent to its host. */
  url?: string;
  authorization?: Authorization;
  /** Protocols that git may use, separated by colons; `https:ssh` by default. */
  protocols?: string;
  /** Git settings, besides those that keep programs from running. */
  settings?: Readonly<Record<string, string>>;
  signal?: AbortSignal | undefined;
  /** Limit for the whole call, in milliseconds. */
  timeoutMs: number;
  /** Called with what git prints on standard error, which is otherwise dropped. */
  onOutput?: (text: string) => void;
}

/**
 * Settings that keep git at the given address. A server could otherwise name other addresses: by a redirect, a list of bundles or
 * pack files, a remote with the missing objects, or a submodule. Git reads `http-alternates` only if it follows redirects.
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

/** Turns off traces that would include the header. Variables of the environment are removed; these override the user's configuration. */
const NO_TRACES = { GIT_TRACE2: '0', GIT_TRACE2_EVENT: '0', GIT_TRACE2_PERF: '0' };

/** Writes request and response headers to standard error, where git hides credentials. Only a refused redirect is read from them. */
const HEADERS_ON_STDERR = {
  GIT_TRACE_CURL: '2',
  GIT_TRACE_CURL_NO_DATA: '1',
  GIT_TRACE_REDACT: '1',
};

/**
 * Runs git in a folder, in a process group of its own, which is killed with it: git does not stop the programs that it starts.
 * Redirects are never followed. Git would send the header to the new address, and a public host could send a worker to an address
 * inside its network.
 * @throws LocusError `bad-repository` if git fails, quoting nothing of the host but the address of a redirect; `cancelled`
 */
export async function runRemoteGit(
  folder: string,
  args: readonly string[],
  {
    url,
    authorization = null,
    protocols = 'https:ssh',
    settings = {},
    signal,
    timeoutMs,
    onOutput,
  }: RemoteGitOptions,
): Promise<void> {
  throwIfCancelled(signal, 'Fetching the repository');
  const all = { ...NO_PROGRAMS, ...settings, ...ONE_ADDRESS, ...noRedirectsAt(url) };
  const child = spawn('git', ['--no-pager', ...toSettingOptions(all), ...args], {
    cwd: folder,
    env: {
      ...createSafeEnvironment({}),
      // Only these protocols, whatever a host redirects to.
      GIT_ALLOW_PROTOCOL: protocols,
      GIT_SSH_COMMAND: 'ssh -oBatchMode=yes',
      // Empty, so that no program asks for a password.
      GIT_ASKPASS: '',
      ...NO_TRACES,
      ...HEADERS_ON_STDERR,
      ...(url !== undefined && authorization !== null && showHeader(url, authorization)),
    },
    stdio: ['ignore', 'ignore', 'pipe'],
    windowsHide: true,
    detached: process.platform !== 'win32',
  });
  const ending = AbortSignal.any([AbortSignal.timeout(timeoutMs), ...(signal ? [signal] : [])]);
  const end = () => killGroup(child);
  ending.addEventListener('abort', end, { once: true });
  const redirects = new RedirectReader();
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    redirects.read(text);
    onOutput?.(text);
  });
  const { promise, resolve, reject } = Promise.withResolvers<number | null>();
  child.once('error', reject);
  child.once('close', resolve);
  try {
    if ((await promise) === 0) return;
  } catch (error) {
    throw createFailure(error);
  } finally {
    ending.removeEventListener('abort', end);
  }
  throwIfCancelled(signal, 'Fetching the repository');
  const { refused } = redirects;
  throw url !== undefined && refused !== null
    ? createRedirectError(url, refused, authorization)
    : createFailure(null);
}

/** Forbids redirects for this exact address: a user's setting for the host would override the general one. */
function noRedirectsAt(url: string | undefined): Record<string, string> {
  const parsed = URL.parse(url ?? '');
  if (parsed?.protocol !== 'https:') return {};
  return { [`http.${parsed.origin}${parsed.pathname}.followRedirects`]: 'false' };
}

const showHeader = (url: string, authorization: string) => ({
  GIT_CONFIG_COUNT: '1',
  GIT_CONFIG_KEY_0: `http.${new URL(url).origin}/.extraHeader`,
  GIT_CONFIG_VALUE_0: `Authorization: ${authorization}`,
});

function createFailure(error: unknown): LocusError {
  const missing = error instanceof Error && 'code' in error && error.code === 'ENOENT';
  return new LocusError(
    'bad-repository',
    missing ? 'Git is not installed.' : 'The repository cannot be fetched.',
    missing
      ? 'Install Git, or put it on the PATH.'
      : 'Check with git ls-remote <address> that this machine can reach the host and read the repository.',
  );
}

/** Returns the error for a repository that does not exist. */
export const createMissingError = (): LocusError => createFailure(null);
