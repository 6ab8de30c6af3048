/**
 * Temporary folders for clones, beside their final location. The process that makes one holds a lock in it. The system releases the
 * lock when the process ends, so that others can tell abandoned folders from those in use.
 */
import { readFileSync } from 'node:fs';
import { lstat, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { FileLock } from '../../base/file-lock.ts';

const PREFIX = '.locus-clone-';
const NAMES = /^\.locus-clone-[A-Za-z0-9]{6}$/;
const LOCK_FILE = 'maker.lock';
/** File that names the machine that holds the lock. Other machines may not see the lock. */
const MACHINE_FILE = 'maker';
/** Milliseconds after which a folder without a visible lock counts as abandoned: no clone takes that long. */
const ABANDONED_MS = 24 * 3600_000;

export interface CloneFolder {
  path: string;
  remove(): Promise<void>;
}

/** Creates a temporary folder in `parent`. @throws the system's error if it cannot be created */
export async function makeCloneFolder(parent: string): Promise<CloneFolder> {
  const path = await mkdtemp(join(parent, PREFIX));
  const lock = await acquireLock(path);
  return {
    path,
    remove: async () => {
      // Windows does not remove open files.
      lock?.close();
      await rm(path, { recursive: true, force: true });
    },
  };
}

/** Locks a folder. Returns null on a file system without locks, where only its age shows that a folder was abandoned. */
async function acquireLock(path: string): Promise<FileLock | null> {
  try {
    const lock = new FileLock(join(path, LOCK_FILE));
    lock.acquire();
    // Written after the lock is held: other processes ignore a lock without this file.
    await writeFile(join(path, MACHINE_FILE), describeMachine());
    return lock;
  } catch {
    // The file system has no locks.
    return null;
  }
}

/** Removes folders in `parent` whose processes have ended. Keeps folders that may be in use or cannot be removed. */
export async function removeAbandonedClones(parent: string): Promise<void> {
  const names = await readdir(parent).catch(() => []);
  for (const name of names.filter((one) => NAMES.test(one))) {
    const path = join(parent, name);
    const left = await isAbandoned(path).catch(() => false);
    // A git process that outlived its parent may still write there.
    if (left) await rm(path, { recursive: true, force: true, maxRetries: 3 }).catch(() => {});
  }
}

async function isAbandoned(path: string): Promise<boolean> {
  const folder = await lstat(path);
  const isOurs = folder.uid === (process.getuid?.() ?? folder.uid);
  if (!folder.isDirectory() || !isOurs) return false;
  const maker = await readFile(join(path, MACHINE_FILE), 'utf8').catch(() => null);
  // A lock is certain, while a clock may jump. A link was not made by Locus, so its target is not opened.
  const hasLock = (await lstat(join(path, LOCK_FILE)).catch(() => null))?.isFile();
  if (maker !== describeMachine() || !hasLock) return Date.now() - folder.mtimeMs > ABANDONED_MS;
  using lock = new FileLock(join(path, LOCK_FILE));
  return lock.acquire();
}

/** Identifies this machine since its last start. On Linux, this tells apart machines of the same name. */
function describeMachine(): string {
  const isLinux = process.platform === 'linux';
  const boot = isLinux ? readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim() : '';
  return `${hostname()} ${boot}`;
}
