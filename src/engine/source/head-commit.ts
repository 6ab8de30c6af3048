import { existsSync, lstatSync } from 'node:fs';
import { join } from 'node:path';
import { readSmallFile } from '../../base/git/special-files.ts';

/** Maximum size in bytes of a file that names a branch or a commit. */
const MAX_BYTES = 4096;
const COMMIT = /^[0-9a-f]{40}(?:[0-9a-f]{24})?$/;
const BRANCH = /^ref: (refs\/heads\/[\w/.-]{1,1000})$/;

/**
 * Reads the commit that is checked out in the top folder of a repository. Returns null if git has to be asked: in a subfolder, a linked
 * worktree, or a repository that stores its branches in another way. Starting git takes 10 ms.
 */
export function readHeadCommit(root: string): string | null {
  const folder = join(root, '.git');
  const isPlain = lstatSync(folder, { throwIfNoEntry: false })?.isDirectory();
  if (!isPlain || existsSync(join(folder, 'commondir'))) return null;
  const head = readLine(join(folder, 'HEAD'));
  if (COMMIT.test(head)) return head;
  const branch = BRANCH.exec(head)?.[1];
  if (branch === undefined || branch.includes('..')) return null;
  const commit = readLine(join(folder, branch));
  return COMMIT.test(commit) ? commit : null;
}

/** Returns the only line of a file; empty if it has several or cannot be read. */
function readLine(path: string): string {
  const file = readSmallFile(path, MAX_BYTES, { followLinks: false });
  return file && 'text' in file ? (/^(.*)\n?$/.exec(file.text)?.[1] ?? '') : '';
}
