import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, beforeEach, describe, it } from 'node:test';
import { type FleetEntry, makeRepositoryKey } from '../../src/services/fleet/catalog.ts';
import { openCatalog } from '../../src/services/fleet/fleet.ts';
import type { CloneProgress } from '../../src/shared/fleet.ts';
import { fakeEngine, locus } from '../cli/fake-host.ts';
import { type FakeSsh, fakeSsh } from '../support/fake-ssh.ts';
import {
  git,
  gitRepository,
  removeFolder,
  temporaryFolder,
  writeFiles,
} from '../support/repository.ts';
import { type Client, connect, SHOP, waitFor, workplace } from './support.ts';

const NAME = 'git.example.test/acme/shop';
const RUN = 'b6b1c1f0-6d0c-4a39-9c55-1b6f3f7f1a11';
const THERE = {
  indexed: {
    commit: 'c'.repeat(40),
    generation: 1,
    model: 'bag-1',
    rows: 7,
    files: 2,
    at: '2026-01-02T03:04:05.000Z',
  },
  generation: 1,
  checks: 1,
  lease: null,
  failure: null,
  removing: false,
};

describe('a fleet in the window', () => {
  const { PATH, LOCUS_FLEET_OBJECTS, LOCUS_FLEET_ENGINE } = process.env;
  let place: ReturnType<typeof workplace>;
  let ssh: FakeSsh;
  let folder: string;
  let source: string;
  let client: Client;
  let entries: FleetEntry[];
  const into = (name: string) => {
    const path = join(folder, name);
    mkdirSync(path, { recursive: true });
    return path;
  };
  const clone = (into: string, options = {}) =>
    client.call('fleet.clone', { run: RUN, name: NAME, ref: null, into }, options);

  before(async () => {
    folder = temporaryFolder();
    ssh = fakeSsh();
    source = gitRepository(SHOP);
    process.env.PATH = ssh.path;
    process.env.LOCUS_FLEET_OBJECTS = join(folder, 'objects');
    process.env.LOCUS_FLEET_ENGINE = 'http://127.0.0.1:1';
    entries = [
      { name: NAME, url: ssh.serve(source, 'acme/shop'), ref: null, forge: null },
      {
        name: 'git.example.test/acme/gone',
        url: 'git@git.example.test:acme/gone.git',
        ref: null,
        forge: null,
      },
    ];
    const catalog = await openCatalog({ objects: join(folder, 'objects') });
    await catalog.add(entries);
    const [shop, gone] = entries;
    if (shop) await catalog.writeState(makeRepositoryKey(shop), THERE, null);
    if (gone)
      await catalog.writeState(
        makeRepositoryKey(gone),
        { ...THERE, indexed: null, failure: 'bad-repository' },
        null,
      );
    catalog[Symbol.dispose]();
    place = workplace();
  });
  beforeEach(() => {
    client = connect(place.session);
  });
  after(async () => {
    Object.assign(process.env, { PATH });
    for (const [name, value] of Object.entries({ LOCUS_FLEET_OBJECTS, LOCUS_FLEET_ENGINE })) {
      if (value === undefined) delete process.env[name];
      else process.env[name] = value;
    }
    await place.done();
    ssh.remove();
    for (const one of [folder, source]) removeFolder(one);
  });

  it('is read from the environment, as by the command line', async () => {
    const { fleet } = await waitFor(connect(place.session), 'welcome');
    const objects = join(folder, 'objects');
    assert.deepEqual(fleet, { objects, engine: 'http://127.0.0.1:1', isLocal: true });
    delete process.env.LOCUS_FLEET_OBJECTS;
    try {
      const { fleet: none } = await waitFor(connect(place.session), 'welcome');
      assert.equal(none, null);
      await assert.rejects(client.call('fleet.status', {}), {
        code: 'bad-input',
        message: 'No fleet is set up.',
      });
    } finally {
      process.env.LOCUS_FLEET_OBJECTS = objects;
    }
  });

  it('cannot be changed by a window while the environment sets it', async () => {
    const fleet = { objects: 's3://acme-locus/fleet', engine: 'https://evil.example.test' };
    const said = await client.call('fleet.get', {});
    assert.deepEqual(said.variables, ['LOCUS_FLEET_OBJECTS', 'LOCUS_FLEET_ENGINE']);
    await assert.rejects(client.call('fleet.set', { fleet }), {
      code: 'bad-input',
      message: /LOCUS_FLEET_OBJECTS overrides this setting/,
    });
    await assert.rejects(client.call('fleet.set', { fleet: null }), { code: 'bad-input' });
    assert.equal(existsSync(join(place.dataDir, 'fleet.json')), false);
  });

  it('reports the state of each repository', async () => {
    const { repositories, more } = await client.call('fleet.status', {});
    assert.deepEqual(
      repositories.map(({ name, indexed, failure }) => [name, indexed?.rows, indexed?.at, failure]),
      [
        ['git.example.test/acme/gone', undefined, undefined, 'bad-repository'],
        [NAME, 7, '2026-01-02T03:04:05.000Z', null],
      ],
    );
    assert.equal(more, 0);
  });

  it('says of an engine that does not answer where it is, and nothing of the issue', async () => {
    const request = { issue: 'the secret plan' };
    await assert.rejects(client.call('fleet.search', { request }), (error: Error) => {
      assert.match(error.message, /The engine at 127\.0\.0\.1:1 failed/);
      assert.doesNotMatch(error.message, /secret/);
      return true;
    });
  });

  it('clones a repository, which then opens, and takes a clone that is there', async () => {
    const seen = new Set<CloneProgress['phase']>();
    client.on('cloning', ({ run, progress }) => {
      assert.equal(run, RUN);
      seen.add(progress.phase);
    });
    const to = into('clones');
    const { root } = await clone(to);
    assert.equal(root, join(to, 'shop'));
    assert.deepEqual(readdirSync(to), ['shop']);
    assert.equal(git(root, 'log', '--format=%H'), git(source, 'log', '--format=%H'));
    assert.equal(git(root, 'status', '--porcelain'), '');
    assert.ok(seen.has('asking') && seen.has('receiving'));
    assert.equal((await client.call('repository.open', { root })).root, root);
    // Sent twice, as after a lost connection, the clone is made once.
    assert.deepEqual(await clone(to), { root });
  });

  it('leaves nothing behind of a cancelled clone', async () => {
    const to = into('given-up');
    ssh.hold(true);
    try {
      const controller = new AbortController();
      const asking = waitFor(client, 'cloning');
      const cloning = clone(to, controller);
      await asking;
      controller.abort();
      await assert.rejects(cloning, { code: 'cancelled' });
    } finally {
      ssh.hold(false);
    }
    // The answer comes at once; the rest is removed when git has exited.
    while (readdirSync(to).length > 0) await new Promise((done) => setTimeout(done, 20));
    assert.equal((await clone(to)).root, join(to, 'shop'));
  });

  it('clones nothing but what the fleet lists, and to no other place than it may', async () => {
    const to = into('refused');
    const other = { run: RUN, name: 'evil.example/x/y', ref: null, into: to };
    await assert.rejects(client.call('fleet.clone', other), { code: 'not-found' });
    await assert.rejects(clone('clones'), { code: 'bad-input', message: /not an absolute path/ });
    await assert.rejects(clone(join(folder, 'nowhere')), {
      code: 'bad-input',
      message: /cannot be created: /,
    });
    mkdirSync(join(to, 'shop'));
    await assert.rejects(clone(to), {
      code: 'bad-input',
      message: `${join(to, 'shop')} exists already and is not a clone of ${NAME}.`,
    });
    const confined = connect(place.session, into('allowed'));
    const outside = { run: RUN, name: NAME, ref: null, into: to };
    await assert.rejects(confined.call('fleet.clone', outside), {
      code: 'bad-input',
      message: /Only folders in .* can be opened here/,
    });
  });

  it('tells of a repository that cannot be had in none of its host’s words', async () => {
    const to = into('failing');
    const gone = { run: RUN, name: 'git.example.test/acme/gone', ref: null, into: to };
    await assert.rejects(client.call('fleet.clone', gone), {
      code: 'bad-repository',
      message: 'The repository cannot be fetched.',
    });
    assert.equal(existsSync(join(to, 'gone')), false);
    assert.deepEqual(readdirSync(to), []);
  });
});

