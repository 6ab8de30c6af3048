/** Sockets and keys that others could have made, or could open, are not used. */
import assert from 'node:assert/strict';
import fs, {
  chmodSync,
  chownSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { describe, test } from 'node:test';
import { getOwnBuild, readBuild } from '../../src/services/resident/build.ts';
import { connectEngine } from '../../src/services/resident/connect.ts';
import { EngineEndpoint } from '../../src/services/resident/endpoint.ts';
import { findPlace, getEnginesFolder, preparePlace } from '../../src/services/resident/place.ts';
import { DAEMON } from '../../src/services/resident/protocol.ts';
import { ask, dataDirectory, fakeMethods, NAME, type Serving, serve } from './support.ts';

const skip = process.platform === 'win32';
const notRoot = process.getuid?.() !== 0;
const OTHER_USER = 12_345;
const key = (data: string) => join(getEnginesFolder(data), 'key');

/** Changes that others made to a place. */
const OPENED: Record<string, { needsRoot?: boolean; change: (serving: Serving) => void }> = {
  'others can open the folder': { change: ({ data }) => chmodSync(getEnginesFolder(data), 0o755) },
  'others can read the key': { change: ({ data }) => chmodSync(key(data), 0o644) },
  'the key is a link': {
    change: ({ data }) => {
      renameSync(key(data), `${key(data)}.moved`);
      symlinkSync(`${key(data)}.moved`, key(data));
    },
  },
  'the key has another length': { change: ({ data }) => writeFileSync(key(data), 'short') },
  'the key is missing': { change: ({ data }) => rmSync(key(data)) },
  'the folder is a link': {
    change: ({ data }) => {
      renameSync(getEnginesFolder(data), join(data, 'moved'));
      symlinkSync('moved', getEnginesFolder(data));
    },
  },
  'everybody can rename the folder': { change: ({ data }) => chmodSync(data, 0o777) },
  'a file is where the socket was': {
    change: ({ endpoint }) => {
      rmSync(endpoint.address);
      writeFileSync(endpoint.address, '');
    },
  },
  'a link is where the socket was': {
    change: ({ endpoint: { address } }) => {
      renameSync(address, `${address}.moved`);
      symlinkSync(`${address}.moved`, address);
    },
  },
  'another user owns the socket': {
    needsRoot: true,
    change: ({ endpoint }) => chownSync(endpoint.address, OTHER_USER, OTHER_USER),
  },
  'another user owns the folder': {
    needsRoot: true,
    change: ({ data }) => chownSync(getEnginesFolder(data), OTHER_USER, OTHER_USER),
  },
  'another user owns the key': {
    needsRoot: true,
    change: ({ data }) => chownSync(key(data), OTHER_USER, OTHER_USER),
  },
  'another user owns the data directory': {
    needsRoot: true,
    change: ({ data }) => chownSync(data, OTHER_USER, OTHER_USER),
  },
};

describe('a command asks no engine if', { skip }, () => {
  for (const [what, { needsRoot = false, change }] of Object.entries(OPENED))
    test(what, { skip: needsRoot && notRoot && 'only root can change owners' }, async (t) => {
      const serving = await serve(t);
      assert.ok(findPlace(serving.data, NAME), 'control: it is found');
      change(serving);
      assert.equal(findPlace(serving.data, NAME), null);
      assert.equal(await connectEngine(serving.data, NAME), null);
    });
});

describe('the place of an engine', { skip }, () => {
  test('is private from its creation', async (t) => {
    const before = process.umask(0);
    t.after(() => process.umask(before));
    const { data, endpoint } = await serve(t);
    assert.equal(lstatSync(getEnginesFolder(data)).mode & 0o777, 0o700);
    for (const path of [endpoint.address, key(data)])
      assert.equal(lstatSync(path).mode & 0o777, 0o600, path);
  });

  test('becomes private if it was not', async (t) => {
    const data = dataDirectory(t);
    mkdirSync(getEnginesFolder(data));
    chmodSync(getEnginesFolder(data), 0o777);
    preparePlace(data, NAME);
    assert.equal(lstatSync(getEnginesFolder(data)).mode & 0o777, 0o700);
  });

  test('is not taken from a file that somebody else made', async (t) => {
    const data = dataDirectory(t);
    const { address } = preparePlace(data, NAME);
    writeFileSync(address, 'theirs');
    await assert.rejects(EngineEndpoint.open(data, NAME, fakeMethods()), /EADDRINUSE/);
    assert.equal(readFileSync(address, 'utf8'), 'theirs');
  });

  test('is in a private folder for temporary files if its path is too long', async (t) => {
    const data = join(dataDirectory(t), 'd'.repeat(120));
    const endpoint = await EngineEndpoint.open(data, NAME, fakeMethods());
    assert.ok(endpoint);
    const folder = dirname(endpoint.address);
    t.after(() => {
      endpoint.close();
      rmSync(folder, { recursive: true, force: true });
    });
    assert.equal(dirname(folder), process.env.XDG_RUNTIME_DIR || tmpdir());
    assert.equal(lstatSync(folder).mode & 0o777, 0o700);
    assert.ok(await ask(t, data));
    chmodSync(folder, 0o755);
    assert.equal(findPlace(data, NAME), null);
    endpoint.close();
    await assert.rejects(EngineEndpoint.open(data, NAME, fakeMethods()), /belongs to others/);
  });

  test('is that of one build: others do not find it', async (t) => {
    const root = dataDirectory(t);
    writeFileSync(join(root, 'package.json'), '{"version":"1"}');
    const seen = new Set([readBuild(root)]);
    assert.ok(seen.has(readBuild(root)), 'control: it stays the same');
    for (const version of ['1.1', '1.2']) {
      // An update replaces the file, and can keep its size and its time.
      rmSync(join(root, 'package.json'));
      writeFileSync(join(root, 'package.json'), `{"version":"${version}"}`);
      utimesSync(join(root, 'package.json'), 1, 1);
      const updated = readBuild(root);
      assert.equal(seen.has(updated), false);
      seen.add(updated);
    }
  });

  test('keeps the identity of the code that a process runs, while the code on disk is updated', (t) => {
    const root = dataDirectory(t);
    const manifest = join(root, 'package.json');
    writeFileSync(manifest, '{"version":"1"}');
    const started = getOwnBuild(root);
    assert.equal(readBuild(root), started);
    rmSync(manifest);
    writeFileSync(manifest, '{"version":"1.1"}');
    assert.equal(getOwnBuild(root), started);
    assert.notEqual(readBuild(root), started, 'a daemon notices the update');
  });

  test('reads the identity once for all engines that a process asks', async (t) => {
    const { data } = await serve(t);
    // `serve` has read it.
    const read = t.mock.method(fs, 'readdirSync');
    syncBuiltinESMExports();
    t.after(() => {
      read.mock.restore();
      syncBuiltinESMExports();
    });
    for (const name of [NAME, DAEMON, 'another']) findPlace(data, name);
    assert.equal(read.mock.callCount(), 0);
    readBuild();
    assert.ok(read.mock.callCount() > 0, 'control: it reads folders of a checkout');
  });
});
