/** The one way in which Locus lets git reach a host: by https or SSH, asking nobody, running no program that a configuration names. */
import { type ChildProcess, spawn } from 'node:child_process';
import { NO_PROGRAMS, safeEnvironment, settingOptions } from '../../engine/source/safe-git.ts';
import { LocusError } from '../../shared/errors.ts';

/** What a host wants to be shown; a header's value, in no argument and no file. */
export type Authorization = string | null;

export interface RemoteCall {
  /** What is reached: the header is for its host alone, wherever that redirects to. */
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
 * Runs git in a folder, in a group of processes of its own, which ends with it: git leaves the programs that it starts behind.
 * @throws LocusError `bad-repository` where it fails, in none of the host's words; `cancelled`.
 */
export async function remoteGit(
  folder: string,
  args: readonly string[],
  { url, authorization = null, settings = {}, signal, patience, onSaid }: RemoteCall,
): Promise<void> {
  if (signal?.aborted) throw cancelled();
  const all = { ...NO_PROGRAMS, 'submodule.recurse': 'false', ...settings };
  const child = spawn('git', ['--no-pager', ...settingOptions(all), ...args], {
    cwd: folder,
    env: {
      ...safeEnvironment({}),
      // By these, and by nothing that a host could redirect to.
      GIT_ALLOW_PROTOCOL: 'https:ssh',
      GIT_SSH_COMMAND: 'ssh -oBatchMode=yes',
      // Set and empty: no program is asked for a password.
      GIT_ASKPASS: '',
      ...(url !== undefined && authorization !== null && shown(url, authorization)),
    },
    stdio: ['ignore', 'ignore', onSaid ? 'pipe' : 'ignore'],
    windowsHide: true,
    detached: process.platform !== 'win32',
  });
  const timeout = AbortSignal.timeout(patience);
  const ending = signal ? AbortSignal.any([signal, timeout]) : timeout;
  const end = () => endGroup(child);
  ending.addEventListener('abort', end, { once: true });
  child.stderr?.setEncoding('utf8').on('data', (text: string) => onSaid?.(text));
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
  throw signal?.aborted ? cancelled() : failure(null);
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

const cancelled = () =>
  new LocusError('cancelled', 'fetching the repository was given up', 'run it again to go on');

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
