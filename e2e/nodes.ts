/** Installs programs for tests from npm, where each platform's program is a package without scripts. */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';

/**
 * Returns the path of a Node version in the user's cache, and installs it if needed.
 *
 * @param tag version, prefix of one, or `latest`.
 * @throws Error if npm cannot install it.
 */
export function ensureNode(tag: string): string {
  const name = `node-${process.platform}-${process.arch}`;
  return ensurePackage(`node-${tag}`, `${name}@${tag}`, `${name}/bin/node`);
}

/**
 * Returns the path of a program of an npm package in the user's cache, and installs the package if needed.
 *
 * @param label name of the folder in the cache.
 * @param program path in `node_modules`.
 * @throws Error if npm cannot install it.
 */
export function ensurePackage(label: string, specifier: string, program: string): string {
  const folder = join(homedir(), '.cache/locus-lab', label);
  const path = join(folder, 'node_modules', program);
  if (!existsSync(path)) {
    mkdirSync(folder, { recursive: true });
    const options = ['--prefix', folder, '--no-audit', '--no-fund', '--ignore-scripts'];
    execFileSync('npm', ['install', ...options, specifier], {
      stdio: ['ignore', 'ignore', 'inherit'],
    });
  }
  return path;
}
