/** In the folder of an index: which repository it was made from. The folder's own name has a digest of that only. */
import { existsSync, readFileSync, realpathSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { indexFolderName } from './locations.ts';

const FILE = 'root.txt';

/** Notes it where that is not done yet; an index that cannot be written to goes without. */
export function noteRoot({ folder, root }: { folder: string; root: string }): void {
  const file = join(folder, FILE);
  try {
    if (!existsSync(file)) writeFileSync(file, `${realpathSync(root)}\n`, { mode: 0o600 });
  } catch {
    // It only helps people to tell indexes apart.
  }
}

/** The repository of an index; null where it was not noted, or not of this index. */
export function notedRoot(folder: string, id: string): string | null {
  try {
    const root = readFileSync(join(folder, FILE), 'utf8').trimEnd();
    return indexFolderName(root) === id ? root : null;
  } catch {
    return null;
  }
}
