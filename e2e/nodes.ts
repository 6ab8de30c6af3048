/** Installs versions of Node for tests from npm, where each platform's program is a package without scripts. */
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
  const folder = join(homedir(), '.cache/locus-lab', `node-${tag}`);
  const name = `node-${process.platform}-${process.arch}`;
  const program = join(folder, 'node_modules', name, 'bin/node');
  if (!existsSync(program)) {
    mkdirSync(folder, { recursive: true });
    execFileSync(
      'npm',
      [
        'install',
        '--prefix',
        folder,
        '--no-audit',
        '--no-fund',
        '--ignore-scripts',
        `${name}@${tag}`,
      ],
      { stdio: ['ignore', 'ignore', 'inherit'] },
    );
  }
  return program;
}
