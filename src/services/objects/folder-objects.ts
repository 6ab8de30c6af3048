/** Object storage in a folder, which may be on a shared drive. */
import { createHash, randomBytes } from 'node:crypto';
import { link, mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { FileLock } from '../../engine/store/file-lock.ts';
import {
  checkedKey,
  type GetOptions,
  MAX_OBJECT_BYTES,
  type ObjectEntry,
  type ObjectStore,
  objectFailure,
  throwIfStopped,
  tooLarge,
} from './objects.ts';

const LOCK = '.lock';
const PATIENCE_MS = 30_000;

/**
 * An object is a file, written beside its place and moved there when all of it is on the disk. One that is replaced is compared
 * and moved under a lock of the folder, which the system releases when its holder dies. Names that are no keys begin with a dot.
 * Files have the modes that the process's mask gives, since others are to read them.
 */
export class FolderObjects implements ObjectStore {
  readonly name: string;

  /** Whether the folder has to be there, even for objects that are not. */
  readonly #expected: boolean;

  constructor(folder: string, { expected = false } = {}) {
    this.name = folder;
    this.#expected = expected;
  }

  async get(key: string, { maxBytes = MAX_OBJECT_BYTES, signal }: GetOptions = {}) {
    const path = this.#path(key);
    throwIfStopped(signal);
    return this.#told(async () => {
      const file = await open(path, 'r').catch(nullIfMissing);
      if (!file) return this.#missing();
      try {
        if ((await file.stat()).size > maxBytes) throw tooLarge(this.name, key, maxBytes);
        const bytes = await file.readFile();
        return { bytes, tag: tagOf(bytes) };
      } finally {
        await file.close();
      }
    });
  }

  async size(key: string): Promise<number | null> {
    const path = this.#path(key);
    return this.#told(async () => (await stat(path).catch(nullIfMissing))?.size ?? this.#missing());
  }

  async put(key: string, bytes: Uint8Array, expected: string | null, signal?: AbortSignal) {
    const path = this.#path(key);
    throwIfStopped(signal);
    return this.#told(async () => {
      await mkdir(dirname(path), { recursive: true });
      const temporary = join(dirname(path), `.${randomBytes(8).toString('hex')}.tmp`);
      try {
        await writeWhole(temporary, bytes);
        const done =
          expected === null
            ? await linked(temporary, path)
            : await this.#replace(key, temporary, expected);
        return done ? tagOf(bytes) : null;
      } finally {
        await rm(temporary, { force: true });
      }
    });
  }

  async *list(prefix: string, signal?: AbortSignal): AsyncIterable<ObjectEntry> {
    const entries = await this.#told(() =>
      readdir(this.name, { recursive: true, withFileTypes: true }).catch(nullIfMissing),
    );
    for (const entry of entries ?? []) {
      throwIfStopped(signal);
      if (!entry.isFile() || entry.name.startsWith('.')) continue;
      const path = join(entry.parentPath, entry.name);
      const key = relative(this.name, path).replaceAll('\\', '/');
      if (!key.startsWith(prefix)) continue;
      const about = await stat(path).catch(nullIfMissing);
      if (about) yield { key, bytes: about.size };
    }
  }

  async delete(key: string): Promise<void> {
    await this.#told(() => rm(this.#path(key), { force: true }));
  }

  close(): void {}

  #path(key: string): string {
    return join(this.name, checkedKey(key));
  }

  /** One at a time, whoever does it: a rename alone would not see what another process did meanwhile. */
  async #replace(key: string, temporary: string, expected: string): Promise<boolean> {
    const path = this.#path(key);
    return this.#locked(async () => {
      if ((await this.get(key))?.tag !== expected) return false;
      await rename(temporary, path);
      return true;
    });
  }

  async #locked<T>(work: () => Promise<T>): Promise<T> {
    const path = join(this.name, LOCK);
    // Others are to lock it too; a lock makes its file for this user alone.
    await (await open(path, 'a')).close();
    const lock = new FileLock(path);
    try {
      const deadline = Date.now() + PATIENCE_MS;
      while (!lock.acquire()) {
        if (Date.now() > deadline)
          throw objectFailure(
            `another process has been writing to ${this.name} for a long time`,
            'wait for it, or stop it and try again',
          );
        await sleep(20);
      }
      return await work();
    } finally {
      lock.release();
      lock.close();
    }
  }

  /** What is asked of a drive that is not connected is not known to be missing. */
  async #missing(): Promise<null> {
    if (this.#expected) await stat(this.name);
    return null;
  }

  async #told<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      throw this.#failure(error);
    }
  }

  #failure(error: unknown): unknown {
    const { code, message = '' } = error as NodeJS.ErrnoException;
    if (code === undefined || !/^E[A-Z]+$/.test(code)) return error;
    const remedy =
      code === 'ENOSPC' || code === 'EDQUOT'
        ? 'free some space there, or give another place'
        : 'check that the folder is there and may be read and written, or give another one';
    return objectFailure(`${this.name}: ${message.split(', ')[0]}`, remedy, error);
  }
}

const tagOf = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');

async function writeWhole(path: string, bytes: Uint8Array): Promise<void> {
  const file = await open(path, 'wx');
  try {
    await file.writeFile(bytes);
    await file.sync();
  } finally {
    await file.close();
  }
}

/** Gives a file a second name, unless that is taken. */
async function linked(from: string, to: string): Promise<boolean> {
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
