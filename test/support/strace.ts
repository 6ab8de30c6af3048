import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { isAbsolute, join, resolve } from 'node:path';
import { ensureProgram } from '../../scripts/debian.ts';

/** System call as strace prints it, with the paths of file descriptors. */
export interface Call {
  name: string;
  args: string[];
  /** `0`, `21</tmp/file>`, `-1 ENOENT (No such file or directory)`; `?` if the process ended first. */
  result: string;
  /** Folder to which paths are relative; null if the trace has not shown it yet. */
  cwd: string | null;
}

export interface Traced {
  pid: number;
  /** Resolves with the output when the program and all its child processes have ended. */
  ended: Promise<{ code: number | null; stdout: string; stderr: string }>;
  /** Resolves with the first line of output, or with all output if the program ended before. */
  firstLine: Promise<string>;
  /** Returns the calls so far, in order within each thread. */
  calls(): Call[];
  kill(signal: NodeJS.Signals): void;
}

export interface TraceOptions {
  /** New folder for the trace. */
  folder: string;
  /** Names of system calls, with a `?` in front if some machines lack it. */
  calls: readonly string[];
  /** Faults for strace to inject, in its syntax: `socket:error=EACCES`. */
  inject?: readonly string[];
  cwd: string;
  env: Record<string, string>;
}

/** Starts a program under `strace`, including its threads and child processes. */
export function trace([program, ...args]: readonly string[], options: TraceOptions): Traced {
  const { folder, calls, inject = [], cwd, env } = options;
  mkdirSync(folder);
  const child = spawn(
    ensureProgram('strace'),
    [
      // The tracer is not the parent, so signals and the exit code are the program's own.
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
    // strace holds the pipes too, so the trace is complete when they are closed.
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
    if (args[0].startsWith('AT_FDCWD')) cwd = readDescriptorPath(args[0]);
    calls.push({ name, args, result, cwd });
    if (result === '0') cwd = nextFolder(name, args, cwd);
  }
  return calls;
}

function nextFolder(name: string, [to]: string[], cwd: string | null): string | null {
  if (name === 'fchdir') return readDescriptorPath(to);
  if (name !== 'chdir') return cwd;
  const path = readString(to)!;
  return isAbsolute(path) ? path : cwd && resolve(cwd, path);
}

/** Splits at commas outside of strings, brackets and paths. */
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

/** Returns the text of a string argument; null for `NULL` and all others. */
export function readString(arg: string | undefined): string | null {
  const quoted = /^"((?:[^"\\]|\\.)*)"/.exec(arg ?? '');
  if (!quoted) return null;
  const escapes: Record<string, string> = { n: '\n', t: '\t', r: '\r', v: '\v', f: '\f' };
  const bytes = quoted[1].replace(/\\([0-7]{1,3}|.)/g, (_, code: string) =>
    /^[0-7]/.test(code) ? String.fromCharCode(Number.parseInt(code, 8)) : (escapes[code] ?? code),
  );
  return Buffer.from(bytes, 'latin1').toString();
}

/** Returns the path of a file descriptor: `21</tmp/file>`, `AT_FDCWD</tmp>`; null for all others. */
export function readDescriptorPath(arg: string | undefined): string | null {
  return /^(?:\d+|AT_FDCWD)<(\/.*?)>/.exec(arg ?? '')?.[1] ?? null;
}
