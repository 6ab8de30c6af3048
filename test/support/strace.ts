import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { isAbsolute, join, resolve } from 'node:path';
import { ensureProgram } from '../../scripts/debian.ts';

/** A system call as strace prints it, with the files that descriptors stand for. */
export interface Call {
  name: string;
  args: string[];
  /** `0`, `21</tmp/file>`, `-1 ENOENT (No such file or directory)`; `?` when the process ended first. */
  result: string;
  /** The folder that relative paths are meant from; null where the trace has not told it yet. */
  cwd: string | null;
}

export interface Traced {
  pid: number;
  /** Resolves with what the program printed, when it and all that it started have ended. */
  ended: Promise<{ code: number | null; stdout: string; stderr: string }>;
  /** The first line that it prints, or all that it printed when it ended before. */
  firstLine: Promise<string>;
  /** The calls so far, in order within a thread. */
  calls(): Call[];
  kill(signal: NodeJS.Signals): void;
}

export interface TraceOptions {
  /** A new folder that the trace goes to. */
  folder: string;
  /** Names of system calls; a `?` in front where not every machine has it. */
  calls: readonly string[];
  /** What strace is to interfere with, in its own words: `socket:error=EACCES`. */
  inject?: readonly string[];
  cwd: string;
  env: Record<string, string>;
}

/** Starts a program under `strace`, which follows it into threads and child processes. */
export function trace([program, ...args]: readonly string[], options: TraceOptions): Traced {
  const { folder, calls, inject = [], cwd, env } = options;
  mkdirSync(folder);
  const child = spawn(
    ensureProgram('strace'),
    [
      // The tracer is no parent: signals and the exit code are the program's own.
      ...['-D', '-f', '-ff', '-o', join(folder, 'trace'), '-qq', '--seccomp-bpf'],
      ...[
        '-y',
        '-s',
        '4096',
        '-e',
        'signal=none',
        '-e',
        `trace=${[...calls, 'chdir', 'fchdir'].join()}`,
      ],
      ...inject.flatMap((what) => ['-e', `inject=${what}`]),
      ...['--', program, ...args],
    ],
    { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] },
  );
  const printed = { stdout: '', stderr: '' };
  const firstLine = new Promise<string>((resolve) => {
    child.once('close', () => resolve(printed.stdout));
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      printed.stdout += text;
      if (printed.stdout.includes('\n')) resolve(printed.stdout.split('\n', 1)[0]);
    });
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    printed.stderr += text;
  });
  return {
    pid: child.pid!,
    // strace holds the pipes too, so that the trace is whole when they are closed.
    ended: once(child, 'close').then(([code]) => ({ code: code as number | null, ...printed })),
    firstLine,
    calls: () => readdirSync(folder).flatMap((file) => readTrace(join(folder, file))),
    kill: (signal) => void child.kill(signal),
  };
}

/** Reads the trace of one thread. */
function readTrace(file: string): Call[] {
  const calls: Call[] = [];
  let cwd: string | null = null;
  for (const line of readFileSync(file, 'utf8').split('\n')) {
    const parts = /^(\w+)\((.*?)(?:\)\s+= (.*)| <unfinished \.\.\.>)$/.exec(line);
    if (!parts) continue;
    const [, name, text, result = '?'] = parts;
    const args = splitArguments(text);
    if (args[0].startsWith('AT_FDCWD')) cwd = fileIn(args[0]);
    calls.push({ name, args, result, cwd });
    if (result === '0') cwd = folderAfter(name, args, cwd);
  }
  return calls;
}

function folderAfter(name: string, [to]: string[], cwd: string | null): string | null {
  if (name === 'fchdir') return fileIn(to);
  if (name !== 'chdir') return cwd;
  const path = stringIn(to)!;
  return isAbsolute(path) ? path : cwd && resolve(cwd, path);
}

/** Splits at commas outside of strings, brackets and files. */
function splitArguments(text: string): string[] {
  const args = [''];
  let depth = 0;
  for (const [piece] of text.matchAll(/"(?:[^"\\]|\\.)*"|<[^>]*>|, |[\s\S]/g)) {
    if (piece === ', ' && depth === 0) args.push('');
    else args[args.length - 1] += piece;
    if ('([{'.includes(piece)) depth++;
    else if (')]}'.includes(piece)) depth--;
  }
  return args;
}

/** The text of an argument that is a string; null for `NULL` and all others. */
export function stringIn(arg: string | undefined): string | null {
  const quoted = /^"((?:[^"\\]|\\.)*)"/.exec(arg ?? '');
  if (!quoted) return null;
  const escapes: Record<string, string> = { n: '\n', t: '\t', r: '\r', v: '\v', f: '\f' };
  const bytes = quoted[1].replace(/\\([0-7]{1,3}|.)/g, (_, code: string) =>
    /^[0-7]/.test(code) ? String.fromCharCode(Number.parseInt(code, 8)) : (escapes[code] ?? code),
  );
  return Buffer.from(bytes, 'latin1').toString();
}

/** The file that a descriptor stands for: `21</tmp/file>`, `AT_FDCWD</tmp>`; null for all others. */
export function fileIn(arg: string | undefined): string | null {
  return /^(?:\d+|AT_FDCWD)<(\/.*?)>/.exec(arg ?? '')?.[1] ?? null;
}
