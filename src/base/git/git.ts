import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { cancelled, LocusError } from '../../shared/errors.ts';
import { formatCount } from '../../shared/format-count.ts';
import { quoteText } from '../../shared/quote.ts';
import { throwIfCancelled } from '../cancel.ts';
import { readVariable } from '../environment.ts';
import { createSafeArguments, createSafeEnvironment, type GitArguments } from './safe-git.ts';
import {
  createSpecialFileError,
  findSpecialIgnoreFile,
  refuseSpecialGitFiles,
} from './special-files.ts';

/** Maximum bytes of output for a command with a short answer. */
const MAX_ANSWER_BYTES = 2 ** 20;
/** Milliseconds of silence after which Locus looks for a pipe that git may be waiting for. */
const PATIENCE_MS = 1000;

/**
 * Returns the time after which a silent git is stopped, in milliseconds. Listing a slow disk takes long, but not this long.
 * @throws LocusError `bad-input` for an invalid `LOCUS_GIT_TIMEOUT`
 */
export const getGitTimeout = (): number => 1000 * readVariable('LOCUS_GIT_TIMEOUT');

/** Returns message and remedy for an opened folder that is now missing, for example because its drive was removed. */
export const describeMissingFolder = (folder: string) =>
  [
    `${folder} is no longer there.`,
    'Put it back, and Locus continues automatically. Or open it at its new location.',
  ] as const;

/** Error of git: it failed, took too long, printed too much, or is not installed. */
export class GitFailure extends LocusError {
  /** Exit code. Null if git did not run, because it is not installed or the folder is missing. Negative if Locus or a signal ended it. */
  readonly exitCode: number | null;

  constructor(message: string, remedy: string, exitCode: number | null) {
    super('bad-repository', message, remedy);
    this.exitCode = exitCode;
  }

  /** True if git ran to its end and reported an error. */
  get gitRefused(): boolean {
    return this.exitCode !== null && this.exitCode > 0;
  }

  /** True if git needed more memory than `maxAllocation`. */
  get ranOutOfMemory(): boolean {
    return /attempting to allocate \d{1,20} over limit/.test(this.message);
  }
}

function createExitError(folder: string, exitCode: number | null, said: string): GitFailure {
  const remedy = findRemedy(folder, exitCode, said);
  return new GitFailure(`Git cannot read ${folder}: ${said}.`, remedy, exitCode);
}

function findRemedy(folder: string, exitCode: number | null, said: string): string {
  if (exitCode === null) return 'Install git, or put it on the PATH.';
  if (/dubious ownership/.test(said)) {
    return `The folder belongs to another user. If you trust it, run git config --global --add safe.directory '${folder}'.`;
  }
  if (/promisor/.test(said))
    return 'The clone is partial. Run git fetch --refetch --no-filter to get the rest.';
  return `Run git status in ${folder} to learn more.`;
}

export function createSilenceError(folder: string, command: string): GitFailure {
  return new GitFailure(
    `git ${command} printed nothing for ${getGitTimeout() / 1000} seconds in ${folder}.`,
    'Look for pipes and devices in its .git folder. If the disk is slow, raise LOCUS_GIT_TIMEOUT.',
    -1,
  );
}

export interface GitOptions {
  /** Options of git itself, which come before the command. */
  settings?: readonly string[];
  input?: string;
  /** Maximum bytes of output. */
  maxBytes?: number;
  /** Maximum bytes that git may allocate at once; it fails if it needs more (`ranOutOfMemory`). */
  maxAllocation?: number;
  /** Folder in which git stops looking upwards for the repository. */
  ceiling?: string;
  signal?: AbortSignal;
}

const READING = 'Reading the repository';

/** Running processes of git. They are killed when this process exits. */
const running = new Set<ReturnType<typeof spawnGit>>();
process.on('exit', () => {
  for (const child of running) child.kill('SIGKILL');
});

let notifyListener: (pid: number, runs: boolean) => void = () => {};

/**
 * Calls `listener` whenever a git process of this thread starts or ends. The main thread can then kill those of a terminated thread,
 * which otherwise keep running.
 */
export function setGitListener(listener: (pid: number, runs: boolean) => void): void {
  notifyListener = listener;
}

/**
 * Starts git in a folder, safely. The caller limits the time and the output.
 * @throws LocusError `bad-repository` if a file of the repository would block git forever; `bad-input` if `LOCUS_GIT_TIMEOUT` is
 *   invalid.
 */
