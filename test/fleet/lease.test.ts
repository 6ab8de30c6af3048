import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  FleetCatalog,
  type FleetEntry,
  makeRepositoryKey,
} from '../../src/services/fleet/catalog.ts';
import { Lease, SeenLeases } from '../../src/services/fleet/lease.ts';
import { openObjects } from '../../src/services/objects/open.ts';
import { removeFolder, temporaryFolder } from '../support/repository.ts';

const ENTRY: FleetEntry = {
  name: 'git.example.org/acme/shop',
  url: 'https://git.example.org/acme/shop.git',
  ref: null,
  forge: 'gitlab',
};
const KEY = makeRepositoryKey(ENTRY);
const COMMIT = 'a'.repeat(40);

describe('leases', () => {
  let folder: string;
  let catalog: FleetCatalog;
  before(() => {
    folder = temporaryFolder();
  });
  after(() => removeFolder(folder));
  const fresh = async (name: string) => {
    catalog = new FleetCatalog(await openObjects(`${folder}/${name}`));
    await catalog.add([ENTRY]);
  };
  const take = async (worker: string, seconds = 60) =>
    Lease.take(catalog, KEY, await catalog.readState(KEY), { worker, seconds });

  it('give a repository to only one of several concurrent workers', async () => {
    await fresh('one');
    const state = await catalog.readState(KEY);
    const taken = await Promise.all(
      ['a', 'b', 'c', 'd'].map((worker) =>
        Lease.take(catalog, KEY, state, { worker, seconds: 60 }),
      ),
    );
    const [lease, ...others] = taken.filter((one) => one !== null);
    assert.ok(lease);
    assert.deepEqual(others, []);
    lease.assertHeld();
    lease.drop();
  });

  it('expire for a worker that saw them unchanged for long enough, and not before', async () => {
    await fresh('seen');
    const lease = await take('a', 3_600);
    const seen = new SeenLeases();
    const state = await catalog.readState(KEY);
    assert.equal(seen.isFree(KEY, state, 0), false);
    assert.equal(seen.isFree(KEY, state, 3_599_000), false);
    assert.equal(seen.isFree(KEY, state, 3_600_001), true);
    await lease?.announce(COMMIT);
    assert.equal(seen.isFree(KEY, await catalog.readState(KEY), 3_600_001), false);
    lease?.drop();
  });

  it('are not relied on after a sleep or a clock change', async () => {
    await fresh('clocks');
    const moment = { steady: 0, wall: 1e12 };
    const clocks = { steady: () => moment.steady, wall: () => moment.wall };
    const options = { worker: 'a', seconds: 60, clocks };
    const lease = await Lease.take(catalog, KEY, await catalog.readState(KEY), options);
    assert.ok(lease);
    Object.assign(moment, { steady: 59_000, wall: 1e12 + 59_000 });
    lease.assertHeld();
    Object.assign(moment, { steady: 59_000, wall: 1e12 + 3_600_000 });
    assert.throws(() => lease.assertHeld(), { code: 'busy' }, 'it slept for an hour');
    await lease.announce(COMMIT);
    lease.assertHeld();
    Object.assign(moment, { steady: 120_000, wall: 1e12 - 3_600_000 });
    assert.throws(() => lease.assertHeld(), { code: 'busy' }, 'the clock was set back');
    lease.drop();
  });

  it('are renewed as long as their holder lives', async () => {
    await fresh('renewed');
    const lease = await take('a', 1);
    const { tag } = await catalog.readState(KEY);
    while ((await catalog.readState(KEY)).tag === tag) await sleep(50);
    lease?.drop();
    assert.equal(lease?.signal.aborted, true);
  });

  it('are lost when another worker takes over, with a higher generation', async () => {
    await fresh('lost');
    const first = await take('a', 1);
    const second = await take('b', 60);
    assert.ok(first && second);
    assert.ok(second.generation > first.generation);
    while (!first.signal.aborted) await sleep(50);
    assert.throws(() => first.assertHeld(), { code: 'busy' });
    await assert.rejects(first.finish({ indexed: null, failure: null }), { code: 'busy' });
    second.assertHeld();
    const indexed = {
      commit: COMMIT,
      generation: second.generation,
      model: 'm',
      rows: 3,
      files: 1,
      at: '2026-01-02T03:04:05.000Z',
    };
    await second.finish({ indexed, failure: null });
    const { value } = await catalog.readState(KEY);
    assert.deepEqual([value.indexed, value.lease, value.checks], [indexed, null, 1]);
  });

  it('reject a catalog that another version wrote', async () => {
    const objects = await openObjects(`${folder}/other`);
    await objects.put('fleet/catalog.json', Buffer.from('{"format":2,"repositories":{}}'), null);
    await assert.rejects(new FleetCatalog(objects).listEntries(), { code: 'bad-objects' });
  });

  it('lose no repositories that are added concurrently', async () => {
    catalog = new FleetCatalog(await openObjects(`${folder}/added`));
    const entries = Array.from({ length: 6 }, (_, i) => ({
      ...ENTRY,
      name: `host/acme/shop-${i}`,
    }));
    await Promise.all(entries.map((one) => catalog.add([one])));
    assert.equal((await catalog.listEntries()).size, 6);
    assert.equal(await catalog.add(entries), 0);
  });
});
