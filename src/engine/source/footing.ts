/**
 * Identities of what a followed folder depends on: the folder itself and the git repository around it. Comparing them
 * costs a few system calls, asks no git and writes nothing.
 */
import { accessSync, constants, lstatSync, readdirSync, realpathSync, statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { describeMissingFolder } from '../../base/git/git.ts';
import { readSmallFile } from '../../base/git/special-files.ts';
import { LocusError } from '../../shared/errors.ts';

/** Entries of a git folder without which git sees no repository; `commondir` is in those of linked worktrees. */
const ESSENTIAL = ['HEAD', 'objects', 'refs', 'commondir'];
/** Bytes of a `.git` file, which holds one path. */
const LARGEST_POINTER = 8192;
const VALID = 'valid';

/** Returns a text that differs once the folder, or the git repository around it, is removed, replaced, moved or locked. */
export function readFooting(root: string): string {
  const gitEntry = findGitEntry(root);
  const git = gitEntry === null ? [] : describeGit(gitEntry);
  return [identify(root), findRootFailure(root)?.message ?? '', gitEntry ?? '', ...git].join('\n');
}

/**
 * Returns `device:inode:birth:type and permissions` without following links, or the system's code for a path that cannot be seen. A new
 * folder may have the inode of the removed one, so its birth is part of it.
 */
export function identify(path: string): string {
  try {
    const { dev, ino, birthtimeNs, mode } = lstatSync(path, { bigint: true });
    return `${dev}:${ino}:${birthtimeNs}:${mode}`;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code ?? 'unknown';
  }
}

/** Returns why the files of a folder cannot be listed; null if they can. `root` had its links resolved. */
export function findRootFailure(root: string): LocusError | null {
  try {
    const real = realpathSync.native(root);
    if (real !== root) return linked(root, real);
    if (!statSync(root).isDirectory()) return gone(root);
    accessSync(root, constants.R_OK | constants.X_OK);
    return null;
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    return code === 'ENOENT' || code === 'ENOTDIR' ? gone(root) : unreadable(root, message);
  }
}

/** Returns true if a folder has no entries, as the place of a drive has that was taken away. */
export function isEmptyFolder(folder: string): boolean {
  try {
    return readdirSync(folder).length === 0;
  } catch {
    // It is missing or unreadable, which is said elsewhere.
    return false;
  }
}

export function gone(root: string): LocusError {
  return new LocusError('bad-repository', ...describeMissingFolder(root));
}

function linked(root: string, real: string): LocusError {
  return new LocusError(
    'bad-repository',
    `${root} is now reached through a link, which leads to ${real}.`,
    'Open the folder that the link leads to, or put the folder back.',
  );
}

function unreadable(root: string, message: string): LocusError {
  return new LocusError(
    'bad-repository',
    `${root} cannot be read: ${message}.`,
    'Check its permissions. Locus goes on by itself when it can be read.',
  );
}

/** Returns true if a folder lies in a git repository, as far as can be told without asking git. */
export function isInGit(root: string): boolean {
  const entry = findGitEntry(root);
  if (entry === null) return false;
  const [, text = '', , head, ...found] = describeGit(entry);
  return head === VALID && (text !== '' || found.includes('objects'));
}

function findGitEntry(root: string): string | null {
  for (let folder = root; ; folder = dirname(folder)) {
    const entry = join(folder, '.git');
    if (identify(entry) !== 'ENOENT') return entry;
    if (dirname(folder) === folder) return null;
  }
}

function describeGit(entry: string): string[] {
  const pointer = readSmallFile(entry, LARGEST_POINTER, { followLinks: false });
  const text = pointer && 'text' in pointer ? pointer.text : '';
  const target = /^gitdir: (.{1,4096})/.exec(text)?.[1];
  const folder = target === undefined ? entry : resolve(dirname(entry), target);
  const found = ESSENTIAL.map(
    (name) => /^E[A-Z]+$/.exec(identify(join(folder, name)))?.[0] ?? name,
  );
  return [identify(entry), text, identify(folder), describeHead(folder), ...found];
}

/** Git takes a folder with any other HEAD for no repository. */
function describeHead(folder: string): string {
  const head = readSmallFile(join(folder, 'HEAD'), LARGEST_POINTER, { followLinks: true });
  const text = head && 'text' in head ? head.text : '';
  return /^(ref: ?refs\/|[0-9a-f]{40})/.test(text) ? VALID : 'invalid';
}
