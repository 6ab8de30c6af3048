/** Whatever another user replaces a file with, nothing outside the folder is read or written, and nothing blocks. */
import assert from 'node:assert/strict';
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, test } from 'node:test';
import { UntrustedFolder } from '../../src/base/untrusted-folder.ts';
import { removeFolder, temporaryFolder } from '../support/repository.ts';

const LIMITS = { maxBytes: 1000 };
const SECRET = 'outside of the folder';

let parent: string;
let root: string;
let secret: string;
beforeEach(() => {
  parent = temporaryFolder('locus-untrusted-');
  root = join(parent, 'shared');
  secret = join(parent, 'secret');
  mkdirSync(join(root, 'parts'), { recursive: true });
  writeFileSync(join(root, 'parts', 'a'), 'sound');
  writeFileSync(secret, SECRET);
});
afterEach(() => removeFolder(parent));

const open = (path = root) => new UntrustedFolder(path, 'bad-objects');
const refused = (message: RegExp) => ({ code: 'bad-objects', message });

test('a regular file is read, sized, checked, replaced and removed', async () => {
  const folder = open();
  assert.equal(String(await folder.read('parts/a', LIMITS)), 'sound');
  assert.equal(String(folder.readSync('parts/a', 1000)), 'sound');
  assert.equal(await folder.getSize('parts/a'), 5);
  assert.equal(folder.check('parts/a'), true);
  assert.equal(await folder.write('parts/a', Buffer.from('new'), { replace: false }), false);
  assert.equal(await folder.write('parts/a', Buffer.from('new'), { replace: true }), true);
  assert.equal(await folder.write('more/b', Buffer.from('b'), { replace: false }), true);
  assert.equal(readFileSync(join(root, 'parts/a'), 'utf8'), 'new');
  assert.deepEqual(readdirSync(join(root, 'parts')), ['a'], 'nothing is left beside it');
  await folder.remove('parts/a');
  assert.equal(await folder.read('parts/a', LIMITS), null);
  assert.equal(folder.readSync('parts/a', 1000), null);
  assert.equal(await folder.getSize('parts/a'), null);
  assert.equal(folder.check('parts/a'), false);
  await folder.remove('parts/a');
});

test('a missing folder has no files, and is created to write one', async () => {
  const folder = open(join(parent, 'new', 'place'));
  assert.equal(await folder.read('a', LIMITS), null);
  await folder.write('a', Buffer.from('x'), { replace: false });
  assert.equal(String(await folder.read('a', LIMITS)), 'x');
});

