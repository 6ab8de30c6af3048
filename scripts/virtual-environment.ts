/** Virtual environments of Python in the user's cache, each by what its file of requirements says. */
import { execFileSync } from 'node:child_process';
import { hash } from 'node:crypto';
import { readFileSync, rmSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { installOnDebian } from './debian.ts';

/**
 * Where the environment of a file of requirements is, or would be: other requirements have another one.
 * @param name of the folder in the cache that has all of this kind.
 */
export function environmentFolder(name: string, requirements: string): string {
  const digest = hash('sha1', readFileSync(requirements)).slice(0, 12);
  return join(homedir(), '.cache', name, `python-${digest}`);
}

/**
 * Makes the environment; what an interrupted try left is made anew.
 * @throws Error when Python is missing and cannot be installed, or a package cannot be had.
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
