/**
 * Makes the files that Locus stores private to its user: folders have mode 0700, files 0600. Windows has no modes, and
 * the user's folder is private there already.
 */
import {
  chmodSync,
  closeSync,
  existsSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  statSync,
} from 'node:fs';
import { dirname, join } from 'node:path';

const PRIVATE_FOLDER = 0o700;
export const PRIVATE_FILE = 0o600;

/** Folder in the data directory for code that Node compiled. */
export const COMPILED_FOLDER = 'compiled';

/** Folders and files that Locus makes in its data directory; `test/trust/private-files.test.ts` notices what is missing here. */
const FOLDERS_MADE = new Set([
  'repositories',
  'servers',
  'fleet',
  'sample',
  COMPILED_FOLDER,
  'logs',
  'desktop',
]);
const FILES_MADE =
  /^(app\.db.*|app\.lock|verifier\.json.*|publisher\.key.*|shared-index.*\.json|fleet\.json|secrets\.lock|\.locus-[0-9a-f]+\.tmp)$/;
/** Folder of models that the user puts there. */
const PUT_HERE = 'models';

/** Returns true for what Locus makes in its data directory, by the name that it has there. */
export function isMadeByLocus(name: string): boolean {
  return FOLDERS_MADE.has(name) || FILES_MADE.test(name);
}

/**
 * Takes from others what earlier versions let them read. A data directory that was there for other things, too, keeps
 * its mode; what Locus made in it does not.
 */
export function protectDataDirectory(folder: string): void {
  if (process.platform === 'win32') return;
  const names = namesIn(folder);
  const ours = names.filter(isMadeByLocus);
  if (ours.length > 0 && names.every((name) => name === PUT_HERE || isMadeByLocus(name)))
    close(folder);
  for (const name of ours) protect(join(folder, name));
}

/** A folder that was open to others is gone through once; one that was not hides what is in it. */
function protect(path: string): void {
  const entry = lstatSync(path, { throwIfNoEntry: false });
  if (entry?.isFile()) close(path);
  if (!entry?.isDirectory() || !close(path)) return;
  for (const name of namesIn(path)) protect(join(path, name));
}

/** None of a folder that is not there, or that cannot be listed. */
function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    // It is missing or unreadable.
    return [];
  }
}

/** Makes the files of a folder of Locus's own, and itself, private. */
export function protectFolder(folder: string): void {
  if (process.platform === 'win32') return;
  close(folder);
  for (const entry of readdirSync(folder, { withFileTypes: true }))
    if (entry.isFile()) close(join(folder, entry.name));
}

/**
 * Creates an empty file for SQLite to open, unless there is one: SQLite creates files that others can read. Its side files
 * get the mode of the database.
 * @throws the system's errors
 */
export function ensurePrivateFile(path: string): void {
  try {
    // Never opened when it is there: closing it again would end all locks of this process on it.
    closeSync(openSync(path, 'wx', PRIVATE_FILE));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
}

/** Returns true if anyone but the owner has any right on a file or folder. Always false on Windows. */
export function isOpenToOthers(path: string): boolean {
  return process.platform !== 'win32' && (statSync(path).mode & 0o077) !== 0;
}

/** Takes every right on a file or folder from all but its owner. Returns true if others had one; somebody else's stays as it is. */
function close(path: string): boolean {
  try {
    if (!isOpenToOthers(path)) return false;
    chmodSync(path, statSync(path).mode & 0o700);
  } catch {
    // It went away meanwhile, or belongs to somebody else, who decides who sees it.
  }
  return true;
}

/**
 * Creates a folder for this user alone, and the missing folders above it. Node's own way (`recursive`) never ends if creating a
 * folder fails with ENOENT although the one above it exists, as in /proc.
 * @throws the system's errors
 */
export function makeFolder(path: string): void {
  if (statSync(path, { throwIfNoEntry: false })?.isDirectory()) return;
  try {
    mkdirSync(path, { mode: PRIVATE_FOLDER });
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    // Another process may have been faster.
    if (code === 'EEXIST' && statSync(path).isDirectory()) return;
    const above = dirname(path);
    if (code !== 'ENOENT' || above === path || existsSync(above)) throw error;
    makeFolder(above);
    makeFolder(path);
  }
}
