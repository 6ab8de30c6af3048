import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { cancelled, LocusError } from '../../shared/errors.ts';
import { grouped } from '../../shared/grouped.ts';
import { quoted } from '../../shared/quoted.ts';
import { throwIfCancelled } from '../cancel.ts';
import { readVariable } from '../environment.ts';
import { goneInWords } from './footing.ts';
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

/** Git was silent for longer than it may be. */
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
  /** For standard input. */
  input?: string;
  /** Bytes of output at most; more is a failure. */
  maxBytes?: number;
  /** Bytes of one piece of memory at most; git fails when it needs a larger one (`ranOutOfMemory`). */
  maxAllocation?: number;
  /** A folder that git does not enter when it looks upwards for the repository. */
  ceiling?: string;
  /** Ends git when it aborts. */
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
  const run = new GitRun(folder, args, options);
  try {
    yield* run.output();
  } finally {
    run.end();
  }
}

/** One run of git. */
class GitRun {
  readonly #folder: string;
  readonly #args: GitArguments;
  readonly #options: GitOptions;
  readonly #child: ReturnType<typeof spawnGit>;
  readonly #exitCode: Promise<number>;
  readonly #stop: () => void;
  #errors = '';
  /** Why it was ended. */
  #failure: Error | null = null;
  #ended = false;

  constructor(folder: string, args: GitArguments, options: GitOptions) {
    throwIfCancelled(options.signal, READING);
    this.#folder = folder;
    this.#args = args;
    this.#options = options;
    this.#child = spawnGit(folder, args, options);
    this.#exitCode = new Promise((resolve, reject) => {
      this.#child.once('error', reject);
      this.#child.once('close', (code) => resolve(code ?? -1));
    });
    this.#exitCode.catch(() => {}); // Awaited when all output has been read.
    this.#child.stderr.setEncoding('utf8').on('data', (text: string) => {
      if (this.#errors.length < 10_000) this.#errors += text;
    });
    // Git has ended; its exit code says why.
    this.#child.stdin.on('error', () => {}).end(options.input ?? '');
    this.#stop = () => this.#fail(cancelled(READING));
    options.signal?.addEventListener('abort', this.#stop, { once: true });
  }

  async *output(): AsyncGenerator<Buffer> {
    const { maxBytes = Number.POSITIVE_INFINITY } = this.#options;
    const pieces = this.#child.stdout[Symbol.asyncIterator]() as AsyncIterator<Buffer>;
    const lookAfter = setTimeout(() => this.#lookForSpecialFiles(), PATIENCE_MS);
    let bytes = 0;
    try {
      for (;;) {
        const { value, done } = await this.#inTime(pieces.next());
        clearTimeout(lookAfter);
        if (done) break;
        bytes += value.length;
        if (bytes > maxBytes) this.#fail(this.#tooMuch(maxBytes));
        if (this.#failure) throw this.#failure;
        yield value;
      }
      await this.#check();
    } catch (error) {
      throw this.#failure ?? this.#described(error as NodeJS.ErrnoException);
    } finally {
      clearTimeout(lookAfter);
    }
  }

  end(): void {
    this.#ended = true;
    this.#options.signal?.removeEventListener('abort', this.#stop);
    this.#child.kill('SIGKILL');
  }

  /** The next piece, unless git is silent for too long. Time that the reader takes does not count. */
  async #inTime<T>(piece: Promise<T>): Promise<T> {
    const command = this.#args[0];
    const timer = setTimeout(() => this.#fail(silenceFailure(this.#folder, command)), gitSilence());
    try {
      return await piece;
    } finally {
      clearTimeout(timer);
    }
  }

  /** Throws what the end of git means. */
  async #check(): Promise<void> {
    const exitCode = await this.#inTime(this.#exitCode);
    if (this.#failure) throw this.#failure;
    if (exitCode === 0) return;
    const said = this.#errors.trim().replace(/^fatal: /, '') || `${this.#args[0]} failed`;
    throw exitFailure(this.#folder, exitCode, quoted(said));
  }

  #described(error: NodeJS.ErrnoException): Error {
    if (error.code !== 'ENOENT') return error;
    // The system says the same of a program that is not there and of the folder that it was to start in.
    return existsSync(this.#folder)
      ? exitFailure(this.#folder, null, 'git is not installed')
      : new GitFailure(...describeMissingFolder(this.#folder), null);
  }

  #fail(failure: Error): void {
    this.#failure ??= failure;
    this.#child.kill('SIGKILL');
    // What git started may still hold the other end.
    this.#child.stdout.destroy();
  }

  #tooMuch(maxBytes: number): GitFailure {
    return new GitFailure(
      `git ${this.#args[0]} printed more than ${grouped(maxBytes)} bytes in ${this.#folder}`,
      'No honest repository has that much there: see what git fsck says, or open one of its folders.',
      -1,
    );
  }

  #lookForSpecialFiles(): void {
    if (!['blame', 'check-ignore', 'diff-tree', 'ls-files'].includes(this.#args[0])) return;
    findSpecialIgnoreFile(this.#folder, () => this.#ended).then(
      (found) => found && !this.#ended && this.#fail(specialFileError(found)),
      (error) => this.#fail(error),
    );
  }
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
