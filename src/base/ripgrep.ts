/**
 * Runs ripgrep on texts that Locus sends to its standard input. So it opens no file, and no name or link of a repository reaches it.
 * Its regular expressions take linear time for any pattern and text.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { realpathSync } from 'node:fs';
import { dirname } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { badInput, cancelled, LocusError } from '../shared/errors.ts';
import { quoteText } from '../shared/quote.ts';
import { throwIfCancelled } from './cancel.ts';
import { isInside } from './folders.ts';
import { findProgram } from './programs.ts';

export interface RipgrepPattern {
  pattern: string;
  isRegex: boolean;
  ignoreCase: boolean;
}

/** A match that is not empty. Its line is 1-based, its offset and length are in bytes; both count from the start of the input. */
export interface RipgrepMatch {
  line: number;
  offset: number;
  length: number;
}

export interface RipgrepOptions {
  signal?: AbortSignal | undefined;
  /** Milliseconds after which no more input is sent. */
  milliseconds: number;
  /** Returns false to stop. */
  onMatch(match: RipgrepMatch): boolean;
}

const WORK = 'Searching for text';
/** Bytes that are written at once. */
const BATCH_BYTES = 1 << 20;
/** Milliseconds after the last input until ripgrep is killed. */
const PATIENCE_MS = 5_000;
const MAX_SAID = 10_000;

/** Running processes. They are killed when this process exits. */
const running = new Set<ReturnType<typeof spawn>>();
process.on('exit', () => {
  for (const child of running) child.kill('SIGKILL');
});

/**
 * Returns the path of the packaged ripgrep, or else of the one on the PATH.
 * @param root repository, in which no program is used
 * @throws LocusError `not-found` if ripgrep is not installed
 */
export async function findRipgrep(
  root: string,
  env: NodeJS.ProcessEnv = process.env,
  findPackaged = findPackagedRipgrep,
): Promise<string> {
  const packaged = await findPackaged();
  const found =
    (packaged && findProgram([packaged], env, process.platform)) ??
    findProgram(
      ['rg'],
      env,
      process.platform,
      (path) => ![path, realpathSync(path)].some((one) => isInside(one, root)),
    );
  if (found) return found;
  throw new LocusError(
    'not-found',
    'Ripgrep is not installed.',
    'Install Locus again with its optional packages, or put rg on the PATH.',
  );
}

async function findPackagedRipgrep(): Promise<string | null> {
  try {
    return (await import('@vscode/ripgrep')).rgPath;
  } catch {
    // The package has no build for this system, or optional packages were left out.
    return null;
  }
}

/**
 * Searches a stream of texts, each of which ends with a line feed. Returns the number of texts that were sent, and true if all of
 * these were searched: `onMatch` did not stop the search, and ripgrep ended in time.
 * @throws LocusError `bad-input` for an invalid regular expression, `not-found` if ripgrep fails, `cancelled`
 */
export async function searchTexts(
  program: string,
  { pattern, isRegex, ignoreCase }: RipgrepPattern,
  texts: Iterable<readonly Uint8Array[]>,
  { signal, milliseconds, onMatch }: RipgrepOptions,
): Promise<{ sent: number; isComplete: boolean }> {
  throwIfCancelled(signal, WORK);
  const child = spawn(program, createArguments({ pattern, isRegex, ignoreCase }), {
    cwd: dirname(program),
    // It needs no variable, so it gets neither its own settings nor a credential.
    env: process.platform === 'win32' ? { SystemRoot: process.env.SystemRoot } : {},
    stdio: ['pipe', 'pipe', 'pipe'],
    shell: false,
    windowsHide: true,
  });
  running.add(child);
  const run = { said: '', failure: null as Error | null, stopped: false };
  const stop = (failure: Error | null) => {
    run.failure ??= failure;
    run.stopped = true;
    child.kill('SIGKILL');
  };
  const cancel = () => stop(cancelled(WORK));
  signal?.addEventListener('abort', cancel, { once: true });
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    run.said = (run.said + text).slice(0, MAX_SAID);
  });
  const readMatches = createMatchReader();
  child.stdout.on('data', (bytes: Buffer) => {
    if (run.stopped) return;
    try {
      for (const match of readMatches(bytes)) if (!onMatch(match)) return stop(null);
    } catch (error) {
      stop(error as Error);
    }
  });
  // An error here means that ripgrep has ended; its exit code says why.
  child.stdin.on('error', () => {});
  const ended: Promise<number | null> = once(child, 'close').then(
    ([code]) => code,
    (error) => {
      throw createStartError(program, error);
    },
  );
  ended.catch(() => {}); // Awaited after the input.
  const timer = setTimeout(() => stop(null), milliseconds + PATIENCE_MS);
  try {
    const deadline = performance.now() + milliseconds;
    const isOver = () => run.stopped || child.exitCode !== null || performance.now() > deadline;
    const sent = await send(texts, child.stdin, ended, isOver);
    const code = await ended;
    if (run.failure) throw run.failure;
    if (!run.stopped && code !== 0 && code !== 1)
      throw createExitError(run.said, isRegex && code === 2);
    return { sent, isComplete: !run.stopped };
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener('abort', cancel);
    child.kill('SIGKILL');
    running.delete(child);
  }
}

