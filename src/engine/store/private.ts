/**
 * What Locus keeps is for its user alone: folders have mode 0700, files 0600. Windows gives the user's folder to the
 * user alone already, and knows no modes.
 */
import { chmodSync, closeSync, lstatSync, openSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';

export const PRIVATE_FOLDER = 0o700;
export const PRIVATE_FILE = 0o600;

/** Of the data directory: what Node compiled. */
export const COMPILED_FOLDER = 'compiled';

/** What Locus makes in its data directory. Models are put there by the user. */
const MADE_HERE =
  /^(repositories|compiled|logs|desktop|app\.db.*|app\.lock|verifier\.json.*|publisher\.key|shared-index\.json|fleet\.json)$/;
const PUT_HERE = 'models';

/**
 * Takes from others what earlier versions let them read. A data directory that was there for other things, too, keeps
 * its mode; what Locus made in it does not.
 */
export function protectDataDirectory(folder: string): void {
  if (process.platform === 'win32') return;
  const names = namesIn(folder);
  const ours = names.filter((name) => MADE_HERE.test(name));
  if (ours.length > 0 && names.every((name) => name === PUT_HERE || MADE_HERE.test(name)))
    close(folder, PRIVATE_FOLDER);
  for (const name of ours) protect(join(folder, name));
}

/** A folder that was open to others is gone through once; one that was not hides what is in it. */
function protect(path: string): void {
  const entry = lstatSync(path, { throwIfNoEntry: false });
  if (entry?.isFile()) close(path, PRIVATE_FILE);
  if (!entry?.isDirectory() || !close(path, PRIVATE_FOLDER)) return;
  for (const name of namesIn(path)) protect(join(path, name));
}

/** None of a folder that is not there, or that cannot be listed. */
function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

/** Makes the files of a folder of Locus's own, and itself, private. */
export function protectFolder(folder: string): void {
  if (process.platform === 'win32') return;
  close(folder, PRIVATE_FOLDER);
  for (const entry of readdirSync(folder, { withFileTypes: true }))
    if (entry.isFile()) close(join(folder, entry.name), PRIVATE_FILE);
}

/**
 * An empty file for SQLite to open, unless there is one: it makes files that others can read. Its side files get the
 * mode of the database.
 * @throws the system's error.
 */
export function createPrivateFile(path: string): void {
  try {
    // Never opened when it is there: closing it again would end all locks of this process on it.
    closeSync(openSync(path, 'wx', PRIVATE_FILE));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
}

/** Whether others may do with a file or folder what its owner may. */
export function isOpenToOthers(path: string): boolean {
  return process.platform !== 'win32' && (statSync(path).mode & 0o077) !== 0;
}

/** Returns whether others could get at it. Somebody else's stays as it is. */
function close(path: string, mode: number): boolean {
  try {
    if (!isOpenToOthers(path)) return false;
    chmodSync(path, mode);
  } catch {
    // It went away meanwhile, or belongs to somebody else, who decides who sees it.
  }
  return true;
}
