import { execFileSync } from 'node:child_process';
import { constants } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ensureProgram } from '../../scripts/debian.ts';

/** Which system calls of a process under `root` fail, and where they are written down; see `faults.c`. */
export interface Faults {
  root: string;
  log?: string;
  error?: 'ENOSPC' | 'EIO' | 'EROFS';
  /** True if the process is killed at the first call that is due, instead of having it fail. */
  isKilled?: boolean;
  /** The first that fails, from 1. */
  at?: number;
  /** All after it fail too. */
  forEver?: boolean;
  /** The last that fails; `at` when left out. */
  last?: number;
}

/** Compiles the library that lets system calls fail, into this folder; returns its path. */
export function compileShim(folder: string): string {
  const shim = join(folder, 'faults.so');
  const source = fileURLToPath(new URL('faults.c', import.meta.url));
  execFileSync(ensureProgram('gcc'), [
    ...['-std=gnu11', '-O2', '-Wall', '-Werror', '-shared', '-fPIC'],
    ...['-o', shim, source, '-ldl'],
  ]);
  return shim;
}

/** The environment of a process whose system calls are to fail. */
export function faultyEnvironment(shim: string, faults: Faults): NodeJS.ProcessEnv {
  const { root, log, error = 'EIO', isKilled = false, at, forEver = false, last = at } = faults;
  return {
    ...process.env,
    LD_PRELOAD: shim,
    FAULTS_ROOT: root,
    FAULTS_ERRNO: String(constants.errno[error]),
    ...(isKilled && { FAULTS_SIGNAL: String(constants.signals.SIGKILL) }),
    ...(log && { FAULTS_LOG: log }),
    ...(at && { FAULTS_AT: String(at), FAULTS_LAST: String(forEver ? 0 : last) }),
  };
}
