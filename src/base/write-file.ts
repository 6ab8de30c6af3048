/** Writes files completely or not at all, so that a full disk doesn't destroy them. */
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
import {
  createTemporaryPath,
  removeAbandonedFiles,
  removeAbandonedFilesAsync,
} from './temporary-files.ts';
import { describeKind } from './untrusted-folder.ts';

export type FileContent = string | Uint8Array | AsyncIterable<string | Uint8Array>;

/** Codes for failures of the disk, not of the path. */
const DISK_ERRORS = ['ENOSPC', 'EDQUOT', 'EIO', 'EFBIG'];

/** Permission bits that let other users write to a folder. */
const WRITABLE_BY_OTHERS = 0o022;

/**
 * Returns true for a link, a pipe or a device that another user may have placed in a shared folder to redirect the write. The rule is
 * that of Linux's `protected_symlinks`: files of the folder's owner are accepted.
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
 * Writes a temporary file and renames it to `path` once it is on disk. If that fails, the existing file stays and the temporary file is
 * removed. An existing file keeps its permissions. Links are followed. Pipes and devices are written to directly. In a folder that others
 * can write to, links, pipes and devices must belong to this user or to the folder's owner.
 * @throws LocusError `bad-output` if the disk is full or fails; `bad-input` if no file can be written at `path`; errors of `content`
 * unchanged.
 */
export async function writeFileAtomically(path: string, content: FileContent): Promise<void> {
  let temporary: string | null = null;
  await refusePlanted(path);
  try {
    const before = await stat(path).catch(() => null);
    // /dev/stdout may be a regular file, but another process has it open.
    if (before && (!before.isFile() || path.startsWith('/dev/')))
      return await writeFile(path, content);
    const target = before ? await realpath(path) : path;
    await removeAbandonedFilesAsync(dirname(target));
    temporary = createTemporaryPath(dirname(target));
    const file = await open(temporary, 'wx');
    try {
      await file.writeFile(content);
      if (before) await copyPermissions(file, before);
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(temporary, target);
  } catch (error) {
    if (temporary) await rm(temporary, { force: true }).catch(ignoring('remove-files'));
    throw explainWriteError(error, path);
  }
}

/**
 * Writes a small private file of Locus synchronously, completely or not at all.
 * @throws the system's error.
 */
export function writePrivateFile(path: string, content: string): void {
  withNewFile(path, content, PRIVATE_FILE, (temporary) => renameSync(temporary, path));
}

/** Error codes of file systems without hard links. */
const NO_LINK_ERRORS = ['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EMLINK'];

/**
 * Creates a complete file unless `path` exists. If several processes do so at once, exactly one succeeds.
 * @param mode mode of the file, regardless of the umask.
 * @returns false if the file already existed.
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
      if (code === undefined || !NO_LINK_ERRORS.includes(code)) throw error;
      if (lstatSync(path, { throwIfNoEntry: false })) return false;
      renameSync(temporary, path);
      return true;
    }
  });
}

/** Calls `use` with the path of a complete temporary file next to `path`. Removes it afterwards unless it was renamed. */
function withNewFile<T>(
  path: string,
  content: string | Uint8Array,
  mode: number,
  use: (temporary: string) => T,
): T {
  removeAbandonedFiles(dirname(path));
  const temporary = createTemporaryPath(dirname(path));
  try {
    const file = openSync(temporary, 'wx', mode);
    try {
      writeFileSync(file, content);
      // The process's umask may have removed bits.
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

/** Copies owner and permissions to a file; the owner only if this user is allowed to. */
async function copyPermissions(file: FileHandle, { uid, gid, mode }: Stats): Promise<void> {
  // Only root may change the owner.
  await file.chown(uid, gid).catch(() => {});
  await file.chmod(mode & 0o7777);
}

/** Converts a system error to a `LocusError` with a remedy. Returns other errors unchanged. */
export function explainWriteError(error: unknown, path: string): unknown {
  const { code, syscall, message } = error as NodeJS.ErrnoException;
  if (code === undefined || syscall === undefined) return error;
  // Without the system call, which may name the temporary file.
  const text = `Cannot write ${path}: ${message.split(', ')[0]}.`;
  return DISK_ERRORS.includes(code)
    ? new LocusError(
        'bad-output',
        text,
        'Free some space, check the disk, or write to another location.',
        {
          cause: error,
        },
      )
    : badInput(text, 'Choose a writable file.', { cause: error });
}
