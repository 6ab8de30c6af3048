/** Locks between processes, in a folder of this user and in one that other users write to. */
import assert from 'node:assert/strict';
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import Sqlite from 'better-sqlite3';
import { FileLock, ForeignLockFile } from '../../src/base/file-lock.ts';
import { removeFolder, temporaryFolder } from '../support/repository.ts';

const MODULE = fileURLToPath(new URL('../../src/base/file-lock.ts', import.meta.url));
const CONTENT = 'alias ll="ls -l"\n'.repeat(30);

let folder: string;
let path: string;
let victim: string;
beforeEach(() => {
  folder = temporaryFolder('locus-lock-');
  mkdirSync(join(folder, 'shared'));
  path = join(folder, 'shared', '.lock');
  victim = join(folder, '.bashrc');
  writeFileSync(victim, CONTENT);
});
afterEach(() => removeFolder(folder));

/** Opens and acquires a lock in a shared folder. */
function acquireShared(): FileLock {
  const lock = new FileLock(path, { shared: true });
  try {
    assert.equal(lock.acquire(), true);
  } catch (error) {
    lock.close();
    throw error;
  }
  return lock;
}

function isHeld(): boolean {
  const other = new FileLock(path, { shared: true });
  try {
    return !other.acquire();
  } finally {
    other.close();
  }
}

test('one holder at a time, in this process and in others', async () => {
  const lock = acquireShared();
  assert.equal(isHeld(), true);
  lock.release();
  assert.equal(isHeld(), false);
  lock.close();
  assert.deepEqual(readdirSync(join(folder, 'shared')), ['.lock'], 'nothing is left beside it');
});

test('the system releases the lock of a holder that is killed', async () => {
  const program = `
    const { FileLock } = await import(${JSON.stringify(MODULE)});
    const lock = new FileLock(${JSON.stringify(path)}, { shared: true });
    console.log(lock.acquire());
    setInterval(() => {}, 1000);`;
  const child = spawn(process.execPath, ['--input-type=module', '-e', program]);
  const [said] = await once(child.stdout, 'data');
  assert.equal(String(said).trim(), 'true');
  assert.equal(isHeld(), true);
  child.kill('SIGKILL');
  await once(child, 'close');
  assert.equal(isHeld(), false);
});

test('processes that create the same lock file at once exclude each other', async () => {
  const program = `
    const { FileLock } = await import(${JSON.stringify(MODULE)});
    const lock = new FileLock(${JSON.stringify(path)}, { shared: true });
    process.stdin.once('data', () => { console.log(lock.acquire()); });`;
  const children = Array.from({ length: 4 }, () =>
    spawn(process.execPath, ['--input-type=module', '-e', program]),
  );
  for (const child of children) child.stdin.write('go\n');
  const said = await Promise.all(
    children.map(async ({ stdout }) => String(await once(stdout, 'data'))),
  );
  for (const child of children) child.kill('SIGKILL');
  await Promise.all(children.map((child) => once(child, 'close')));
  assert.equal(said.filter((text) => text.trim() === 'true').length, 1, String(said));
});

test('a lock file is private, unless its folder is shared', () => {
  const umask = process.umask(0o077);
  try {
    for (const [folderMode, lockMode] of [
      [0o2775, 0o664],
      [0o777, 0o666],
      [0o700, 0o600],
    ] as const) {
      chmodSync(folder, folderMode);
      const shared = join(folder, `${folderMode}.lock`);
      new FileLock(shared, { shared: true }).close();
      assert.equal(statSync(shared).mode & 0o777, lockMode);
    }
    const own = join(folder, 'own.lock');
    chmodSync(folder, 0o777);
    new FileLock(own).close();
    assert.equal(statSync(own).mode & 0o777, 0o600);
  } finally {
    process.umask(umask);
  }
});

/** Files that may replace the lock file, put there by another user. */
const FOREIGN: Record<string, (path: string) => unknown> = {
  'a link to a file': () => symlinkSync(victim, path),
  'a link to a lock': () => {
    new FileLock(join(folder, 'other.lock')).close();
    symlinkSync(join(folder, 'other.lock'), path);
  },
  'a link to a device': () => symlinkSync('/dev/zero', path),
  'a link to nothing': () => symlinkSync(join(folder, 'nothing'), path),
  'a file of another program': () => writeFileSync(path, CONTENT),
  'an empty file': () => writeFileSync(path, ''),
  'a file of the same size': () => writeFileSync(path, CONTENT.padEnd(512).slice(0, 512)),
  'a database of another program': () => {
    const other = new Sqlite(path);
    other.pragma('page_size = 512');
    other.pragma('application_id = 7');
    other.close();
  },
  'a lock with a journal': () => {
    new FileLock(path, { shared: true }).close();
    writeFileSync(`${path}-journal`, CONTENT);
  },
  'a pipe': () => execFileSync('mkfifo', [path]),
  'a folder': () => mkdirSync(path),
};

describe('in a shared folder', () => {
  for (const [what, put] of Object.entries(FOREIGN)) {
    test(`${what} is refused and left unchanged`, () => {
      put(path);
      const before = describeFolder();
      assert.throws(acquireShared, ForeignLockFile);
      assert.deepEqual(describeFolder(), before);
      assert.equal(readFileSync(victim, 'utf8'), CONTENT);
      assert.equal(existsSync(join(folder, 'nothing')), false);
    });
  }
});

describe('in a folder of this user', () => {
  for (const what of ['a file of another program', 'an empty file', 'a lock with a journal']) {
    test(`${what} is repaired, with a note`, () => {
      FOREIGN[what]?.(path);
      const notes: string[] = [];
      const lock = new FileLock(path, { onRepair: (note) => notes.push(note) });
      assert.equal(lock.acquire(), true);
      assert.match(notes.join(), /\.lock was damaged and was repaired\.$/);
      assert.equal(isHeld(), true);
      lock.close();
    });
  }

  for (const what of ['a link to a file', 'a link to nothing', 'a pipe', 'a folder']) {
    test(`${what} is refused`, () => {
      FOREIGN[what]?.(path);
      assert.throws(() => new FileLock(path), ForeignLockFile);
      assert.equal(readFileSync(victim, 'utf8'), CONTENT);
    });
  }
});

/** Returns the names, kinds and sizes of the files in the folder. */
function describeFolder(): string[] {
  return readdirSync(join(folder, 'shared'), { withFileTypes: true }).map((entry) => {
    const bytes = entry.isFile() ? readFileSync(join(entry.parentPath, entry.name), 'latin1') : '';
    return `${entry.name} ${entry.isSymbolicLink()} ${bytes}`;
  });
}
