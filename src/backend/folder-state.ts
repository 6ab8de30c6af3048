import { access, constants, opendir, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { FolderState } from '../shared/folders.ts';
import { checkAllowed } from './folders.ts';

/** What has become of a folder that was opened before; `wasRepository`: it was in a git repository then. */
export async function folderState(
  root: string,
  wasRepository: boolean,
  allowedRoot: string | null,
): Promise<FolderState> {
  try {
    const found = await stat(root);
    if (!found.isDirectory()) return 'not-a-folder';
    await (await opendir(root)).close();
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    return code === 'ENOENT' || code === 'ENOTDIR' ? 'missing' : 'unreadable';
  }
  try {
    await checkAllowed(root, allowedRoot);
  } catch {
    return 'not-allowed';
  }
  return wasRepository && !(await isInRepository(root)) ? 'no-repository' : 'there';
}

/** Whether a folder is in a git working tree, or is a bare repository. */
export async function isInRepository(folder: string): Promise<boolean> {
  if ((await exists(join(folder, 'HEAD'))) && (await exists(join(folder, 'objects')))) return true;
  for (let above = folder; ; above = dirname(above)) {
    if (await exists(join(above, '.git'))) return true;
    if (dirname(above) === above) return false;
  }
}

const exists = (path: string): Promise<boolean> =>
  access(path, constants.F_OK).then(
    () => true,
    () => false,
  );
