/** Tests the part of `locus fleet` that needs no Milvus. */
import assert from 'node:assert/strict';
import { readFileSync, realpathSync, symlinkSync } from 'node:fs';
import { join, relative } from 'node:path';
import { after, beforeEach, describe, it } from 'node:test';
import { EXIT_BY_ERROR } from '../../src/cli/exit-codes.ts';
import { openCatalog } from '../../src/services/fleet/fleet.ts';
import { gitRepository, removeFolder, temporaryFolder } from '../support/repository.ts';
import { fakeEngine, locus, type Setting } from './fake-host.ts';

describe('locus fleet use', () => {
  const LOCUS_DATA_DIR = temporaryFolder();
  const use = (args: string[], { env, ...setting }: Setting = {}) =>
    locus(fakeEngine([]), ['fleet', 'use', ...args], {
      ...setting,
      env: { LOCUS_DATA_DIR, ...env },
    });
  const stored = () => JSON.parse(readFileSync(join(LOCUS_DATA_DIR, 'fleet.json'), 'utf8'));
  const FLEET = ['s3://acme-locus/fleet', '--engine', 'https://milvus.example.test:19530'];
  beforeEach(() => use(['--off']));
  after(() => removeFolder(LOCUS_DATA_DIR));

  it('stores, shows and removes the settings', async () => {
    assert.match((await use([])).stdout, /^No fleet is set up\.\n$/);
    const set = await use(FLEET);
    assert.equal(set.exitCode, 0);
    assert.match(
      set.stdout,
      /List of repositories: s3:\/\/acme-locus\/fleet\n.*:19530, without a token\n$/,
    );
    assert.equal((await use([])).stdout, set.stdout);
    assert.deepEqual((await use(['--json'])).json(), {
      objects: 's3://acme-locus/fleet',
      engine: 'https://milvus.example.test:19530',
      token: false,
      variables: [],
    });
    assert.match((await use(['--off'])).stdout, /No fleet is set up/);
  });

  it('reads a token from standard input, which it does not print', async () => {
    const { exitCode, stdout, stderr } = await use([...FLEET, '--token', '-'], {
      stdin: 'root:secret\n',
    });
    assert.equal(exitCode, 0, stderr);
    assert.match(stdout, /a token\n$/);
    assert.doesNotMatch(stdout + stderr, /secret/);
    assert.equal(stored().token, 'root:secret');
    // New settings replace all earlier ones.
    await use(FLEET);
    assert.equal(stored().token, null);
  });

  it('refuses a token in its arguments, and one that is typed or empty', async () => {
    for (const [args, setting] of [
      [['--token', 'root:secret'], {}],
      [['--token', '-'], { stdin: 'root:secret', seated: true }],
      [['--token', '-'], { stdin: '\n' }],
    ] as [string[], Setting][]) {
      const { exitCode, stdout, stderr } = await use([...FLEET, ...args], setting);
      assert.equal(exitCode, 2);
      assert.match(stderr, /token/);
      assert.doesNotMatch(stdout + stderr, /secret/);
    }
    assert.equal((await use(['--json'])).json().objects, null);
  });

  it('refuses a storage together with --off, and an engine without a storage', async () => {
    for (const args of [
      ['/mnt/fleet', '--off'],
      ['--engine', 'http://127.0.0.1:1'],
    ])
      assert.equal((await use(args)).exitCode, 2);
  });

  it('says which environment variables override the settings', async () => {
    await use(FLEET);
    const env = { LOCUS_FLEET_ENGINE: 'http://127.0.0.1:2', LOCUS_FLEET_TOKEN: 'root:secret' };
    const { stdout } = await use([], { env });
    assert.match(stdout, /127\.0\.0\.1:2, with a token\n/);
    assert.match(
      stdout,
      /environment overrides these settings: LOCUS_FLEET_ENGINE, LOCUS_FLEET_TOKEN\n$/,
    );
    assert.doesNotMatch(stdout, /secret/);
  });

  it('sets the fleet of the other commands', async () => {
    const objects = join(LOCUS_DATA_DIR, 'objects');
    await use([objects]);
    const { stdout } = await locus(fakeEngine([]), ['fleet', 'add', 'https://github.com/a/b'], {
      env: { LOCUS_DATA_DIR },
    });
    assert.match(stdout, new RegExp(`Added 1 repository to ${objects}`));
  });
});

describe('locus fleet index and remove, of some', () => {
  const folder = temporaryFolder();
  const objects = join(folder, 'objects');
  after(() => removeFolder(folder));
  const env = {
    LOCUS_DATA_DIR: folder,
    LOCUS_FLEET_OBJECTS: objects,
    // No server listens on this port.
    LOCUS_FLEET_ENGINE: 'http://127.0.0.1:1',
  };
  const fleet = (...args: string[]) => locus(fakeEngine([]), ['fleet', ...args], { env });

  /** Error if the command gets as far as contacting Milvus. */
  async function isKnown(name: string): Promise<void> {
    const { exitCode, stderr } = await fleet('index', name);
    assert.equal(exitCode, EXIT_BY_ERROR['not-fetched'], stderr);
    assert.match(stderr, /The engine at 127\.0\.0\.1:1 failed.*\n.*\. Run locus fleet use to see/);
  }

  it('accept a folder only as a path, and say how to write it', async () => {
    const { exitCode, stderr } = await fleet('add', 'src');
    assert.equal(exitCode, 2);
    assert.match(
      stderr,
      /nor the path of a folder\.\n {2}→ Give .*, or a path such as \/src\/name or \.\/name\.\n/,
    );
  });

  it('refuse an unknown repository before doing anything', async () => {
    await fleet('add', 'https://github.com/acme/shop');
    for (const what of ['index', 'remove']) {
      const { exitCode, stderr } = await fleet(what, 'github.com/acme/shop', 'github.com/acme/x');
      assert.equal(exitCode, EXIT_BY_ERROR['not-found']);
      assert.match(stderr, /The fleet has no repository `github\.com\/acme\/x`\.\n/);
    }
    const catalog = await openCatalog({ objects });
    assert.equal((await catalog.listEntries()).size, 1);
    catalog[Symbol.dispose]();
  });

  it('find a repository by its name, its URL with and without .git, and over SSH', async () => {
    for (const name of [
      'github.com/acme/shop',
      'https://github.com/acme/shop',
      'https://github.com/acme/shop.git',
      'git@github.com:acme/shop.git',
      // The name on the host, whatever URL it was added with.
      'https://github.com/Acme/Shop.git',
    ]) {
      await isKnown(name);
    }
  });

  it('stores no passwords of URLs in its list', async () => {
    const added = async (address: string) =>
      (await fleet('add', address, '--json')).json().repositories[0].url;
    assert.equal(
      await added('ssh://git:secret@git.acme.org:22/a/shop'),
      'ssh://git@git.acme.org:22/a/shop',
    );
    assert.equal(await added('ssh://git.acme.org:22/a/mail'), 'ssh://git.acme.org:22/a/mail');
    assert.equal(
      await added('https://me:secret@git.acme.org/a/cart'),
      'https://git.acme.org/a/cart.git',
    );
  });

  it('find a folder by its path, relative to the working directory and through a link', async () => {
    const root = realpathSync(gitRepository({ 'a.py': '' }));
    const linked = join(folder, 'linked');
    symlinkSync(root, linked);
    await fleet('add', root);
    for (const path of [root, relative(process.cwd(), root), linked]) await isKnown(path);
    removeFolder(root);
    await isKnown(root);
  });
});