/** Returns the arguments of ripgrep. The pattern is part of an option, so that it can never be an option itself. */
function createArguments({ pattern, isRegex, ignoreCase }: RipgrepPattern): string[] {
  return [
    '--no-config',
    '--text',
    '--encoding=none',
    '--color=never',
    '--no-heading',
    '--no-filename',
    '--line-number',
    '--byte-offset',
    '--only-matching',
    ignoreCase ? '--ignore-case' : '--case-sensitive',
    ...(isRegex ? [] : ['--fixed-strings']),
    `--regexp=${pattern}`,
    '--',
    '-',
  ];
}

/** Writes texts in batches until `isOver`. Other work of this thread gets a turn between two batches. Returns their number. */
async function send(
  texts: Iterable<readonly Uint8Array[]>,
  input: NodeJS.WritableStream,
  ended: Promise<unknown>,
  isOver: () => boolean,
): Promise<number> {
  let sent = 0;
  let batch: Uint8Array[] = [];
  let size = 0;
  const flush = async () => {
    const isFull = !input.write(Buffer.concat(batch));
    batch = [];
    size = 0;
    const drained = () => new Promise((resolve) => input.once('drain', resolve));
    await (isFull ? Promise.race([drained(), ended]) : nextTurn());
  };
  for (const text of texts) {
    batch.push(...text);
    for (const part of text) size += part.length;
    sent++;
    if (size < BATCH_BYTES) continue;
    await flush();
    if (isOver()) break;
  }
  input.end(Buffer.concat(batch));
  return sent;
}

const COLON = 0x3a;
const LINE_FEED = 0x0a;

/** Returns a function that reads `line:offset:text` from pieces of ripgrep's output. A match has no line feed. */
function createMatchReader(): (piece: Buffer) => Generator<RipgrepMatch> {
  let rest: Buffer = Buffer.alloc(0);
  return function* (piece) {
    const data = rest.length === 0 ? piece : Buffer.concat([rest, piece]);
    let start = 0;
    for (let end = data.indexOf(LINE_FEED); end >= 0; end = data.indexOf(LINE_FEED, start)) {
      const first = data.indexOf(COLON, start);
      const second = data.indexOf(COLON, first + 1);
      const [line, offset] = data.toString('latin1', start, second).split(':').map(Number);
      const length = end - second - 1;
      if (length > 0 && line !== undefined && offset !== undefined) yield { line, offset, length };
      start = end + 1;
    }
    rest = data.subarray(start);
  };
}

function createExitError(said: string, isInvalid: boolean): LocusError {
  const reason = said.match(/(?:^|\n)(?:rg: )?error: ([^\n]+)/)?.[1] ?? said.trim();
  return isInvalid
    ? badInput(
        `The regular expression is invalid: ${quoteText(reason)}.`,
        'Correct it, or search for exact text.',
      )
    : new LocusError(
        'not-found',
        `Ripgrep failed: ${quoteText(reason)}.`,
        'Check that rg --version works.',
      );
}

function createStartError(program: string, error: unknown): LocusError {
  const reason = quoteText((error as Error).message);
  return new LocusError(
    'not-found',
    `Ripgrep did not start: ${reason}.`,
    `Check that ${quoteText(program)} runs.`,
    { cause: error },
  );
}
