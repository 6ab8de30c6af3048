import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { cancelled, LocusError } from '../../shared/errors.ts';
import { grouped } from '../../shared/grouped.ts';
import { quoted } from '../../shared/quoted.ts';
import { throwIfCancelled } from '../cancel.ts';
import { readVariable } from '../environment.ts';
import { type GitArguments, safeArguments, safeEnvironment } from './safe-git.ts';
import { findSpecialIgnoreFile, refuseSpecialGitFiles, specialFileError } from './special-files.ts';

/** Bytes that git may answer to a question with a short answer. */
const MAX_ANSWER_BYTES = 2 ** 20;
/** Milliseconds after which Locus looks for the pipe that a silent git may be waiting for. */
const PATIENCE_MS = 1000;

/**
 * Returns how long git may be silent, in milliseconds. A cold disk takes long to list, but no honest one this long.
 * @throws LocusError `bad-input` for an invalid `LOCUS_GIT_TIMEOUT`
 */
export const gitSilence = (): number => 1000 * readVariable('LOCUS_GIT_TIMEOUT');

/** Returns message and remedy for a folder that was opened and is missing now, as one on a drive that was removed. */
export const describeMissingFolder = (folder: string) =>
  [
    `${folder} is no longer there.`,
    'Put it back, and Locus goes on by itself; or open it where it is now.',
  ] as const;

/** Git failed in a folder, took too long or said too much, or is not there at all. */
export class GitFailure extends LocusError {
  /** Null when git did not run: it is not installed, or the folder is gone. Negative when it was ended, by Locus or by a signal. */
  readonly exitCode: number | null;

  constructor(message: string, remedy: string, exitCode: number | null) {
    super('bad-repository', message, remedy);
    this.exitCode = exitCode;
  }

  /** It ran to its end and said no. */
  get gitRefused(): boolean {
    return this.exitCode !== null && this.exitCode > 0;
  }

  /** It needed more than `maxAllocation`. */
  get ranOutOfMemory(): boolean {
    return /attempting to allocate \d{1,20} over limit/.test(this.message);
  }
}

