/** Python virtual environments in the user's cache, one for each content of a requirements file. */
import { execFileSync } from 'node:child_process';
import { hash } from 'node:crypto';
import { readFileSync, rmSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { installOnDebian } from './debian.ts';

/**
 * Returns the path of the environment for a requirements file, whether it exists or not.
 * @param name of the cache folder for environments of this kind.
 */
export function environmentFolder(name: string, requirements: string): string {
  const digest = hash('sha1', readFileSync(requirements)).slice(0, 12);
  return join(homedir(), '.cache', name, `python-${digest}`);
}

/**
 * Creates the environment, and replaces one that was left incomplete.
 * @throws Error if Python is missing and cannot be installed, or a package cannot be downloaded.
 */
export function makeEnvironment(folder: string, requirements: string): void {
  rmSync(folder, { recursive: true, force: true });
  const quietly = (program: string, args: string[]) =>
    execFileSync(program, args, { stdio: ['ignore', 'ignore', 'inherit'] });
  try {
    quietly('python3', ['-m', 'venv', folder]);
  } catch {
    installOnDebian('python3-venv');
    rmSync(folder, { recursive: true, force: true });
    quietly('python3', ['-m', 'venv', folder]);
  }
  const install = ['-m', 'pip', 'install', '--quiet', '--disable-pip-version-check', '-r'];
  quietly(join(folder, 'bin/python'), [...install, requirements]);
}
