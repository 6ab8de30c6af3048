/**
 * Pipes, sockets and devices in the place of files. Reading one may never end, and git waits for them without a word, so
 * that they have to be found before, or while, git reads.
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
import { grouped } from '../../shared/grouped.ts';
import { quoted } from '../../shared/quoted.ts';
import { describeKind, NO_FOLLOW, NO_WAIT } from '../untrusted-folder.ts';

/** Bytes of a pointer file, such as `HEAD` and `commondir`. */
const MAX_POINTER_BYTES = 2 ** 20;
/** Maximum bytes of a file that git reads in one piece, such as its config. */
const MAX_GIT_FILE_BYTES = 2 ** 24;

/** Never blocks on a pipe or a device that took the file's place, and follows no link. */
export const OPEN_FLAGS = constants.O_RDONLY | NO_FOLLOW;

/** A text file of someone else's, or why it was not read; null when it is not there. */
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
    const kind = specialKind(found);
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

/** Names a kind of file whose content may have no end; null for files, folders and links. */
function specialKind(stat: Stats): string | null {
  const isOrdinary = stat.isFile() || stat.isDirectory() || stat.isSymbolicLink();
  return isOrdinary ? null : describeKind(stat);
}

export interface SpecialFile {
  path: string;
  what: string;
}

export function specialFileError({ path, what }: SpecialFile): LocusError {
  return new LocusError(
    'bad-repository',
    `${quoted(path)} is ${what}, and git would wait for it for ever`,
    'Remove it, or put the file there that belongs there.',
  );
}

/** Files of a repository that git reads; `true`: those that are never large. */
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
 * Looks at the files that git reads before anything else. They may become others a moment later; then the limit on
 * git's silence ends it.
 * @throws LocusError `bad-repository` when one is special or far too large.
 */
export function refuseSpecialGitFiles(folder: string): void {
  for (const gitFolder of gitFolders(folder)) {
    for (const [name, small] of Object.entries(GIT_FILES)) {
      refuse(join(gitFolder, name), small);
    }
    const branch = /^ref: (refs\/[^\0\n]+)/.exec(textOf(join(gitFolder, 'HEAD')))?.[1];
    if (branch) refuse(join(gitFolder, branch), true);
  }
}

/** The folder that git takes for its own when it is started in `folder`, and the one that it shares with others. */
function gitFolders(folder: string): string[] {
  const own = gitFolderOf(folder);
  if (!own) return [];
  const common = textOf(join(own, 'commondir')).trimEnd();
  return common === '' ? [own] : [own, resolve(own, common)];
}

function gitFolderOf(folder: string): string | null {
  for (let above = folder; ; above = dirname(above)) {
    const place = join(above, '.git');
    refuse(place, true);
    const stat = statIfThere(place);
    if (stat?.isDirectory()) return place;
    const target = stat && /^gitdir: (.+)/.exec(textOf(place))?.[1];
    if (target) return resolve(above, target);
    // In any folder git opens a file of this name, to see whether it is a bare repository.
    refuse(join(above, 'HEAD'), false);
    if (['HEAD', 'objects', 'refs'].every((name) => statIfThere(join(above, name)))) return above;
    if (dirname(above) === above) return null;
  }
}

function refuse(path: string, small: boolean): void {
  const stat = statIfThere(path);
  if (!stat) return;
  const what = specialKind(stat);
  if (what) throw specialFileError({ path, what });
  if (!small || !stat.isFile() || stat.size <= MAX_GIT_FILE_BYTES) return;
  throw new LocusError(
    'bad-repository',
    `${quoted(path)} has ${grouped(stat.size)} bytes`,
    'Such files have a few thousand at most. Put the file there that belongs there.',
  );
}

/** Follows links, as git does for files of its own. */
function statIfThere(path: string): Stats | null {
  try {
    return statSync(path);
  } catch {
    // It is missing or unreadable.
    return null;
  }
}

function textOf(path: string): string {
  const file = readSmallFile(path, MAX_POINTER_BYTES, { followLinks: true });
  return file && 'text' in file ? file.text : '';
}

function specialAt(path: string): SpecialFile | null {
  const stat = statIfThere(path);
  const what = stat && specialKind(stat);
  return what ? { path, what } : null;
}

/** Folders that are looked at when git is silent, and how many between two chances for other work of this thread. */
const MOST_FOLDERS = 100_000;
const FOLDERS_PER_TURN = 50;
const IGNORE_FILES = new Set(['.gitignore', '.gitattributes', '.mailmap']);

/**
 * Finds an ignore, attributes or mailmap file in or above a folder that git would wait for, or null. Ends early when `isEnough`.
 */
export async function findSpecialIgnoreFile(
  folder: string,
  isEnough: () => boolean,
): Promise<SpecialFile | null> {
  for (let above = dirname(folder); dirname(above) !== above; above = dirname(above)) {
    for (const name of IGNORE_FILES) {
      const found = specialAt(join(above, name));
      if (found) return found;
    }
  }
  const pending = [folder];
  let read = 0;
  for (let place = pending.pop(); place !== undefined; place = pending.pop()) {
    if (++read > MOST_FOLDERS || isEnough()) return null;
    if (read % FOLDERS_PER_TURN === 0) await nextTurn();
    for (const child of childrenOf(place)) {
      const path = join(place, child.name);
      if (child.isDirectory()) {
        if (basename(path) !== '.git') pending.push(path);
      } else if (IGNORE_FILES.has(child.name) && !child.isFile()) {
        const found = specialAt(path);
        if (found) return found;
      }
    }
  }
  return null;
}

function childrenOf(folder: string) {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch {
    // It is missing or unreadable.
    return [];
  }
}
