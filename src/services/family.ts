/** Starts the index of a worktree or a clone from an index of the same repository, in the same data directory. */
import { createHash } from 'node:crypto';
import { realpathSync, statSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { throwIfCancelled } from '../base/cancel.ts';
import { createFolder, protectFolder } from '../base/private.ts';
import { UntrustedFolder } from '../base/untrusted-folder.ts';
import { writePrivateFile } from '../base/write-file.ts';
import { copyIndex, type UnopenedIndex } from '../engine/index.ts';
import { getRemoteKey, parseRemote } from '../shared/remote-url.ts';
import { readCommonFolder, readPrefix, readRemoteUrl } from './remote/origin.ts';

/** File in an index folder with the keys of its repository's family, one a line. */
const FAMILY_FILE = 'family.txt';
const MAX_FAMILY_BYTES = 10_000;
/** Maximum number of indexes that are examined, the latest ones, and of those that are tried. */
const MAX_EXAMINED = 1000;
const MAX_TRIED = 3;

/**
 * Notes the family of an index, and fills its folder from the latest index of that family if it holds none. Only folders beside it
 * are read. Without a relative, or if copying fails, does nothing.
 * @throws LocusError `cancelled`
 */
export async function startFromFamily(index: UnopenedIndex): Promise<void> {
  const { root, directory, exists, signal } = index;
  if (exists && readFamily(directory) !== null) return;
  if (!(await index.isInGit())) return;
  const family = await computeFamily(root);
  if (!exists) {
    for (const relative of (await listRelatives(directory, family)).slice(0, MAX_TRIED)) {
      throwIfCancelled(signal, 'Indexing');
      if (await copyIndex(relative, directory, signal)) break;
    }
  }
  writeFamily(directory, family);
}

/**
 * Computes the keys of a repository's family. Two repositories are related if they share a key: of the folder with git's objects, which
 * worktrees share, or of the remote `origin`. A clone of a folder has the key of that folder. Keys are digests, since URLs may contain
 * credentials.
 */
async function computeFamily(root: string): Promise<string[]> {
  const place = { root };
  const [common, url, prefix] = await Promise.all([
    readCommonFolder(place),
    readRemoteUrl(place, 'origin'),
    readPrefix(place),
  ]);
  const names = [
    ...(common === null ? [] : listFolderNames(realpathSync(resolve(root, common)))),
    ...(url === null ? [] : listRemoteNames(url)),
  ];
  // Folders of a repository have different paths, so they have nothing to share.
  return [...new Set(names)].map((name) =>
    createHash('sha256').update(`${prefix}\0${name}`).digest('hex'),
  );
}

const listFolderNames = (gitFolder: string): string[] => [
  gitFolder,
  ...(basename(gitFolder) === '.git' ? [dirname(gitFolder)] : []),
];

/** Returns the names of a remote. A path is not looked up, since it may be on another machine. */
function listRemoteNames(url: string): string[] {
  const remote = parseRemote(url);
  if (remote) return [getRemoteKey(remote)];
  try {
    return [resolve(url.startsWith('file:') ? fileURLToPath(url) : url)];
  } catch {
    // No folder of this machine.
    return [];
  }
}

/** Returns the folders of indexes that share a key, the latest first. */
async function listRelatives(directory: string, family: readonly string[]): Promise<string[]> {
  const folder = dirname(directory);
  const names = await readdir(folder).catch(() => []);
  const others = names
    .map((name) => join(folder, name))
    .filter((path) => path !== directory)
    .map((path) => ({ path, usedMs: getUsedMs(path) }))
    .sort((a, b) => b.usedMs - a.usedMs)
    .slice(0, MAX_EXAMINED);
  const isRelated = (path: string) => readFamily(path)?.some((key) => family.includes(key));
  return others.flatMap(({ path }) => (isRelated(path) ? path : []));
}

/** Returns the time when an index was last opened, in milliseconds since 1970; 0 if it is missing. */
function getUsedMs(folder: string): number {
  const times = ['index.db', 'index.db-wal'].map(
    (name) => statSync(join(folder, name), { throwIfNoEntry: false })?.mtimeMs ?? 0,
  );
  return Math.max(...times);
}

/** Returns the keys in an index folder; null if they were not noted. */
function readFamily(folder: string): string[] | null {
  try {
    const note = new UntrustedFolder(folder, 'bad-store').readSync(FAMILY_FILE, MAX_FAMILY_BYTES);
    return note && String(note).split('\n').filter(Boolean);
  } catch {
    // Unreadable: the index has no known relatives.
    return null;
  }
}

function writeFamily(folder: string, family: readonly string[]): void {
  try {
    createFolder(folder);
    protectFolder(folder);
    writePrivateFile(join(folder, FAMILY_FILE), family.map((key) => `${key}\n`).join(''));
  } catch {
    // The note only saves work.
  }
}
