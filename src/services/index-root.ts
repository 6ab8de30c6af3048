/** In the folder of an index: which repository it was made from. The folder's own name has a digest of that only. */
import { realpathSync } from 'node:fs';
import { join } from 'node:path';
import { UntrustedFolder } from '../base/untrusted-folder.ts';
import { writePrivateFile } from '../base/write-file.ts';
import { indexFolderName } from './locations.ts';

const FILE = 'root.txt';
/** Bytes of a path, at most. */
const MAX_ROOT_BYTES = 100_000;

/** Writes the note unless it is there; an index that cannot be written to goes without. */
export function noteRoot({ folder, root }: { folder: string; root: string }): void {
  const file = join(folder, FILE);
  try {
    const note = `${realpathSync(root)}\n`;
    if (readNote(folder) !== note) writePrivateFile(file, note);
  } catch {
    // It only helps people to tell indexes apart.
  }
}

/** The repository of an index; null where it was not noted, or not of this index. */
export function notedRoot(folder: string, id: string): string | null {
  try {
    const root = readNote(folder).trimEnd();
    return indexFolderName(root) === id ? root : null;
  } catch {
    // It was not noted.
    return null;
  }
}

function readNote(folder: string): string {
  return String(new UntrustedFolder(folder, 'bad-store').readSync(FILE, MAX_ROOT_BYTES) ?? '');
}
