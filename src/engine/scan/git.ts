import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { LocusError } from '../../shared/errors.ts';

/** Git failed in a folder, or is not there at all. */
export class GitFailure extends LocusError {
  /** Null when git did not run: it is not installed. */
  readonly exitCode: number | null;

  constructor(folder: string, exitCode: number | null, said: string) {
    super(
      'bad-repository',
      `Git cannot read ${folder}: ${said}`,
      remedyFor(folder, exitCode, said),
    );
    this.exitCode = exitCode;
  }
}

function remedyFor(folder: string, exitCode: number | null, said: string): string {
  if (exitCode === null) return 'Install git, or put it on the PATH.';
  if (/dubious ownership/.test(said)) {
    return `The folder belongs to another user. If you trust it: git config --global --add safe.directory '${folder}'`;
  }
  if (/promisor/.test(said))
    return 'The clone is partial. Get the rest with git fetch --refetch --no-filter.';
  return `See what git status says in ${folder}.`;
}

/**
 * Settings under which git only reads what is there: nothing is written (the index's stat cache included), no
 * program that a repository's configuration names is run, and objects are what their ids say.
 */
const READ_ONLY = ['--no-replace-objects', '-c', 'core.fsmonitor=false'];

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
 * Rejects with `GitFailure`, a `LocusError` with git's own words.
 */
export async function git(folder: string, ...args: string[]): Promise<Buffer> {
  const pieces: Buffer[] = [];
  for await (const piece of streamGit(folder, args)) pieces.push(piece);
  return Buffer.concat(pieces);
}

/**
 * Runs git with `input` on standard input and yields what it writes as it comes. Ending the iteration early ends git.
 * Rejects as `git` does.
 */
export async function* streamGit(
  folder: string,
  args: readonly string[],
  input = '',
): AsyncGenerator<Buffer> {
  const child = spawnGit(folder, args);
  const closed = once(child, 'close') as Promise<[number | null]>;
  closed.catch(() => {}); // Awaited below, but only when all output has been read.
  let errors = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    if (errors.length < 10_000) errors += text;
  });
  child.stdin.on('error', () => {}).end(input);
  try {
    yield* child.stdout as AsyncIterable<Buffer>;
    const [exitCode] = await closed;
    if (exitCode === 0) return;
    throw new GitFailure(folder, exitCode ?? -1, wordsOf(errors) || `${args[0]} failed`);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    throw new GitFailure(folder, null, 'git is not installed');
  } finally {
    child.kill();
  }
}

function wordsOf(errors: string): string {
  return errors.trim().replace(/^fatal: /, '');
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