export function spawnGit(
  folder: string,
  args: GitArguments,
  { settings, ceiling, maxAllocation }: GitOptions = {},
) {
  getGitTimeout();
  refuseSpecialGitFiles(folder);
  const child = spawn('git', createSafeArguments(args, settings), {
    cwd: folder,
    env: createSafeEnvironment({ ceiling, maxAllocation }),
    stdio: ['pipe', 'pipe', 'pipe'],
    windowsHide: true,
  });
  const { pid } = child;
  const end = () => {
    running.delete(child);
    if (pid) notifyListener(pid, false);
  };
  running.add(child);
  if (pid) notifyListener(pid, true);
  child.once('close', end);
  child.once('error', end);
  return child;
}

/**
 * Runs git in an existing folder and returns its standard output.
 * @throws GitFailure with git's own message; LocusError `cancelled`
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

/** Runs git as `git` does, and returns its output, which is one line. */
export async function gitLine(
  folder: string,
  args: GitArguments,
  options?: GitOptions,
): Promise<string> {
  return (await git(folder, args, options)).toString('utf8').slice(0, -1);
}

/**
 * Runs git and yields its output as it arrives. Git is stopped if the iteration ends early, if the signal aborts, or if git is silent
 * for too long or prints too much.
 * @throws as `git`
 */
export async function* streamGit(
  folder: string,
  args: GitArguments,
  options: GitOptions = {},
): AsyncGenerator<Buffer> {
  const { signal, input = '', maxBytes = Number.POSITIVE_INFINITY } = options;
  throwIfCancelled(signal, READING);
  const child = spawnGit(folder, args, options);
  /** `failure` is the reason why git was stopped. */
  const run = { said: '', failure: null as Error | null, hasEnded: false };
  const fail = (failure: Error) => {
    run.failure ??= failure;
    child.kill('SIGKILL');
    // A child process of git may still have the other end open.
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
  // An error here means that git has ended; its exit code says why.
  child.stdin.on('error', () => {}).end(input);
  const stop = () => fail(cancelled(READING));
  signal?.addEventListener('abort', stop, { once: true });
  const searchTimer = setTimeout(() => {
    if (!READERS_OF_IGNORE_FILES.includes(args[0])) return;
    findSpecialIgnoreFile(folder, () => run.hasEnded).then(
      (found) => found && !run.hasEnded && fail(createSpecialFileError(found)),
      fail,
    );
  }, PATIENCE_MS);
  /** Fails if git is silent for too long. Time that the consumer takes does not count. */
  const failIfSilent = async <T>(answer: Promise<T>) => {
    const timer = setTimeout(() => fail(createSilenceError(folder, args[0])), getGitTimeout());
    return answer.finally(() => clearTimeout(timer));
  };
  try {
    const pieces = child.stdout[Symbol.asyncIterator]() as AsyncIterator<Buffer>;
    let bytes = 0;
    for (;;) {
      const { value, done } = await failIfSilent(pieces.next());
      clearTimeout(searchTimer);
      if (done) break;
      bytes += value.length;
      if (bytes > maxBytes) fail(createOutputError(folder, args[0], maxBytes));
      if (run.failure) throw run.failure;
      yield value;
    }
    const code = await failIfSilent(exitCode);
    if (run.failure) throw run.failure;
    const said = run.said.trim().replace(/^fatal: /, '') || `${args[0]} failed`;
    if (code !== 0) throw createExitError(folder, code, quoteText(said));
  } catch (error) {
    throw run.failure ?? explainStartError(folder, error as NodeJS.ErrnoException);
  } finally {
    run.hasEnded = true;
    clearTimeout(searchTimer);
    signal?.removeEventListener('abort', stop);
    child.kill('SIGKILL');
  }
}

const READERS_OF_IGNORE_FILES = ['blame', 'check-ignore', 'diff-tree', 'ls-files'];

function explainStartError(folder: string, error: NodeJS.ErrnoException): Error {
  if (error.code !== 'ENOENT') return error;
  // The system reports the same error for a missing program and for a missing working folder.
  return existsSync(folder)
    ? createExitError(folder, null, 'git is not installed')
    : new GitFailure(...describeMissingFolder(folder), null);
}

function createOutputError(folder: string, command: string, maxBytes: number): GitFailure {
  return new GitFailure(
    `git ${command} printed more than ${formatCount(maxBytes)} bytes in ${folder}.`,
    'Ordinary repositories need far less. Run git fsck to check it, or open one of its folders.',
    -1,
  );
}

/** Yields the records of git's `-z` output, in groups. @throws GitFailure for a record that is too long */
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
        `Git printed a name of over ${formatCount(MAX_ANSWER_BYTES)} bytes.`,
        'Ordinary names are far shorter. Run git fsck to check the repository.',
        -1,
      );
    }
    yield records;
  }
  if (rest.length > 0) yield [rest];
}
