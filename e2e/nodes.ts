/** Versions of Node for tests, from npm: each is a package for a system and processor that holds the program and runs no script. */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';

/**
 * The path of a Node, which is kept in the user's cache.
 *
 * @param tag a version or the beginning of one, or `latest`.
 * @throws Error when npm cannot install it.
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
