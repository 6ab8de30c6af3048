/** Checks folders that a user or a repository names. */
import { accessSync, constants, realpathSync, statSync } from 'node:fs';
import { relative, resolve, sep } from 'node:path';
import { LocusError } from '../shared/errors.ts';
import { rejectEmptyPath } from '../shared/folders.ts';

/** Returns true if a path is a folder or inside it. The links of both must be resolved. */
export function isInside(path: string, folder: string): boolean {
  const way = relative(folder, path);
  return way === '' || (way !== '..' && !way.startsWith(`..${sep}`) && resolve(way) !== way);
}

/** Returns an existing folder's path with links resolved. @throws LocusError `bad-repository` */
export function realFolder(root: string): string {
  rejectEmptyPath(root);
  try {
    const folder = realpathSync.native(resolve(root));
    if (statSync(folder).isDirectory()) {
      // Programs cannot start in a folder that is not accessible.
      accessSync(folder, constants.X_OK);
      return folder;
    }
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code !== 'ENOENT' && code !== 'ENOTDIR') {
      throw new LocusError(
        'bad-repository',
        `${root} cannot be opened: ${message}.`,
        'Check its permissions.',
      );
    }
    throw new LocusError(
      'bad-repository',
      `${root} does not exist.`,
      'Enter the path of a folder.',
    );
  }
  throw new LocusError(
    'bad-repository',
    `${root} is a file.`,
    'Enter the folder that contains it.',
  );
}
