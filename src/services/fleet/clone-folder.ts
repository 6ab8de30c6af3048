/**
 * The folder that a clone is made in, beside its place. Who makes it holds a lock in it, which the system releases when he dies, so that
 * the next one can tell what was left behind from what is in use.
 */
import { readFileSync } from 'node:fs';
import { lstat, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { FileLock } from '../../base/file-lock.ts';

const PREFIX = '.locus-clone-';
const NAMES = /^\.locus-clone-[A-Za-z0-9]{6}$/;
const LOCK = 'maker.lock';
/** Where the lock is held, which other machines may not see. */
const MACHINE = 'maker';
/** No clone takes as long, in milliseconds. */
const SURELY_LEFT = 24 * 3600_000;

export interface CloneFolder {
  path: string;
  remove(): Promise<void>;
}

/** Makes one in `parent`. @throws the system's error where there can be none. */
export async function makeCloneFolder(parent: string): Promise<CloneFolder> {
  const path = await mkdtemp(join(parent, PREFIX));
  const lock = await hold(path);
  return {
    path,
    remove: async () => {
      // Windows removes no file that is open.
      lock?.close();
      await rm(path, { recursive: true, force: true });
    },
  };
}

/** Null on a file system that has no locks: then its age alone tells that it was left. */
async function hold(path: string): Promise<FileLock | null> {
  try {
    const lock = new FileLock(join(path, LOCK));
    lock.acquire();
    // Only now can it be looked for.
    await writeFile(join(path, MACHINE), machine());
    return lock;
  } catch {
    // A folder that cannot be locked is not used.
    return null;
  }
}

/** Removes those in `parent` whose makers are dead. What may be in use stays, and what cannot be removed. */
export async function removeLeftClones(parent: string): Promise<void> {
  const names = await readdir(parent).catch(() => []);
  for (const name of names.filter((one) => NAMES.test(one))) {
    const path = join(parent, name);
    const left = await isLeft(path).catch(() => false);
    // A git that outlived its maker may still write there.
    if (left) await rm(path, { recursive: true, force: true, maxRetries: 3 }).catch(() => {});
  }
}

async function isLeft(path: string): Promise<boolean> {
  const folder = await lstat(path);
  const isOurs = folder.uid === (process.getuid?.() ?? folder.uid);
  if (!folder.isDirectory() || !isOurs) return false;
  const maker = await readFile(join(path, MACHINE), 'utf8').catch(() => null);
  // A lock tells for sure; an age is wrong after a jump of a clock. A link is not one of ours, and its target is not opened.
  const hasLock = (await lstat(join(path, LOCK)).catch(() => null))?.isFile();
  if (maker !== machine() || !hasLock) return Date.now() - folder.mtimeMs > SURELY_LEFT;
  using lock = new FileLock(join(path, LOCK));
  return lock.acquire();
}

/** This machine since it was started. Of two with one name, Linux tells which is which. */
function machine(): string {
  const isLinux = process.platform === 'linux';
  const boot = isLinux ? readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim() : '';
  return `${hostname()} ${boot}`;
}