function exitFailure(folder: string, exitCode: number | null, said: string): GitFailure {
  const remedy = remedyFor(folder, exitCode, said);
  return new GitFailure(`Git cannot read ${folder}: ${said}`, remedy, exitCode);
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

export function silenceFailure(folder: string, command: string): GitFailure {
  return new GitFailure(
    `git ${command} said nothing for ${gitSilence() / 1000} seconds in ${folder}`,
    'Look for pipes and devices among the files of its .git folder. If its disk is just slow, give more seconds in LOCUS_GIT_TIMEOUT.',
    -1,
  );
}

export interface GitOptions {
  /** Options of git itself, which come before the command. */
  settings?: readonly string[];
  input?: string;
  /** Bytes of output at most; more is a failure. */
  maxBytes?: number;
  /** Bytes of one piece of memory at most; git fails when it needs a larger one (`ranOutOfMemory`). */
  maxAllocation?: number;
  /** A folder that git does not enter when it looks upwards for the repository. */
  ceiling?: string;
  signal?: AbortSignal;
}

const READING = 'Reading the repository';

/** Those at work; none outlives this process. */
const running = new Set<ReturnType<typeof spawnGit>>();
process.on('exit', () => {
  for (const child of running) child.kill('SIGKILL');
});

let tell: (pid: number, runs: boolean) => void = () => {};

/** Has `listener` told of each git that this thread starts, and when it has ended: a thread's own end ends none of them. */
export function onGit(listener: (pid: number, runs: boolean) => void): void {
  tell = listener;
}

/**
 * Starts git in a folder, safely. The caller bounds how long it waits and how much it reads.
 * @throws LocusError `bad-repository` when a file of the repository would keep git waiting for ever, `bad-input` when
 *   nobody can say for how long git may be silent.
 */
export function spawnGit(
  folder: string,
  args: GitArguments,
  { settings, ceiling, maxAllocation }: GitOptions = {},
) {
  gitSilence();
  refuseSpecialGitFiles(folder);
  const child = spawn('git', safeArguments(args, settings), {
    cwd: folder,
    env: safeEnvironment({ ceiling, maxAllocation }),
    stdio: ['pipe', 'pipe', 'pipe'],
    windowsHide: true,
  });
  const { pid } = child;
  const end = () => {
    running.delete(child);
    if (pid) tell(pid, false);
  };
  running.add(child);
  if (pid) tell(pid, true);
  child.once('close', end);
  child.once('error', end);
  return child;
}

/**
 * Runs git in an existing folder and returns all it wrote to standard output.
 * Rejects with `GitFailure`, a `LocusError` with git's own words, and with LocusError `cancelled`.
 */
export async function git(
  folder: string,
  args: GitArguments,
  options: GitOptions = {},
): Promise<Buffer> {
  const pieces: Buffer[] = [];
  for await (const piece of streamGit(folder, args, { maxBytes: MAX_ANSWER_BYTES, ...options })) {
    pieces.push(piece);
  }
  return Buffer.concat(pieces);
}

/** Runs git as `git` does, and returns the one line that it wrote. */
export async function gitLine(
  folder: string,
  args: GitArguments,
  options?: GitOptions,
): Promise<string> {
  return (await git(folder, args, options)).toString('utf8').slice(0, -1);
}

/**
 * Runs git and yields what it writes as it comes. Ending the iteration early ends git, as do the signal, silence and
 * too much output.
 * Rejects as `git` does.
 */
export async function* streamGit(
  folder: string,
  args: GitArguments,
  options: GitOptions = {},
): AsyncGenerator<Buffer> {
  const { signal, input = '', maxBytes = Number.POSITIVE_INFINITY } = options;
  throwIfCancelled(signal, READING);
  const child = spawnGit(folder, args, options);
  /** `failure` is why it was ended. */
  const run = { said: '', failure: null as Error | null, hasEnded: false };
  const fail = (failure: Error) => {
    run.failure ??= failure;
    child.kill('SIGKILL');
    // What git started may still hold the other end.
    child.stdout.destroy();
  };
  const exitCode = new Promise<number>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code) => resolve(code ?? -1));
  });
  exitCode.catch(() => {}); // Awaited when all output has been read.
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    if (run.said.length < 10_000) run.said += text;
  });
  // Git has ended; its exit code says why.
  child.stdin.on('error', () => {}).end(input);
  const stop = () => fail(cancelled(READING));
  signal?.addEventListener('abort', stop, { once: true });
  const lookAfter = setTimeout(() => {
    if (!READERS_OF_IGNORE_FILES.includes(args[0])) return;
    findSpecialIgnoreFile(folder, () => run.hasEnded).then(
      (found) => found && !run.hasEnded && fail(specialFileError(found)),
      fail,
    );
  }, PATIENCE_MS);
  /** Time that the reader takes does not count. */
  const unlessSilent = async <T>(answer: Promise<T>) => {
    const timer = setTimeout(() => fail(silenceFailure(folder, args[0])), gitSilence());
    return answer.finally(() => clearTimeout(timer));
  };
  try {
    const pieces = child.stdout[Symbol.asyncIterator]() as AsyncIterator<Buffer>;
    let bytes = 0;
    for (;;) {
      const { value, done } = await unlessSilent(pieces.next());
      clearTimeout(lookAfter);
      if (done) break;
      bytes += value.length;
      if (bytes > maxBytes) fail(tooMuch(folder, args[0], maxBytes));
      if (run.failure) throw run.failure;
      yield value;
    }
    const code = await unlessSilent(exitCode);
    if (run.failure) throw run.failure;
    const said = run.said.trim().replace(/^fatal: /, '') || `${args[0]} failed`;
    if (code !== 0) throw exitFailure(folder, code, quoted(said));
  } catch (error) {
    throw run.failure ?? described(folder, error as NodeJS.ErrnoException);
  } finally {
    run.hasEnded = true;
    clearTimeout(lookAfter);
    signal?.removeEventListener('abort', stop);
    child.kill('SIGKILL');
  }
}

const READERS_OF_IGNORE_FILES = ['blame', 'check-ignore', 'diff-tree', 'ls-files'];

function described(folder: string, error: NodeJS.ErrnoException): Error {
  if (error.code !== 'ENOENT') return error;
  // The system says the same of a program that is not there and of the folder that it was to start in.
  return existsSync(folder)
    ? exitFailure(folder, null, 'git is not installed')
    : new GitFailure(...describeMissingFolder(folder), null);
}

function tooMuch(folder: string, command: string, maxBytes: number): GitFailure {
  return new GitFailure(
    `git ${command} printed more than ${grouped(maxBytes)} bytes in ${folder}`,
    'No honest repository has that much there: see what git fsck says, or open one of its folders.',
    -1,
  );
}

/** The records of git's `-z` output, a few at a time. Rejects with `GitFailure` when one has no end. */
export async function* splitAtNul(output: AsyncIterable<Buffer>): AsyncGenerator<Buffer[]> {
  let rest: Buffer = Buffer.alloc(0);
  for await (const piece of output) {
    const data = rest.length === 0 ? piece : Buffer.concat([rest, piece]);
    const records: Buffer[] = [];
    let start = 0;
    for (let end = data.indexOf(0); end >= 0; end = data.indexOf(0, start)) {
      records.push(data.subarray(start, end));
      start = end + 1;
    }
    rest = data.subarray(start);
    if (rest.length > MAX_ANSWER_BYTES) {
      throw new GitFailure(
        `Git printed a name of over ${grouped(MAX_ANSWER_BYTES)} bytes`,
        'No honest repository has one: see what git fsck says.',
        -1,
      );
    }
    yield records;
  }
  if (rest.length > 0) yield [rest];
}
