import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';

/**
 * Returns the path of a program. Installs its Debian package first if it is missing and the user is root.
 * @param name of the program and, unless said otherwise, of its package.
 * @throws Error with a remedy if it is missing and cannot be installed.
 */
export function ensureProgram(name: string, debianPackage = name): string {
  const found = findProgram(name);
  if (found) return found;
  installOnDebian(debianPackage);
  const installed = findProgram(name);
  if (installed) return installed;
  throw new Error(`the package ${debianPackage} was installed, but ${name} is not on the PATH`);
}

/** Installs a package. @throws Error if this is not Debian, the user is not root, or the installation fails. */
export function installOnDebian(debianPackage: string): void {
  if (process.getuid?.() !== 0 || !existsSync('/usr/bin/apt-get'))
    throw new Error(`install ${debianPackage} first (on Debian: apt install ${debianPackage})`);
  console.error(`Installing the package ${debianPackage}.`);
  const apt = (...args: string[]) =>
    execFileSync('apt-get', args, {
      stdio: ['ignore', 'ignore', 'inherit'],
      env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
    });
  apt('update', '-qq');
  apt('install', '-y', '-qq', '--no-install-recommends', debianPackage);
}

function findProgram(name: string): string | undefined {
  const folders = (process.env.PATH ?? '').split(delimiter);
  return folders.map((folder) => join(folder, name)).find((path) => existsSync(path));
}
