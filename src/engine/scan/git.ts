import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { LocusError } from '../../shared/errors.ts';

/** Git ran and failed (`missing` false), or is not installed. */
export class GitFailure extends Error {
  readonly missing: boolean;
  readonly exitCode: number | null;

  constructor(message: string, missing: boolean, exitCode: number | null) {
    super(message);
    this.name = 'GitFailure';
    this.missing = missing;
    this.exitCode = exitCode;
  }
}

/**
 * Settings under which git only reads what is there: nothing is written (the index's stat cache included), no
 * program that a repository's configuration names is run, and objects are what their ids say.
 */
const READ_ONLY = ['--no-replace-objects', '--literal-pathspecs', '-c', 'core.fsmonitor=false'];

/** Git's environment: the caller's, without the variables by which an outer git points at its own repository. */
export function gitEnvironment(): NodeJS.ProcessEnv {
  const env: NodeJS.ProcessEnv = { ...process.env };
  for (const name of Object.keys(env)) {
    if (
      /^GIT_(DIR|WORK_TREE|INDEX_FILE|COMMON_DIR|PREFIX|NAMESPACE|OBJECT_DIRECTORY|ALTERNATE_.*|TRACE.*)$/i.test(
        name,
      )
    ) {
      delete env[name];
    }
  }
  env.LC_ALL = 'C';
  env.GIT_OPTIONAL_LOCKS = '0';
  env.GIT_TERMINAL_PROMPT = '0';
  // A partial clone must not fetch what it lacks: no protocol is allowed (newer gits also know the second name).
  env.GIT_ALLOW_PROTOCOL = 'none';
  env.GIT_NO_LAZY_FETCH = '1';
  return env;
}

/** Starts git in a folder with the settings above. */
export function spawnGit(folder: string, args: readonly string[]) {
  return spawn('git', [...READ_ONLY, ...args], {
    cwd: folder,
    env: gitEnvironment(),
    stdio: ['pipe', 'pipe', 'pipe'],
    windowsHide: true,
  });
}

/**
 * Runs git in an existing folder and returns all it wrote to standard output.
 * Rejects with `GitFailure`: not installed, or a failure with git's own message.
 */
export async function git(folder: string, ...args: string[]): Promise<Buffer> {
  const child = spawnGit(folder, args);
  const output: Buffer[] = [];
  let errors = '';
  child.stdin.on('error', () => {}).end();
  child.stdout.on('data', (data: Buffer) => output.push(data));
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    if (errors.length < 10_000) errors += text;
  });
  try {
    const [exitCode] = (await once(child, 'close')) as [number | null];
    if (exitCode === 0) return Buffer.concat(output);
    const message = errors.trim().replace(/^fatal: /, '');
    throw new GitFailure(message || `git ${args[0]} failed`, false, exitCode);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    throw new GitFailure('git is not installed, or not on the PATH', true, null);
  }
}

/** What a person is told about a failure of git in a folder. */
export function gitTrouble(folder: string, failure: GitFailure): LocusError {
  const remedy = /dubious ownership/.test(failure.message)
    ? `The folder belongs to another user. If you trust it: git config --global --add safe.directory '${folder}'`
    : `See what git status says in ${folder}.`;
  const message = `Git cannot read ${folder}: ${failure.message}`;
  return new LocusError('bad-repository', message, remedy, { cause: failure });
}

/** The pieces of git's `-z` output. */
export function* splitAtNul(output: Buffer): Generator<Buffer> {
  for (let start = 0; start < output.length; ) {
    const end = output.indexOf(0, start);
    const stop = end < 0 ? output.length : end;
    yield output.subarray(start, stop);
    start = stop + 1;
  }
}
