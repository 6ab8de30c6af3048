/**
 * Finds pipes, sockets and devices where git expects files. Reading one may never end, and git waits for them silently. They
 * must therefore be found before git reads them, or while it waits.
 */

import {
  closeSync,
  constants,
  fstatSync,
  openSync,
  readdirSync,
  readSync,
  type Stats,
  statSync,
} from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { LocusError } from '../../shared/errors.ts';
import { formatCount } from '../../shared/format-count.ts';
import { quoteText } from '../../shared/quote.ts';
import { describeKind, NO_FOLLOW, NO_WAIT } from '../untrusted-folder.ts';

/** Maximum bytes of a pointer file, such as `HEAD` and `commondir`. */
const MAX_POINTER_BYTES = 2 ** 20;
/** Maximum bytes of a file that git reads in one piece, such as its config. */
const MAX_GIT_FILE_BYTES = 2 ** 24;

/** Flags that open a file without following links, and without blocking on a pipe or device in its place. */
export const OPEN_FLAGS = constants.O_RDONLY | NO_FOLLOW;

/** Text of an untrusted file, or the reason why it was not read; null if it is missing. */
export type SmallFile = { text: string } | { problem: string } | null;

/** Reads a file of at most `limit` bytes. Never waits and never throws. */
export function readSmallFile(
  path: string,
  limit: number,
  { followLinks }: { followLinks: boolean },
): SmallFile {
  let file: number;
  try {
    const found = statSync(path, { throwIfNoEntry: false });
    if (!found) return null;
    const kind = describeSpecialKind(found);
    if (kind) return { problem: `${kind}, not a file` };
    file = openSync(path, followLinks ? constants.O_RDONLY | NO_WAIT : OPEN_FLAGS);
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ENOTDIR') return null;
    return { problem: code === 'ELOOP' ? 'a symbolic link' : message };
  }
  try {
    const stat = fstatSync(file);
    if (!stat.isFile()) return { problem: 'not a regular file' };
    if (stat.size > limit) return { problem: `${stat.size} bytes, of at most ${limit}` };
    const bytes = Buffer.allocUnsafe(stat.size);
    return { text: bytes.toString('utf8', 0, readSync(file, bytes, 0, bytes.length, 0)) };
  } catch (error) {
    return { problem: (error as Error).message };
  } finally {
    closeSync(file);
  }
}

/** Returns the kind of a special file, whose content may never end; null for files, folders and links. */
function describeSpecialKind(stat: Stats): string | null {
  const isOrdinary = stat.isFile() || stat.isDirectory() || stat.isSymbolicLink();
  return isOrdinary ? null : describeKind(stat);
}

export interface SpecialFile {
  path: string;
  what: string;
}

export function createSpecialFileError({ path, what }: SpecialFile): LocusError {
  return new LocusError(
    'bad-repository',
    `${quoteText(path)} is ${what}, and git would wait for it forever.`,
    'Remove it, or replace it by a regular file.',
  );
}

/** Files of a repository that git reads; true for those that are never large. */
const GIT_FILES = {
  HEAD: true,
  config: true,
  'config.worktree': true,
  commondir: true,
  gitdir: true,
  index: false,
  'packed-refs': false,
  shallow: false,
  'info/exclude': true,
  'info/attributes': true,
  'info/grafts': false,
  'info/sparse-checkout': true,
  'objects/info/alternates': true,
  'objects/info/commit-graph': false,
  'objects/pack/multi-pack-index': false,
};

/**
 * Checks the files that git reads first. If they are replaced after the check, the limit on git's silence stops it.
 * @throws LocusError `bad-repository` if one is a special file or far too large.
 */
export function refuseSpecialGitFiles(folder: string): void {
  for (const gitFolder of findGitFolders(folder)) {
    for (const [name, small] of Object.entries(GIT_FILES)) {
      refuse(join(gitFolder, name), small);
    }
    const branch = /^ref: (refs\/[^\0\n]+)/.exec(readText(join(gitFolder, 'HEAD')))?.[1];
    if (branch) refuse(join(gitFolder, branch), true);
  }
}

/** Returns the git folder that git uses in `folder`, and the common one that it shares with other working trees. */
export function findGitFolders(folder: string): string[] {
  const own = findGitFolder(folder);
  if (!own) return [];
  const common = readText(join(own, 'commondir')).trimEnd();
  return common === '' ? [own] : [own, resolve(own, common)];
}

function findGitFolder(folder: string): string | null {
  for (let above = folder; ; above = dirname(above)) {
    const place = join(above, '.git');
    refuse(place, true);
    const stat = statOrNull(place);
    if (stat?.isDirectory()) return place;
    const target = stat && /^gitdir: (.+)/.exec(readText(place))?.[1];
    if (target) return resolve(above, target);
    // In every folder, git opens a file of this name to detect bare repositories.
    refuse(join(above, 'HEAD'), false);
    if (['HEAD', 'objects', 'refs'].every((name) => statOrNull(join(above, name)))) return above;
    if (dirname(above) === above) return null;
  }
}

function refuse(path: string, small: boolean): void {
  const stat = statOrNull(path);
  if (!stat) return;
  const what = describeSpecialKind(stat);
  if (what) throw createSpecialFileError({ path, what });
  if (!small || !stat.isFile() || stat.size <= MAX_GIT_FILE_BYTES) return;
  throw new LocusError(
    'bad-repository',
    `${quoteText(path)} is too large: ${formatCount(stat.size)} bytes.`,
    'Such files have a few thousand bytes at most. Restore the original file.',
  );
}

/** Returns the status of a file, or null if it is missing or unreadable. Follows links, as git does for its own files. */
function statOrNull(path: string): Stats | null {
  try {
    return statSync(path);
  } catch {
    // Missing or unreadable.
    return null;
  }
}

function readText(path: string): string {
  const file = readSmallFile(path, MAX_POINTER_BYTES, { followLinks: true });
  return file && 'text' in file ? file.text : '';
}

function findSpecialFile(path: string): SpecialFile | null {
  const stat = statOrNull(path);
  const what = stat && describeSpecialKind(stat);
  return what ? { path, what } : null;
}

/** Maximum number of folders checked when git is silent, and number of folders checked before other work of this thread may run. */
const MAX_FOLDERS = 100_000;
const FOLDERS_PER_TURN = 50;
const IGNORE_FILES = new Set(['.gitignore', '.gitattributes', '.mailmap']);

/**
 * Finds an ignore, attributes or mailmap file in or above a folder that is a pipe, a socket or a device. Returns null if none is, or early
 * if `shouldStop` returns true.
 */
export async function findSpecialIgnoreFile(
  folder: string,
  shouldStop: () => boolean,
): Promise<SpecialFile | null> {
  for (let above = dirname(folder); dirname(above) !== above; above = dirname(above)) {
    for (const name of IGNORE_FILES) {
      const found = findSpecialFile(join(above, name));
      if (found) return found;
    }
  }
  const pending = [folder];
  let read = 0;
  for (let place = pending.pop(); place !== undefined; place = pending.pop()) {
    if (++read > MAX_FOLDERS || shouldStop()) return null;
    if (read % FOLDERS_PER_TURN === 0) await nextTurn();
    for (const child of listChildren(place)) {
      const path = join(place, child.name);
      if (child.isDirectory()) {
        if (basename(path) !== '.git') pending.push(path);
      } else if (IGNORE_FILES.has(child.name) && !child.isFile()) {
        const found = findSpecialFile(path);
        if (found) return found;
      }
    }
  }
  return null;
}

function listChildren(folder: string) {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch {
    // Missing or unreadable: nothing to check.
    return [];
  }
}
