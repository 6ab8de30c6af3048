/** Files that are to outlive a full disk: they are written whole, or stay as they were. */
import {
  closeSync,
  fchmodSync,
  fsyncSync,
  linkSync,
  lstatSync,
  openSync,
  renameSync,
  rmSync,
  type Stats,
  writeFileSync,
} from 'node:fs';
import {
  type FileHandle,
  lstat,
  open,
  realpath,
  rename,
  rm,
  stat,
  writeFile,
} from 'node:fs/promises';
import { dirname } from 'node:path';
import { badInput, LocusError } from '../shared/errors.ts';
import { ignoring } from './log.ts';
import { PRIVATE_FILE } from './private.ts';
import { removeAbandoned, removeAbandonedAsync, temporaryPath } from './temporary-files.ts';
import { describeKind } from './untrusted-folder.ts';

export type FileContent = string | Uint8Array | AsyncIterable<string | Uint8Array>;

/** Failures of the disk, not of the path. */
const OF_THE_DISK = ['ENOSPC', 'EDQUOT', 'EIO', 'EFBIG'];

/** Others may write to a folder with one of these bits. */
const WRITABLE_BY_OTHERS = 0o022;

/**
 * Returns true for a link, a pipe or a device that another user may have put in a shared folder, so that Locus would write where that
 * user wants. The rule is that of Linux's `protected_symlinks`: what the folder's owner put there is fine.
 */
export function isPlanted(
  entry: Pick<Stats, 'uid' | 'isFile'>,
  folder: Pick<Stats, 'uid' | 'mode'>,
  user: number,
): boolean {
  if (entry.isFile() || (folder.mode & WRITABLE_BY_OTHERS) === 0) return false;
  return entry.uid !== user && entry.uid !== folder.uid;
}

async function refusePlanted(path: string): Promise<void> {
  const entry = await lstat(path).catch(() => null);
  if (!entry || !process.getuid || path.startsWith('/dev/')) return;
  if (!isPlanted(entry, await stat(dirname(path)), process.getuid())) return;
  throw badInput(
    `${path} is ${describeKind(entry)} of another user.`,
    'Remove it, or write to a folder of your own.',
  );
}

/**
 * Writes a file beside the one at `path` and puts it in its place when all of it is on the disk. Where that fails, the
 * file that was there is whole and nothing is left beside it. A file that is there keeps its permissions; a link leads
 * to the file that is written; what is no file, such as a pipe or a device, is written to as it is. In a folder that others can write
 * to, both have to belong to this user or to the folder's owner.
 * @throws LocusError `bad-output` when the disk is full or fails, `bad-input` when there can be no file at `path`; what
 * `content` throws, as it is.
 */
export async function writeFileAtomically(path: string, content: FileContent): Promise<void> {
  let temporary: string | null = null;
  await refusePlanted(path);
  try {
    const before = await stat(path).catch(() => null);
    // What /dev/stdout leads to may be a file, but one that somebody else has open.
    if (before && (!before.isFile() || path.startsWith('/dev/')))
      return await writeFile(path, content);
    const target = before ? await realpath(path) : path;
    await removeAbandonedAsync(dirname(target));
    temporary = temporaryPath(dirname(target));
    const file = await open(temporary, 'wx');
    try {
      await file.writeFile(content);
      if (before) await takeOver(file, before);
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(temporary, target);
  } catch (error) {
    if (temporary) await rm(temporary, { force: true }).catch(ignoring('remove-files'));
    throw writeFailure(error, path);
  }
}

/**
 * The same for a small file of Locus' own, which nobody but its owner is to read, at once.
 * @throws the system's error.
 */
export function writePrivateFile(path: string, content: string): void {
  withNewFile(path, content, PRIVATE_FILE, (temporary) => renameSync(temporary, path));
}

/** Failures of file systems without hard links. */
const NO_LINKS = ['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EMLINK'];

/**
 * Creates a complete file unless there is one at `path`: of several processes that do so at once, one succeeds.
 * @param mode of the file, whatever the process's umask
 * @returns false if there was a file.
 * @throws the system's error.
 */
export function createFile(path: string, content: string | Uint8Array, mode: number): boolean {
  return withNewFile(path, content, mode, (temporary) => {
    try {
      linkSync(temporary, path);
      return true;
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      if (code === 'EEXIST') return false;
      if (code === undefined || !NO_LINKS.includes(code)) throw error;
      if (lstatSync(path, { throwIfNoEntry: false })) return false;
      renameSync(temporary, path);
      return true;
    }
  });
}

/** Passes `use` the path of a complete file next to `path`, which is removed afterwards unless it was renamed. */
function withNewFile<T>(
  path: string,
  content: string | Uint8Array,
  mode: number,
  use: (temporary: string) => T,
): T {
  removeAbandoned(dirname(path));
  const temporary = temporaryPath(dirname(path));
  try {
    const file = openSync(temporary, 'wx', mode);
    try {
      writeFileSync(file, content);
      // The process's umask may have taken bits away.
      fchmodSync(file, mode);
      fsyncSync(file);
    } finally {
      closeSync(file);
    }
    return use(temporary);
  } finally {
    rmSync(temporary, { force: true });
  }
}

/** Owner and permissions; the owner only as far as this user may. */
async function takeOver(file: FileHandle, { uid, gid, mode }: Stats): Promise<void> {
  // Only root may give files away.
  await file.chown(uid, gid).catch(() => {});
  await file.chmod(mode & 0o7777);
}

/** A system's error as one that says what to do about it; what is none is returned as it is. */
export function writeFailure(error: unknown, path: string): unknown {
  const { code, syscall, message } = error as NodeJS.ErrnoException;
  if (code === undefined || syscall === undefined) return error;
  // Without the call, which may name the file beside it.
  const text = `cannot write ${path}: ${message.split(', ')[0]}`;
  return OF_THE_DISK.includes(code)
    ? new LocusError('bad-output', text, 'free some space, check the disk, or write elsewhere', {
        cause: error,
      })
    : badInput(text, 'give a file that can be written', { cause: error });
}
