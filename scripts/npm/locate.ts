/**
 * Finds the packages that a platform's package contains: those of this machine in `node_modules`, those of other platforms in the
 * registry. What is downloaded is stored in the user's cache.
 */
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';

/** A version of a package, and its digest in the form of a lockfile: `sha512-…`. */
export interface PinnedPackage {
  version: string;
  integrity: string;
}

const CACHE = join(homedir(), '.cache/locus-lab/packages');

/**
 * Returns the folder of a package, and downloads it if it is not installed.
 *
 * @param root of the project.
 * @param pinned another version than the installed one.
 * @throws Error if the lockfile does not list the package, or if the download fails or has another digest
 */
export function locatePackage(root: string, name: string, pinned?: PinnedPackage): string {
  const installed = join(root, 'node_modules', name);
  if (!pinned && existsSync(join(installed, 'package.json'))) return installed;
  return downloadPackage(name, pinned ?? readLocked(root, name));
}

function readLocked(root: string, name: string): PinnedPackage {
  const { packages } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'));
  const locked: PinnedPackage | undefined = packages[`node_modules/${name}`];
  if (locked) return locked;
  throw new Error(`${name} is neither installed nor in package-lock.json`);
}

function downloadPackage(name: string, { version, integrity }: PinnedPackage): string {
  const folder = join(CACHE, `${name.replace('/', '+')}-${version}`);
  if (existsSync(folder)) return folder;
  mkdirSync(CACHE, { recursive: true });
  const scratch = mkdtempSync(join(CACHE, 'download-'));
  try {
    const packed = execFileSync(
      'npm',
      ['pack', `${name}@${version}`, '--json', '--pack-destination', scratch],
      {
        encoding: 'utf8',
        stdio: ['ignore', 'pipe', 'ignore'],
        shell: process.platform === 'win32',
      },
    );
    const [{ filename }] = JSON.parse(packed);
    checkIntegrity(readFileSync(join(scratch, filename)), integrity, `${name} ${version}`);
    execFileSync('tar', ['xzf', filename], { cwd: scratch });
    renameSync(join(scratch, 'package'), folder);
    return folder;
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}

/** @throws Error that names the package if its bytes have another digest */
export function checkIntegrity(bytes: Uint8Array, integrity: string, name: string): void {
  const digest = `sha512-${createHash('sha512').update(bytes).digest('base64')}`;
  if (digest !== integrity)
    throw new Error(`${name} has the digest ${digest} instead of ${integrity}`);
}
