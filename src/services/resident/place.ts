/**
 * Finds the sockets of resident engines, and checks who may use them. A socket is in a folder of the data directory that only its owner can
 * open, or in such a folder for temporary files if the path would be too long.
 */
import { createHash, createHmac, randomBytes } from 'node:crypto';
import { chmodSync, lstatSync, mkdirSync, realpathSync, type Stats } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { createFolder, ENGINES_FOLDER, PRIVATE_FILE } from '../../base/private.ts';
import { UntrustedFolder } from '../../base/untrusted-folder.ts';
import { createFile } from '../../base/write-file.ts';
import { getOwnBuild } from './build.ts';

const KEY_FILE = 'key';
const KEY_BYTES = 32;
/** Maximum bytes of a socket's path; macOS allows 103, Linux 107. */
const MAX_PATH_BYTES = 100;
const ID_DIGITS = 12;

/** A socket's address, and the secret that both ends must know. */
export interface EnginePlace {
  address: string;
  key: Buffer;
}

/** Returns the folder of a data directory with what processes need to find each other. */
export const getEnginesFolder = (data: string): string => join(resolve(data), ENGINES_FOLDER);

/**
 * Returns the place of an engine if other processes could not have made it; null if there is none.
 * @param name what the engine serves
 */
export function findPlace(data: string, name: string): EnginePlace | null {
  const key = readKey(data);
  if (!key) return null;
  const address = getAddress(data, name, key);
  const isOurs = isPipe(address) || (isPrivateFolder(dirname(address)) && isPrivateSocket(address));
  return isOurs ? { address, key } : null;
}

/**
 * Returns the place for a new engine, and creates its folders and the key.
 * @throws the system's errors; Error if another user can reach the folder
 */
export function preparePlace(data: string, name: string): EnginePlace {
  const folder = getEnginesFolder(data);
  createFolder(folder);
  if (process.getuid && isOwn(lstatSync(folder))) chmodSync(folder, 0o700);
  if (!isPrivateFolder(folder)) throw notPrivate(folder);
  createFile(join(folder, KEY_FILE), randomBytes(KEY_BYTES), PRIVATE_FILE);
  const key = readKey(data);
  if (!key) throw notPrivate(join(folder, KEY_FILE));
  const address = getAddress(data, name, key);
  const parent = dirname(address);
  if (!isPipe(address) && parent !== folder) {
    mkdirSync(parent, { recursive: true, mode: 0o700 });
    if (!isPrivateFolder(parent)) throw notPrivate(parent);
  }
  return { address, key };
}

const notPrivate = (path: string) => new Error(`${path} belongs to others`);

/** Reads the key; null if it is missing, or if others may have written or read it. */
function readKey(data: string): Buffer | null {
  const folder = getEnginesFolder(data);
  try {
    if (!isPrivateFolder(folder)) return null;
    const found = lstatSync(join(folder, KEY_FILE));
    const isSafe = !process.getuid || (isOwn(found) && isClosed(found));
    const key = isSafe
      ? new UntrustedFolder(folder, 'bad-store').readSync(KEY_FILE, KEY_BYTES)
      : null;
    return key?.length === KEY_BYTES ? key : null;
  } catch {
    // Missing, a link, or too large.
    return null;
  }
}

/** The name of a pipe is visible to all, but cannot be guessed before the engine has made it. */
function getAddress(data: string, name: string, key: Buffer): string {
  const id = createHmac('sha256', key).update(`${getOwnBuild()}\n${name}`).digest('hex');
  if (process.platform === 'win32') return `\\\\.\\pipe\\locus-${id}`;
  const file = `${id.slice(0, ID_DIGITS)}.sock`;
  const path = join(getEnginesFolder(data), file);
  if (Buffer.byteLength(path) <= MAX_PATH_BYTES) return path;
  const digest = createHash('sha256').update(resolve(data)).digest('hex').slice(0, ID_DIGITS);
  return join(
    process.env.XDG_RUNTIME_DIR || tmpdir(),
    `locus-${process.getuid?.()}-${digest}`,
    file,
  );
}

export const isPipe = (address: string): boolean => address.startsWith('\\\\.\\pipe\\');

/** Returns true for a socket that only this user can open. */
export function isPrivateSocket(path: string): boolean {
  const found = lstatSync(path, { throwIfNoEntry: false });
  return found?.isSocket() === true && isOwn(found);
}

/**
 * Returns true for a folder, but not for a link to one, that only this user can open, inside folders of this user or of the system.
 * Windows keeps the user's folders private itself.
 */
function isPrivateFolder(path: string): boolean {
  const found = lstatSync(path, { throwIfNoEntry: false });
  if (!found?.isDirectory()) return false;
  if (!process.getuid) return true;
  return isOwn(found) && isClosed(found) && isSafeParent(realpathSync(dirname(path)));
}

/** Returns true if no other user can rename what is in a folder. */
function isSafeParent(path: string): boolean {
  const { uid, mode } = lstatSync(path);
  const isSticky = (mode & 0o1000) !== 0;
  if ((uid !== 0 && uid !== process.getuid?.()) || ((mode & 0o002) !== 0 && !isSticky))
    return false;
  return dirname(path) === path || isSafeParent(dirname(path));
}

const isOwn = ({ uid }: Stats): boolean => uid === process.getuid?.();
const isClosed = ({ mode }: Stats): boolean => (mode & 0o077) === 0;