test('a file that others replace meanwhile is read whole', async () => {
  const script = `const { renameSync, writeFileSync } = require('node:fs');
    process.on('message', () => {
      for (let i = 0; i < 15; i++) { writeFileSync('new', 'sound'); renameSync('new', 'parts/a'); }
      process.send('ended');
    });`;
  const writer = spawn(process.execPath, ['-e', script], {
    cwd: root,
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  try {
    const folder = open();
    for (let i = 0; i < 50; i++) {
      let isReplacing = true;
      writer.once('message', () => (isReplacing = false));
      writer.send('replace');
      while (isReplacing) {
        assert.equal(String(await folder.read('parts/a', LIMITS)), 'sound');
        assert.equal(String(folder.readSync('parts/a', 1000)), 'sound');
      }
    }
  } finally {
    writer.kill('SIGKILL');
    if (writer.exitCode === null) await once(writer, 'exit');
  }
});

test('a link chosen as the folder is followed', async () => {
  symlinkSync(root, join(parent, 'link'));
  assert.equal(String(await open(join(parent, 'link')).read('parts/a', LIMITS)), 'sound');
});

/** Kinds of files that may replace a regular one. */
const KINDS: Record<string, { put(path: string): unknown; message: RegExp }> = {
  'a link to a file': {
    put: (path) => symlinkSync(secret, path),
    message: /parts\/a is a symbolic link\./,
  },
  'a link to a missing file': {
    put: (path) => symlinkSync(join(parent, 'nothing'), path),
    message: /is a symbolic link\./,
  },
  'a link to a device': {
    put: (path) => symlinkSync('/dev/zero', path),
    message: /is a symbolic link\./,
  },
  'a pipe': { put: (path) => execFileSync('mkfifo', [path]), message: /is a pipe\./ },
  'a folder': { put: (path) => mkdirSync(path), message: /is a folder\./ },
  'a socket': {
    put: (path) =>
      new Promise<void>((done) => {
        const server = createServer().unref();
        server.listen(path, done);
      }),
    message: /is a socket\./,
  },
};

describe('in place of a file', () => {
  for (const [kind, { put, message }] of Object.entries(KINDS)) {
    test(`${kind} is refused`, async () => {
      rmSync(join(root, 'parts/a'));
      await put(join(root, 'parts/a'));
      await assert.rejects(open().read('parts/a', LIMITS), refused(message));
      await assert.rejects(open().getSize('parts/a'), refused(message));
      await assert.rejects(open().remove('parts/a'), refused(message));
      assert.throws(() => open().readSync('parts/a', 1000), refused(message));
      assert.throws(() => open().check('parts/a'), refused(message));
      assert.equal(readFileSync(secret, 'utf8'), SECRET);
    });
  }
});

test('a link in place of a folder is refused, and nothing is written behind it', async () => {
  const elsewhere = join(parent, 'elsewhere');
  renameSync(join(root, 'parts'), elsewhere);
  symlinkSync(elsewhere, join(root, 'parts'));
  const message = /parts is a symbolic link\./;
  await assert.rejects(open().read('parts/a', LIMITS), refused(message));
  await assert.rejects(open().getSize('parts/a'), refused(message));
  await assert.rejects(open().remove('parts/a'), refused(message));
  assert.throws(() => open().readSync('parts/a', 1000), refused(message));
  assert.throws(() => open().check('parts/a'), refused(message));
  const bytes = Buffer.from('x');
  await assert.rejects(open().write('parts/b', bytes, { replace: false }), refused(message));
  assert.deepEqual(readdirSync(elsewhere), ['a']);
});

test('a file in place of a folder is refused', async () => {
  rmSync(join(root, 'parts'), { recursive: true });
  writeFileSync(join(root, 'parts'), '');
  await assert.rejects(open().read('parts/a', LIMITS), refused(/parts is a file\./));
});

test('replacing a link replaces the link, not the file behind it', async () => {
  rmSync(join(root, 'parts/a'));
  symlinkSync(secret, join(root, 'parts/a'));
  await open().write('parts/a', Buffer.from('new'), { replace: true });
  assert.equal(readFileSync(secret, 'utf8'), SECRET);
  assert.equal(String(await open().read('parts/a', LIMITS)), 'new');
});

test('new files have the permissions of the folder, regardless of the umask', async () => {
  const modeOf = (name: string) => (statSync(join(root, name)).mode & 0o7777).toString(8);
  const umask = process.umask(0o077);
  try {
    for (const [mode, file, made] of [
      [0o2775, '664', '2775'],
      [0o755, '644', '755'],
      [0o700, '600', '700'],
    ] as const) {
      chmodSync(root, mode);
      await open().write(`of-${made}/deep/a`, Buffer.from('x'), { replace: false });
      assert.equal(modeOf(`of-${made}/deep/a`), file);
      assert.deepEqual([modeOf(`of-${made}`), modeOf(`of-${made}/deep`)], [made, made]);
    }
  } finally {
    process.umask(umask);
  }
});

test('a file is read up to its limit, and refused above', async () => {
  assert.equal((await open().read('parts/a', { maxBytes: 5 }))?.length, 5);
  const message = /larger than 4 bytes/;
  await assert.rejects(open().read('parts/a', { maxBytes: 4 }), refused(message));
  assert.throws(() => open().readSync('parts/a', 4), refused(message));
});

test('a signal cancels reading', async () => {
  const cancelled = { code: 'cancelled' };
  const signal = AbortSignal.abort();
  await assert.rejects(open().read('parts/a', { ...LIMITS, signal }), cancelled);
  await assert.rejects(open().getSize('parts/a', signal), cancelled);
  const late = new AbortController();
  const reading = open().read('parts/a', { ...LIMITS, signal: late.signal });
  late.abort();
  await assert.rejects(reading, cancelled);
});

test('a link that appears while a file is opened never leads outside', async () => {
  // Another process swaps the file as fast as it can, so that the check and the opening see different files.
  const swap = `
    const fs = require('node:fs');
    const [folder, secret] = process.argv.slice(1);
    fs.writeFileSync(folder + '/file', 'sound');
    for (;;) {
      fs.symlinkSync(secret, folder + '/link');
      fs.renameSync(folder + '/link', folder + '/a');
      fs.linkSync(folder + '/file', folder + '/copy');
      fs.renameSync(folder + '/copy', folder + '/a');
    }`;
  const child = spawn(process.execPath, ['-e', swap, join(root, 'parts'), secret]);
  const rounds = 2000 * Number(process.env.LOCUS_TORTURE ?? 1);
  const seen = { sound: 0, refused: 0 };
  try {
    for (let round = 0; round < rounds; round++) {
      try {
        const bytes = await open().read('parts/a', LIMITS);
        assert.notEqual(String(bytes), SECRET);
        seen.sound++;
      } catch (error) {
        assert.equal((error as { code?: string }).code, 'bad-objects', `${error}`);
        seen.refused++;
      }
    }
  } finally {
    child.kill('SIGKILL');
  }
  assert.ok(seen.sound > 0 && seen.refused > 0, JSON.stringify(seen));
});
