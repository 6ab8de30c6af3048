/**
 * Identifies a followed folder and the git repository around it. Comparing identities takes a few system calls, runs no
 * git and writes nothing.
 */
import { accessSync, constants, lstatSync, readdirSync, realpathSync, statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { describeMissingFolder } from '../../base/git/git.ts';
import { readSmallFile } from '../../base/git/special-files.ts';
import { LocusError } from '../../shared/errors.ts';

/** Entries of a git folder without which git finds no repository; linked worktrees have `commondir`. */
const ESSENTIAL = ['HEAD', 'objects', 'refs', 'commondir'];
/** Maximum size in bytes of a `.git` file, which contains one path. */
const MAX_POINTER_BYTES = 8192;
const VALID = 'valid';

/** Returns a text that differs once the folder, or the git repository around it, is removed, replaced, moved or locked. */
export function readFingerprint(root: string): string {
  const gitEntry = findGitEntry(root);
  const git = gitEntry === null ? [] : describeGit(gitEntry);
  return [identifyPath(root), findRootFailure(root)?.message ?? '', gitEntry ?? '', ...git].join(
    '\n',
  );
}

/**
 * Returns `device:inode:birth time:type and permissions` without following links, or the system's error code. The birth time
 * is included because a new folder may have the inode of a removed one.
 */
export function identifyPath(path: string): string {
  try {
    const { dev, ino, birthtimeNs, mode } = lstatSync(path, { bigint: true });
    return `${dev}:${ino}:${birthtimeNs}:${mode}`;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code ?? 'unknown';
  }
}

/** Returns the error that keeps a folder from being listed; null if none exists. `root` has its links resolved. */
export function findRootFailure(root: string): LocusError | null {
  try {
    const real = realpathSync.native(root);
    if (real !== root) return createLinkedError(root, real);
    if (!statSync(root).isDirectory()) return createMissingFolderError(root);
    accessSync(root, constants.R_OK | constants.X_OK);
    return null;
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    return code === 'ENOENT' || code === 'ENOTDIR'
      ? createMissingFolderError(root)
      : createUnreadableError(root, message);
  }
}

/** Returns true if a folder has no entries, like the mount point of a drive that was removed. */
export function isEmptyFolder(folder: string): boolean {
  try {
    return readdirSync(folder).length === 0;
  } catch {
    // It is missing or unreadable, which `findRootFailure` reports.
    return false;
  }
}

export function createMissingFolderError(root: string): LocusError {
  return new LocusError('bad-repository', ...describeMissingFolder(root));
}

function createLinkedError(root: string, real: string): LocusError {
  return new LocusError(
    'bad-repository',
    `${root} is now reached through a link to ${real}.`,
    'Open the target of the link, or restore the folder.',
  );
}

function createUnreadableError(root: string, message: string): LocusError {
  return new LocusError(
    'bad-repository',
    `${root} cannot be read: ${message}.`,
    'Check its permissions. Locus continues as soon as it can read the folder.',
  );
}

/** Returns true if a folder is in a git repository, as far as can be told without running git. */
export function isInGit(root: string): boolean {
  const entry = findGitEntry(root);
  if (entry === null) return false;
  const [, text = '', , head, ...found] = describeGit(entry);
  return head === VALID && (text !== '' || found.includes('objects'));
}

function findGitEntry(root: string): string | null {
  for (let folder = root; ; folder = dirname(folder)) {
    const entry = join(folder, '.git');
    if (identifyPath(entry) !== 'ENOENT') return entry;
    if (dirname(folder) === folder) return null;
  }
}

function describeGit(entry: string): string[] {
  const pointer = readSmallFile(entry, MAX_POINTER_BYTES, { followLinks: false });
  const text = pointer && 'text' in pointer ? pointer.text : '';
  const target = /^gitdir: (.{1,4096})/.exec(text)?.[1];
  const folder = target === undefined ? entry : resolve(dirname(entry), target);
  const found = ESSENTIAL.map(
    (name) => /^E[A-Z]+$/.exec(identifyPath(join(folder, name)))?.[0] ?? name,
  );
  return [identifyPath(entry), text, identifyPath(folder), describeHead(folder), ...found];
}

/** Returns `valid` if git accepts the HEAD of a folder; with any other HEAD, it finds no repository. */
function describeHead(folder: string): string {
  const head = readSmallFile(join(folder, 'HEAD'), MAX_POINTER_BYTES, { followLinks: true });
  const text = head && 'text' in head ? head.text : '';
  return /^(ref: ?refs\/|[0-9a-f]{40})/.test(text) ? VALID : 'invalid';
}
