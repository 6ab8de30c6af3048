/**
 * Makes the files that Locus stores private to the user: folders have mode 0700, files 0600. Windows has no modes, but the user's folder
 * is already private there.
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

/** Folder in the data directory for logs. */
export const LOGS_FOLDER = 'logs';

/** Folder in the data directory for the sockets of engines that answer commands. */
export const ENGINES_FOLDER = 'engines';

/** Folders and files that Locus creates in its data directory. `test/trust/private-files.test.ts` fails if one is missing here. */
const CREATED_FOLDERS = new Set([
  'repositories',
  'servers',
  'fleet',
  'sample',
  'checks',
  'clones',
  'gguf',
  'setup',
  'adding',
  COMPILED_FOLDER,
  ENGINES_FOLDER,
  LOGS_FOLDER,
  'desktop',
]);
const CREATED_FILES =
  /^(app\.db.*|app\.lock|check\.json.*|check-answers\.jsonl|publisher\.key.*|shared-index.*\.json|fleet\.json|secrets\.lock|\.locus-[0-9a-f]+\.tmp)$/;
/** Folder of models that the user installs. */
const MODELS_FOLDER = 'models';

/** Returns true for the name of a file or folder that Locus creates in its data directory. */
export function isCreatedByLocus(name: string): boolean {
  return CREATED_FOLDERS.has(name) || CREATED_FILES.test(name);
}

/**
 * Makes a data directory private, since earlier versions created it readable for others. A directory that also holds other files keeps
 * its mode, but the files of Locus in it become private.
 */
export function protectDataDirectory(folder: string): void {
  if (process.platform === 'win32') return;
  const names = listFolder(folder);
  const ours = names.filter(isCreatedByLocus);
  if (ours.length > 0 && names.every((name) => name === MODELS_FOLDER || isCreatedByLocus(name)))
    makePrivate(folder);
  for (const name of ours) protectTree(join(folder, name));
}

/** Makes a file or folder private. The content of a folder that is already private is not checked, since nobody else can reach it. */
function protectTree(path: string): void {
  const entry = lstatSync(path, { throwIfNoEntry: false });
  if (entry?.isFile()) makePrivate(path);
  if (!entry?.isDirectory() || !makePrivate(path)) return;
  for (const name of listFolder(path)) protectTree(join(path, name));
}

/** Returns the names in a folder; none if it is missing or unreadable. */
function listFolder(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    // Missing or unreadable.
    return [];
  }
}

/** Makes a folder of Locus and the files directly in it private. */
export function protectFolder(folder: string): void {
  if (process.platform === 'win32') return;
  makePrivate(folder);
  for (const entry of readdirSync(folder, { withFileTypes: true }))
    if (entry.isFile()) makePrivate(join(folder, entry.name));
}

/**
 * Creates an empty private file for SQLite to open, unless it exists, since SQLite would create a file that others can read. SQLite
 * gives its side files the mode of the database.
 * @throws the system's errors
 */
export function ensurePrivateFile(path: string): void {
  try {
    // An existing file is never opened: closing it would release all locks of this process on it.
    closeSync(openSync(path, 'wx', PRIVATE_FILE));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
}

/** Returns true if anyone other than the owner has a permission on a file or folder. Always false on Windows. */
export function isOpenToOthers(path: string): boolean {
  return process.platform !== 'win32' && (statSync(path).mode & 0o077) !== 0;
}

/** Removes all permissions except the owner's. Returns true if others had any. Files of other users stay unchanged. */
function makePrivate(path: string): boolean {
  try {
    if (!isOpenToOthers(path)) return false;
    chmodSync(path, statSync(path).mode & 0o700);
  } catch {
    // It was removed, or it belongs to another user, who decides about it.
  }
  return true;
}

/**
 * Creates a private folder and its missing parents. Node's `recursive` option never returns if creating a folder fails with ENOENT
 * although its parent exists, as in /proc.
 * @throws the system's errors
 */
export function createFolder(path: string): void {
  if (statSync(path, { throwIfNoEntry: false })?.isDirectory()) return;
  try {
    mkdirSync(path, { mode: PRIVATE_FOLDER });
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    // Another process may have created it first.
    if (code === 'EEXIST' && statSync(path).isDirectory()) return;
    const above = dirname(path);
    if (code !== 'ENOENT' || above === path || existsSync(above)) throw error;
    createFolder(above);
    createFolder(path);
  }
}
