/** Checks read access to a repository that is a folder: whoever can read the files that git reads may read the repository. */
import { constants } from 'node:fs';
import { access, opendir, readFile, stat } from 'node:fs/promises';
import { join, resolve } from 'node:path';

/** Maximum number of files and folders checked in a repository's object storage. A larger repository counts as unreadable. */
const MAX_STORED = 100_000;
/** Maximum number of files and folders checked in the working tree. The rest is checked only in the object storage. */
const MAX_SOURCES = 20_000;
/** Maximum length of a chain of object storages that share objects (git alternates). */
const MAX_ALTERNATES = 10;

/**
 * Returns true if this process can read `HEAD`, every file of the object storage and of its alternates, and the files of the working
 * tree whose names do not start with a dot. All code is in the object storage. The working tree shows what its owner made private.
 */
export async function canReadRepository(folder: string): Promise<boolean> {
  try {
    const git = await findGitFolders(folder);
    if (!git) return false;
    const { head, objects, isBare } = git;
    if ((await readShort(head)) === null || !(await canReadObjects(objects))) return false;
    return isBare || (await walk(folder, { max: MAX_SOURCES, isStorage: false })) !== 'denied';
  } catch {
    // An error while reading means that access is denied.
    return false;
  }
}

interface GitFolders {
  head: string;
  objects: string;
  isBare: boolean;
}

async function findGitFolders(folder: string): Promise<GitFolders | null> {
  const dotGit = join(folder, '.git');
  const kind = await stat(dotGit).catch(() => null);
  const own = kind?.isFile() ? await readGitFile(dotGit, folder) : kind ? dotGit : folder;
  if (own === null) return null;
  const common = (await readShort(join(own, 'commondir')))?.trim();
  return {
    head: join(own, 'HEAD'),
    objects: join(common ? resolve(own, common) : own, 'objects'),
    isBare: kind === null,
  };
}

async function readGitFile(path: string, folder: string): Promise<string | null> {
  const target = /^gitdir: (.+)/.exec((await readShort(path)) ?? '')?.[1];
  return target === undefined ? null : resolve(folder, target.trim());
}

/** Reads a file with a few paths; null if it is missing, too large or not a regular file. */
async function readShort(path: string): Promise<string | null> {
  const found = await stat(path).catch(() => null);
  return found?.isFile() && found.size < 100_000 ? readFile(path, 'utf8') : null;
}

async function canReadObjects(first: string): Promise<boolean> {
  const storages = new Set([first]);
  for (const objects of storages) {
    if (storages.size > MAX_ALTERNATES) return false;
    if ((await walk(objects, { max: MAX_STORED, isStorage: true })) !== 'all') return false;
    const borrowed = (await readShort(join(objects, 'info/alternates'))) ?? '';
    for (const line of borrowed.split('\n'))
      if (line !== '' && !line.startsWith('#')) storages.add(resolve(objects, line));
  }
  return true;
}

interface WalkOptions {
  max: number;
  /** True for object storage, where names with a dot and links to files count, and a link to a folder cannot be checked. */
  isStorage: boolean;
}

/** Checks all files below a folder, breadth first. Returns `part` if there are more than `max`. */
async function walk(
  root: string,
  { max, isStorage }: WalkOptions,
): Promise<'all' | 'part' | 'denied'> {
  const folders = [root];
  let checked = 0;
  for (const folder of folders) {
    if (!(await canRead(folder, constants.R_OK | constants.X_OK))) return 'denied';
    const files: string[] = [];
    // Throws if the root is missing.
    const entries = await opendir(folder).catch((error: NodeJS.ErrnoException) => {
      if (folder === root || error.code !== 'ENOENT') throw error;
      return [];
    });
    for await (const entry of entries) {
      if (!isStorage && entry.name.startsWith('.')) continue;
      const path = join(folder, entry.name);
      if (entry.isDirectory()) folders.push(path);
      else if (entry.isFile()) files.push(path);
      else if (isStorage) {
        if (!(await stat(path)).isFile()) return 'denied';
        files.push(path);
      }
      if (++checked > max) return 'part';
    }
    const readable = await Promise.all(files.map((path) => canRead(path)));
    if (readable.includes(false)) return 'denied';
  }
  return 'all';
}

/** Returns true also for a file that disappeared since it was listed: git removes objects that it packs. */
async function canRead(path: string, mode = constants.R_OK): Promise<boolean> {
  return access(path, mode).then(
    () => true,
    ({ code }: NodeJS.ErrnoException) => code === 'ENOENT',
  );
}
