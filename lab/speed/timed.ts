/** Runs commands and measures them with the system's `time`: Node does not tell the processor time of other processes. */
import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Values } from './figures.ts';

const run = promisify(execFile);
const TIME = '/usr/bin/time';
const MAX_OUTPUT = 1 << 28;

export interface CommandOptions {
  /** Folder for a temporary file. */
  scratch: string;
  cwd?: string;
  env?: NodeJS.ProcessEnv;
  /** Exit codes other than 0 that are no failure, such as that of a search without a match. */
  accepts?: readonly number[];
}

/** Returns the arguments with which `time` writes what it measured to a file, in the system's own format. */
const timeArguments = (report: string): string[] =>
  process.platform === 'darwin' ? ['-l', '-o', report] : ['-v', '-o', report];

/**
 * Runs a command. Returns its output and what it took: seconds by the clock, seconds of processor time of it and all processes
 * that it waited for, and the peak memory of the largest of them in MB.
 *
 * @throws Error with the command and its output if it fails, or if `time` is missing
 */
export async function timeCommand(
  [program = '', ...args]: readonly string[],
  options: CommandOptions,
): Promise<{ output: string; values: Values }> {
  const report = join(options.scratch, 'time.txt');
  const start = performance.now();
  let wall = 0;
  const { stdout } = await run(TIME, [...timeArguments(report), program, ...args], {
    cwd: options.cwd,
    env: options.env,
    maxBuffer: MAX_OUTPUT,
  })
    .catch((error) => {
      if (error.code === 'ENOENT') throw new Error(`${TIME} is missing: apt-get install time`);
      if (options.accepts?.includes(error.code)) return { stdout: '' };
      throw error;
    })
    .finally(() => {
      wall = (performance.now() - start) / 1000;
    });
  return { output: stdout, values: { wall, ...readTimes(readFileSync(report, 'utf8')) } };
}

/** Runs a command that must succeed. Returns what it took. */
export async function runCommand(
  { scratch }: { scratch: string },
  words: readonly string[],
): Promise<Values> {
  return (await timeCommand(words, { scratch })).values;
}

/** Reads what GNU's `time -v` or macOS's `time -l` wrote. */
export function readTimes(report: string): { cpu: number; memory: number } {
  const find = (pattern: RegExp) => Number(pattern.exec(report)?.[1] ?? Number.NaN);
  const gnu = /Maximum resident set size \(kbytes\)/.test(report);
  return gnu
    ? {
        cpu: find(/User time \(seconds\): ([\d.]+)/) + find(/System time \(seconds\): ([\d.]+)/),
        memory: find(/Maximum resident set size \(kbytes\): (\d+)/) / 1024,
      }
    : {
        cpu: find(/([\d.]+) user/) + find(/([\d.]+) sys/),
        memory: find(/(\d+)\s+maximum resident set size/) / 2 ** 20,
      };
}
