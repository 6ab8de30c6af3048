/** Lists and checks the folders that a window may use: all, or those in one allowed folder. */

import { realpathSync } from 'node:fs';
import { readdir, realpath, stat } from 'node:fs/promises';
import { homedir } from 'node:os';
import { basename, dirname, isAbsolute, join, resolve } from 'node:path';
import { isInside } from '../base/folders.ts';
import { explainListingError, findRepositories } from '../services/workspace/discover.ts';
import { badInput } from '../shared/errors.ts';
import type { FolderListing, RepositoryListing } from '../shared/folders.ts';

const MAX_LISTED = 2000;

/**
 * Checks that a path is absolute. A relative one would depend on the folder in which the engine was started.
 * @throws LocusError `bad-input` for a relative path
 */
export function checkAbsolute(path: string): void {
  if (isAbsolute(path)) return;
  throw badInput(`${path} is not an absolute path.`, 'Give an absolute path.');
}

/** Returns the folder at which git stops searching for a repository, so that it reads nothing outside of the allowed root. */
export const getGitCeiling = (allowedRoot: string | null): string | undefined =>
  allowedRoot === null ? undefined : dirname(allowedRoot);

export const toGitFolder = ({ root, within }: { root: string; within: string | null }) => ({
  root,
  ceiling: getGitCeiling(within),
});

/**
 * Lists the folders in `path`, hidden ones last. Null lists the allowed root or the home folder.
 * @throws LocusError `bad-input` if it cannot be read or is outside `allowedRoot`
 */
export async function listFolders(
  path: string | null,
  allowedRoot: string | null,
): Promise<FolderListing> {
  if (path !== null) checkAbsolute(path);
  const folder = resolve(path ?? allowedRoot ?? homedir());
  await checkAllowed(folder, allowedRoot);
  const names = await listFolderNames(folder);
  const folders = await Promise.all(
    names.slice(0, MAX_LISTED).map(async (name) => {
      const child = join(folder, name);
      return { name, path: child, repository: await exists(join(child, '.git')) };
    }),
  );
  const atTop = dirname(folder) === folder || (allowedRoot && folder === resolve(allowedRoot));
  return {
    path: folder,
    parent: atTop ? null : dirname(folder),
    folders,
    hidden: Math.max(0, names.length - MAX_LISTED),
  };
}

/**
 * Checks that a folder is inside the allowed root, after resolving symbolic links. The error does not name the folder, since
 * it must not reveal the target of a link.
 * @throws LocusError `bad-input` if `folder` is outside of it
 */
export async function checkAllowed(folder: string, allowedRoot: string | null): Promise<void> {
  if (allowedRoot === null) return;
  const real = await realpath(folder).catch(() => resolve(folder));
  if (isInside(real, realpathSync(allowedRoot))) return;
  throw badInput(
    `Only folders in ${allowedRoot} can be opened here.`,
    'To open others, start Locus with: locus serve --root <folder>.',
  );
}

/**
 * Lists the repositories in a folder.
 * @throws LocusError `bad-input` if the folder is outside `allowedRoot`, `bad-repository` if it contains none
 */
export async function listRepositories(
  path: string,
  allowedRoot: string | null,
  signal: AbortSignal,
): Promise<RepositoryListing> {
  checkAbsolute(path);
  await checkAllowed(resolve(path), allowedRoot);
  return findRepositories(path, signal);
}

async function listFolderNames(folder: string): Promise<string[]> {
  try {
    const entries = await readdir(folder, { withFileTypes: true });
    const names = await Promise.all(
      entries.map(async (entry) =>
        entry.isDirectory() ||
        (entry.isSymbolicLink() && (await isFolder(join(folder, entry.name))))
          ? entry.name
          : null,
      ),
    );
    const toHiddenRank = (name: string) => Number(name.startsWith('.'));
    return names
      .filter((name) => name !== null)
      .sort((a, b) => toHiddenRank(a) - toHiddenRank(b) || a.localeCompare(b));
  } catch (error) {
    throw badInput(
      `${basename(folder) || folder} cannot be listed: ${explainListingError(error)}.`,
      'Choose another folder.',
      { cause: error },
    );
  }
}

const isFolder = (path: string) =>
  stat(path).then(
    (found) => found.isDirectory(),
    () => false,
  );

export const exists = (path: string): Promise<boolean> =>
  stat(path).then(
    () => true,
    () => false,
  );
