import { execFileSync } from 'node:child_process';
import { constants } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ensureProgram } from '../../scripts/debian.ts';

/** System calls of a process under `root` that are to fail, and their log; see `faults.c`. */
export interface Faults {
  root: string;
  log?: string;
  error?: 'ENOSPC' | 'EIO' | 'EROFS';
  /** True if the process is killed at the first of these calls instead. */
  isKilled?: boolean;
  /** Number of the first call that fails, from 1. */
  at?: number;
  /** True if all later calls fail too. */
  forEver?: boolean;
  /** Number of the last call that fails. Default: `at`. */
  last?: number;
}

/** Compiles the library that makes system calls fail into a folder. Returns its path. */
export function compileShim(folder: string): string {
  const shim = join(folder, 'faults.so');
  const source = fileURLToPath(new URL('faults.c', import.meta.url));
  execFileSync(ensureProgram('gcc'), [
    ...['-std=gnu11', '-O2', '-Wall', '-Werror', '-shared', '-fPIC'],
    ...['-o', shim, source, '-ldl'],
  ]);
  return shim;
}

/** Returns the environment of a process whose system calls are to fail. */
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
