/** Files that are to outlive a full disk: they are written whole, or stay as they were. */
import { randomBytes } from 'node:crypto';
import {
  closeSync,
  fchmodSync,
  fsyncSync,
  openSync,
  renameSync,
  rmSync,
  type Stats,
  writeFileSync,
} from 'node:fs';
import { type FileHandle, open, realpath, rename, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { LocusError } from '../shared/errors.ts';

/** What a file may be made of. */
export type FileContent = string | Uint8Array | AsyncIterable<string | Uint8Array>;

/** Failures of the disk, not of the path. */
const OF_THE_DISK = ['ENOSPC', 'EDQUOT', 'EIO', 'EFBIG'];

/**
 * Writes a file beside the one at `path` and puts it in its place when all of it is on the disk. Where that fails, the
 * file that was there is whole and nothing is left beside it. A file that is there keeps its permissions; a link leads
 * to the file that is written; what is no file, such as a pipe or a device, is written to as it is.
 * @throws LocusError `bad-output` when the disk is full or fails, `bad-input` when there can be no file at `path`; what
 * `content` throws, as it is.
 */
export async function writeFileAtomically(path: string, content: FileContent): Promise<void> {
  let temporary: string | null = null;
  try {
    const before = await stat(path).catch(() => null);
    // What /dev/stdout leads to may be a file, but one that somebody else has open.
    if (before && (!before.isFile() || path.startsWith('/dev/')))
      return await writeFile(path, content);
    const target = before ? await realpath(path) : path;
    temporary = besides(target);
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
    if (temporary) await rm(temporary, { force: true }).catch(() => {});
    throw writeFailure(error, path);
  }
}

/**
 * The same for a small file of Locus' own, which nobody but its owner is to read, at once.
 * @throws the system's error.
 */
export function writePrivateFile(path: string, content: string): void {
  const temporary = besides(path);
  try {
    const file = openSync(temporary, 'wx', 0o600);
    try {
      writeFileSync(file, content);
      // Whatever the process's mask made of the mode.
      fchmodSync(file, 0o600);
      fsyncSync(file);
    } finally {
      closeSync(file);
    }
    renameSync(temporary, path);
  } catch (error) {
    rmSync(temporary, { force: true });
    throw error;
  }
}

/** A name in the same folder. One of its own: the file's with an ending added may be too long. */
function besides(path: string): string {
  return join(dirname(path), `.locus-${randomBytes(6).toString('hex')}.tmp`);
}

/** Owner and permissions; the owner only as far as this user may. */
async function takeOver(file: FileHandle, { uid, gid, mode }: Stats): Promise<void> {
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
    : new LocusError('bad-input', text, 'give a file that can be written', { cause: error });
}
