/** Operations on files that a kill must not break, and what is left of one that was killed at any of its system calls. */
import { spawnSync } from 'node:child_process';
import { cpSync, readdirSync, rmSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Faults, faultyEnvironment } from './shim.ts';

/** Contents by name, without what differs from run to run. */
export type Digest = Record<string, readonly string[]>;

/** Changes files in a folder. Done again after a kill, it ends where a run that was not killed ends. */
export interface Operation {
  /** Fills the new folder with what is there before. */
  prepare(folder: string): void | Promise<void>;
  /**
   * Does the work. Runs in a process of its own, then once more in the test's.
   * @param acknowledge is told a line for all that must not be lost from then on
   */
  run(folder: string, acknowledge: (line: string) => void): void | Promise<void>;
  /** Returns all that was stored. */
  digest(folder: string): Digest | Promise<Digest>;
  /** Writes something else there some day, which removes temporary files that the operation had no reason to look for. */
  writeLater?(folder: string): unknown;
  /** Looks at what a kill left, before the operation is done again. Throws for what must not be. */
  checkKilled?(folder: string, acknowledged: readonly string[]): void;
}

/** End of a process that did an operation. */
export interface OperationEnd {
  code: number | null;
  signal: NodeJS.Signals | null;
  /** Lines that the process printed to acknowledge its work. */
  lines: string[];
  errors: string;
}

const SCRIPT = fileURLToPath(new URL('./run-operation.ts', import.meta.url));
const DAY_MS = 24 * 3600_000;

/**
 * Does an operation in a process of its own.
 * @param module path of the module that exports it, among others, as its default
 */
export function runOperation(
  shim: string,
  module: string,
  name: string,
  faults: Faults,
): OperationEnd {
  // The code that Node compiles is cached: such a process spends most of its time on compiling.
  const env = { ...faultyEnvironment(shim, faults), NODE_COMPILE_CACHE: `${shim}.compiled` };
  const { status, signal, stdout, stderr } = spawnSync(
    process.execPath,
    [SCRIPT, module, name, faults.root],
    { encoding: 'utf8', timeout: 300_000, env },
  );
  const lines = stdout.split('\n').slice(0, -1);
  return { code: status, signal, lines, errors: stderr };
}

/** Puts a copy of a folder in place of another. */
export function restore(folder: string, template: string): void {
  rmSync(folder, { recursive: true, force: true });
  cpSync(template, folder, { recursive: true, preserveTimestamps: true });
}

/** Lists all files below a folder whose names say that they are to get another one. */
export function temporaryFiles(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((path) =>
    /\.(tmp|new)$|\.salvage-\w+$/.test(path),
  );
}

/** Makes temporary files look two days old. */
export function ageTemporaryFiles(folder: string): void {
  const then = new Date(Date.now() - 2 * DAY_MS);
  for (const path of temporaryFiles(folder)) utimesSync(join(folder, path), then, then);
}
