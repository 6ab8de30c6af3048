/** The folders of this machine as a window may see them: all, or those in one allowed folder. */

import { realpathSync } from 'node:fs';
import { readdir, realpath, stat } from 'node:fs/promises';
import { homedir } from 'node:os';
import { basename, dirname, isAbsolute, join, resolve } from 'node:path';
import { isInside } from '../base/folders.ts';
import { findRepositories, whyUnlisted } from '../services/several/discover.ts';
import { badInput } from '../shared/errors.ts';
import type { FolderListing, FoundRepositories } from '../shared/folders.ts';

const SHOWN = 2000;

/**
 * What a client names by a path: one that depended on where the engine was started would tell of that place.
 * @throws LocusError `bad-input` for a relative path.
 */
export function checkWhole(path: string): void {
  if (isAbsolute(path)) return;
  throw badInput(`${path} is not a whole path`, 'give one from the top folder');
}

/** Where git stops in its search for the repository: at the only folder that may be read, which may be one; nothing around it is looked at. */
export const ceilingOf = (allowedRoot: string | null): string | undefined =>
  allowedRoot === null ? undefined : dirname(allowedRoot);

export const gitPlaceOf = ({ root, within }: { root: string; within: string | null }) => ({
  root,
  ceiling: ceilingOf(within),
});

/**
 * Lists the folders in `path`, hidden ones last; null is where to begin.
 * @throws LocusError `bad-input` when it cannot be read or is outside `allowedRoot`.
 */
export async function listFolders(
  path: string | null,
  allowedRoot: string | null,
): Promise<FolderListing> {
  if (path !== null) checkWhole(path);
  const folder = resolve(path ?? allowedRoot ?? homedir());
  await checkAllowed(folder, allowedRoot);
  const names = await namesOfFolders(folder);
  const folders = await Promise.all(
    names.slice(0, SHOWN).map(async (name) => {
      const child = join(folder, name);
      return { name, path: child, repository: await exists(join(child, '.git')) };
    }),
  );
  const atTop = dirname(folder) === folder || (allowedRoot && folder === resolve(allowedRoot));
  return {
    path: folder,
    parent: atTop ? null : dirname(folder),
    folders,
    hidden: Math.max(0, names.length - SHOWN),
  };
}

/**
 * Symbolic links do not lead out of the allowed root.
 * @param named as the client named the folder; where a link leads is not for it to know.
 * @throws LocusError `bad-input` when `folder` is outside of it, or is not there.
 */
export async function checkAllowed(
  folder: string,
  allowedRoot: string | null,
  named = folder,
): Promise<void> {
  if (allowedRoot === null) return;
  const real = await realpath(folder).catch(() => resolve(folder));
  if (isInside(real, realpathSync(allowedRoot))) return;
  throw badInput(
    `${named} is outside of ${allowedRoot}`,
    'start locus serve with --root <folder> to allow another folder',
  );
}

/**
 * The repositories in a folder.
 * @throws LocusError `bad-input` when it is outside `allowedRoot`, `bad-repository` when none is in it
 */
export async function listRepositories(
  path: string,
  allowedRoot: string | null,
  signal: AbortSignal,
): Promise<FoundRepositories> {
  checkWhole(path);
  await checkAllowed(resolve(path), allowedRoot, path);
  return findRepositories(path, signal);
}

async function namesOfFolders(folder: string): Promise<string[]> {
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
    const hidden = (name: string) => Number(name.startsWith('.'));
    return names
      .filter((name) => name !== null)
      .sort((a, b) => hidden(a) - hidden(b) || a.localeCompare(b));
  } catch (error) {
    throw badInput(
      `${basename(folder) || folder} cannot be listed: ${whyUnlisted(error)}`,
      'choose another folder',
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
