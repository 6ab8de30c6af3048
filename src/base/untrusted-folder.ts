/**
 * Reads and writes files in folders that other users can write to: a shared index, a model, a repository, a data directory on a shared
 * drive. No link is followed, only regular files are opened, reads have a size limit, and nothing waits forever.
 */

import {
  closeSync,
  constants,
  fstatSync,
  lstatSync,
  openSync,
  readSync,
  realpathSync,
  type Stats,
} from 'node:fs';
import {
  type FileHandle,
  link,
  lstat,
  mkdir,
  open,
  realpath,
  rename,
  rm,
  stat,
} from 'node:fs/promises';
import { join } from 'node:path';
import { LocusError, type LocusErrorCode } from '../shared/errors.ts';
import { formatCount } from '../shared/format-count.ts';
import { throwIfCancelled, waitUnlessCancelled } from './cancel.ts';
import { defer } from './defer.ts';
import { createTemporaryPath, removeAbandonedFilesAsync } from './temporary-files.ts';

/** Flag that prevents waiting for the other end of a pipe. Windows lacks it. */
export const NO_WAIT = constants.O_NONBLOCK ?? 0;

/** Flags that prevent following links and waiting. Windows lacks both; `UntrustedFolder` checks for links before opening. */
export const NO_FOLLOW = (constants.O_NOFOLLOW ?? 0) | NO_WAIT;

const READ_FLAGS = constants.O_RDONLY | NO_FOLLOW;

/** Flags that open a folder without following a link; null on Windows, which has no such permissions. */
const FOLDER_FLAGS = constants.O_DIRECTORY
  ? constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW
  : null;

/** Times that a file is opened if others replace it each time, as they do with an update, before reading it fails. */
const OPEN_ATTEMPTS = 20;

/** Bytes read between two checks of the signal. */
const STEP_BYTES = 4 * 2 ** 20;

/** Permissions that a new file, or a new folder with its setgid bit, inherits from its folder. */
export const FILE_BITS = 0o666;
const FOLDER_BITS = 0o2777;

export interface ReadLimits {
  maxBytes: number;
  signal?: AbortSignal | undefined;
  /** Called with the number of bytes of each step. */
  onBytes?: ((bytes: number) => void) | undefined;
  /** Returns memory to read a file of this size into; a new buffer by default. */
  allocate?: ((bytes: number) => Uint8Array<ArrayBuffer>) | undefined;
}

/**
 * Folder whose content is not trusted. Paths are relative to it, with `/` between names. They come from the caller, never from a file.
 * The folder itself may be a link, since the user chose it; it is resolved once.
 *
 * For a link, a special file or a file that is too large, all methods throw `LocusError` with the code given to the constructor. They
 * throw `cancelled` if the signal aborts, and otherwise the system's errors. They return null for a missing file.
 */
export class UntrustedFolder {
  readonly path: string;
  readonly #code: LocusErrorCode;
  #resolved: string | null = null;

  constructor(path: string, code: LocusErrorCode) {
    this.path = path;
    this.#code = code;
  }