describe('a fleet that a window sets up', () => {
  const FLEET = { objects: 's3://acme-locus/fleet', engine: 'https://milvus.example.test:19530' };
  const PLACES = { ...FLEET, isLocal: false };
  const OFF = { location: null, hasToken: false, variables: [] };
  let place: ReturnType<typeof workplace>;
  let client: Client;
  const set = (fleet: (typeof FLEET & { token?: string | null }) | null) =>
    client.call('fleet.set', { fleet });

  before(() => {
    place = workplace();
  });
  beforeEach(async () => {
    client = connect(place.session);
    await set(null);
  });
  after(() => place.done());

  it('is sent to all windows, now and later, without its token', async () => {
    assert.deepEqual(await client.call('fleet.get', {}), OFF);
    const other = connect(place.session);
    const told = waitFor(other, 'fleet');
    const state = await set({ ...FLEET, token: 'root:secret' });
    assert.deepEqual(state, { location: PLACES, hasToken: true, variables: [] });
    assert.deepEqual(await told, PLACES);
    const { fleet } = await waitFor(connect(place.session), 'welcome');
    assert.deepEqual(fleet, PLACES);
    const off = waitFor(other, 'fleet');
    assert.deepEqual(await set(null), OFF);
    assert.equal(await off, null);
  });

  it('is used from then on, also by the command line', async () => {
    const folder = temporaryFolder();
    try {
      await set({ ...FLEET, objects: folder });
      const { repositories } = await client.call('fleet.status', {});
      assert.deepEqual(repositories, []);
      const { stdout } = await locus(fakeEngine([]), ['fleet', 'use'], {
        env: { LOCUS_DATA_DIR: place.dataDir },
      });
      assert.ok(stdout.includes(folder));
    } finally {
      removeFolder(folder);
    }
  });

  it('refuses what locus fleet use refuses, and folders that the window may not name', async () => {
    await set(FLEET);
    const refused: [change: object, message: RegExp][] = [
      [{ objects: 'fleet' }, /fleet is not an absolute path/],
      [{ objects: '  ' }, /no location was entered/],
      [{ engine: 'milvus' }, /The Milvus address is invalid/],
      [{ token: 'a\nb' }, /The token is invalid/],
    ];
    for (const [change, message] of refused)
      await assert.rejects(set({ ...FLEET, ...change }), { code: 'bad-input', message });
    const confined = connect(place.session, place.root);
    const outside = { fleet: { ...FLEET, objects: '/mnt/elsewhere' } };
    await assert.rejects(confined.call('fleet.set', outside), {
      message: /Only folders in .* can be opened here/,
    });
    assert.deepEqual((await client.call('fleet.get', {})).location, PLACES);
    const inside = { fleet: { ...FLEET, objects: join(place.root, 'fleet') } };
    assert.equal(
      (await confined.call('fleet.set', inside)).location?.objects,
      join(place.root, 'fleet'),
    );
  });

  it('is off if its file is damaged, which is reported on request', async () => {
    writeFiles(place.dataDir, { 'fleet.json': '{' });
    const { fleet } = await waitFor(connect(place.session), 'welcome');
    assert.equal(fleet, null);
    await assert.rejects(client.call('fleet.get', {}), {
      code: 'bad-input',
      message: /fleet\.json is damaged/,
    });
    assert.deepEqual((await set(FLEET)).location, PLACES);
  });
});
