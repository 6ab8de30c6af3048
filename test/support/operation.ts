/** Runs operations on files in processes that are killed at a system call, and checks their files. */
import { spawnSync } from 'node:child_process';
import { cpSync, readdirSync, rmSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Faults, faultyEnvironment } from './shim.ts';

/** Contents by name, without values that differ from run to run. */
export type Digest = Record<string, readonly string[]>;

/** Changes files in a folder. Repeated after a kill, it has the same outcome as a run that was not killed. */
export interface Operation {
  /** Fills a new folder with the files that the operation starts from. */
  prepare(folder: string): void | Promise<void>;
  /**
   * Does the work. Runs in a process of its own, then once more in the test's.
   * @param acknowledge called with a line for everything that must not be lost from then on
   */
  run(folder: string, acknowledge: (line: string) => void): void | Promise<void>;
  /** Returns all that was stored. */
  digest(folder: string): Digest | Promise<Digest>;
  /** Writes something else later, which removes temporary files that repeating the operation leaves. */
  writeLater?(folder: string): unknown;
  /** Checks the files after a kill, before the operation is repeated. Throws if they are wrong. */
  checkKilled?(folder: string, acknowledged: readonly string[]): void;
}

/** Outcome of a process that ran an operation. */
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
 * Runs an operation in a separate process.
 * @param module path of the module whose default export contains it
 */
export function runOperation(
  shim: string,
  module: string,
  name: string,
  faults: Faults,
): OperationEnd {
  // The compiled code is cached, since such a process spends most of its time on compiling.
  const env = { ...faultyEnvironment(shim, faults), NODE_COMPILE_CACHE: `${shim}.compiled` };
  const { status, signal, stdout, stderr } = spawnSync(
    process.execPath,
    [SCRIPT, module, name, faults.root],
    { encoding: 'utf8', timeout: 300_000, env },
  );
  const lines = stdout.split('\n').slice(0, -1);
  return { code: status, signal, lines, errors: stderr };
}

/** Replaces a folder by a copy of another. */
export function restore(folder: string, template: string): void {
  rmSync(folder, { recursive: true, force: true });
  cpSync(template, folder, { recursive: true, preserveTimestamps: true });
}

/** Lists all temporary files below a folder, by their names. */
export function listTemporaryFiles(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((path) =>
    /\.(tmp|new)$|\.salvage-\w+$/.test(path),
  );
}

/** Makes temporary files look two days old. */
export function ageTemporaryFiles(folder: string): void {
  const then = new Date(Date.now() - 2 * DAY_MS);
  for (const path of listTemporaryFiles(folder)) utimesSync(join(folder, path), then, then);
}