  async read(name: string, limits: ReadLimits): Promise<Buffer<ArrayBuffer> | null> {
    const { signal } = limits;
    const work = `Reading ${this.#join(name)}`;
    throwIfCancelled(signal, work);
    const file = await waitUnlessCancelled(this.#open(name), signal, work, (late) => late?.close());
    if (!file) return null;
    // The file is closed after the last read returns. On a drive that doesn't respond, that is after the signal.
    const reading = this.#readWhole(file, name, limits).finally(() => file.close());
    return waitUnlessCancelled(reading, signal, work);
  }

  /** Reads a whole file synchronously, for small files on this machine. */
  readSync(name: string, maxBytes: number): Buffer | null {
    const file = this.#openSync(name);
    if (file === null) return null;
    using _end = defer(() => closeSync(file));
    const opened = fstatSync(file);
    if (opened.size > maxBytes) throw this.#createSizeError(this.#join(name), maxBytes);
    const bytes = Buffer.allocUnsafe(opened.size);
    return bytes.subarray(0, readSync(file, bytes, 0, bytes.length, 0));
  }

  /**
   * Checks a path just before a library (SQLite, git, ONNX Runtime) opens it. Returns false for a missing file. It cannot detect that
   * someone replaces the file between the check and the opening.
   */
  check(name: string): boolean {
    return this.#lookUpSync(name) !== null;
  }

  async getSize(name: string, signal?: AbortSignal): Promise<number | null> {
    const work = `Reading ${this.#join(name)}`;
    throwIfCancelled(signal, work);
    return (await waitUnlessCancelled(this.#lookUp(name), signal, work))?.size ?? null;
  }

  /**
   * Writes a complete file: to a temporary file first, which is renamed once it is on disk. Creates missing parent folders. New files and
   * folders inherit the permissions of this folder.
   * @param replace if false, an existing file stays and false is returned.
   */
  async write(
    name: string,
    bytes: Uint8Array,
    { replace }: { replace: boolean },
  ): Promise<boolean> {
    await this.#makeFolders(name);
    const path = this.#join(name);
    // The temporary file is at the top, so that the next write finds files that a killed process has left.
    await removeAbandonedFilesAsync(this.#join(''));
    const temporary = createTemporaryPath(this.#join(''));
    try {
      await writeNewFile(temporary, bytes, await this.#getPermissions(FILE_BITS));
      if (!replace) return await linkIfFree(temporary, path);
      await rename(temporary, path);
      return true;
    } finally {
      await rm(temporary, { force: true });
    }
  }

  async remove(name: string): Promise<void> {
    if (await this.#lookUp(name)) await rm(this.#join(name), { force: true });
  }

  /**
   * Opens a regular file, and opens it again if it has been replaced meanwhile. Comparing it with a second look detects that a link
   * replaced one of its folders.
   */
  async #open(name: string): Promise<FileHandle | null> {
    for (let attempt = 0; attempt < OPEN_ATTEMPTS; attempt++) {
      if (!(await this.#lookUp(name))) return null;
      const path = this.#join(name);
      const file = await open(path, READ_FLAGS).catch((error) => this.#nullIfGone(path, error));
      if (!file) return null;
      try {
        if (isSameFile(await file.stat(), await this.#lookUp(name))) return file;
      } catch (error) {
        await file.close();
        throw error;
      }
      await file.close();
    }
    throw this.#createReplacedError(this.#join(name));
  }

  #openSync(name: string): number | null {
    for (let attempt = 0; attempt < OPEN_ATTEMPTS; attempt++) {
      if (!this.#lookUpSync(name)) return null;
      const path = this.#join(name);
      let file: number | null = null;
      try {
        file = openSync(path, READ_FLAGS);
        if (isSameFile(fstatSync(file), this.#lookUpSync(name))) return file;
      } catch (error) {
        if (file !== null) closeSync(file);
        return this.#nullIfGone(path, error);
      }
      closeSync(file);
    }
    throw this.#createReplacedError(this.#join(name));
  }

  async #readWhole(
    file: FileHandle,
    name: string,
    { maxBytes, signal, onBytes, allocate = Buffer.allocUnsafe }: ReadLimits,
  ): Promise<Buffer<ArrayBuffer>> {
    const { size } = await file.stat();
    if (size > maxBytes) throw this.#createSizeError(this.#join(name), maxBytes);
    const { buffer, byteOffset } = allocate(size);
    const bytes = Buffer.from(buffer, byteOffset, size);
    let length = 0;
    while (length < size) {
      throwIfCancelled(signal, `Reading ${this.#join(name)}`);
      const { bytesRead } = await file.read(bytes, length, Math.min(STEP_BYTES, size - length));
      // Someone has shortened the file meanwhile.
      if (bytesRead === 0) break;
      length += bytesRead;
      onBytes?.(bytesRead);
    }
    return bytes.subarray(0, length);
  }

  /** Checks every folder on the way to a file, then the file. Returns null if one is missing. */
  async #lookUp(name: string): Promise<Stats | null> {
    this.#resolved ??= await realpath(this.path).catch(nullIfMissing);
    let found: Stats | null = null;
    for (const step of this.#listSteps(name)) {
      found = await lstat(step.path).catch(nullIfMissing);
      if (!found) return null;
      this.#refuseOtherKind(step, found);
    }
    return found;
  }

  #lookUpSync(name: string): Stats | null {
    this.#resolved ??= resolveSync(this.path);
    let found: Stats | undefined;
    for (const step of this.#listSteps(name)) {
      found = lstatSync(step.path, { throwIfNoEntry: false });
      if (!found) return null;
      this.#refuseOtherKind(step, found);
    }
    return found ?? null;
  }

  async #makeFolders(name: string): Promise<void> {
    await mkdir(this.path, { recursive: true });
    this.#resolved ??= await realpath(this.path);
    for (const step of this.#listSteps(name).slice(0, -1)) {
      const isNew = await mkdir(step.path).then(() => true, falseIfExists);
      this.#refuseOtherKind(step, await lstat(step.path));
      if (isNew && FOLDER_FLAGS !== null)
        await changeMode(step.path, FOLDER_FLAGS, await this.#getPermissions(FOLDER_BITS));
    }
  }

  async #getPermissions(bits: number): Promise<number> {
    return (await stat(this.#join(''))).mode & bits;
  }

  #join(name: string): string {
    return join(this.#resolved ?? this.path, name);
  }

  #listSteps(name: string): PathStep[] {
    const names = name.split('/');
    return names.map((_, at) => ({
      path: this.#join(names.slice(0, at + 1).join('/')),
      isFolder: at < names.length - 1,
    }));
  }

  #refuseOtherKind({ path, isFolder }: PathStep, found: Stats): void {
    if (isFolder ? found.isDirectory() : found.isFile()) return;
    throw this.#createError(
      `${path} is ${describeKind(found)}.`,
      `Remove it, or put a ${isFolder ? 'folder' : 'regular file'} there.`,
    );
  }

  /** Returns null if the file has been removed. ELOOP means that a link has replaced it since the check. */
  #nullIfGone(path: string, error: unknown): null {
    if ((error as NodeJS.ErrnoException).code === 'ELOOP') throw this.#createReplacedError(path);
    return nullIfMissing(error);
  }

  #createReplacedError(path: string): LocusError {
    return this.#createError(`${path} was replaced while it was opened.`, 'Try again.');
  }

  #createSizeError(path: string, maxBytes: number): LocusError {
    return this.#createError(
      `${path} is larger than ${formatCount(maxBytes)} bytes.`,
      'Check who writes to this folder. Locus writes no file of that size.',
    );
  }

  #createError(message: string, remedy: string): LocusError {
    return new LocusError(this.#code, message, remedy);
  }
}

/** Path on the way to a file; the last one is the file. */
interface PathStep {
  path: string;
  isFolder: boolean;
}

function isSameFile(opened: Stats, found: Stats | null): boolean {
  return opened.isFile() && found?.ino === opened.ino && found.dev === opened.dev;
}

/** Describes the kind of a file, such as "a symbolic link". */
export function describeKind(found: Stats): string {
  if (found.isFile()) return 'a file';
  if (found.isDirectory()) return 'a folder';
  if (found.isSymbolicLink()) return 'a symbolic link';
  if (found.isFIFO()) return 'a pipe';
  if (found.isSocket()) return 'a socket';
  return 'a device';
}

function resolveSync(path: string): string | null {
  try {
    return realpathSync(path);
  } catch (error) {
    return nullIfMissing(error);
  }
}

async function changeMode(path: string, flags: number, mode: number): Promise<void> {
  await using opened = await open(path, flags);
  await opened.chmod(mode);
}

async function writeNewFile(path: string, bytes: Uint8Array, mode: number): Promise<void> {
  await using file = await open(path, 'wx', mode);
  await file.writeFile(bytes);
  // The process's umask may have removed bits.
  await file.chmod(mode);
  await file.sync();
}

/** Gives a file a second name. Returns false if that name already exists. */
async function linkIfFree(from: string, to: string): Promise<boolean> {
  try {
    await link(from, to);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
}

function nullIfMissing(error: unknown): null {
  if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
  throw error;
}

function falseIfExists(error: unknown): false {
  if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
  throw error;
}
