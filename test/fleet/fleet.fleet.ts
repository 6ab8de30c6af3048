/* All of a fleet against real servers: Milvus Lite, and moto's S3 for the list. */

import assert from 'node:assert/strict';
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { type MilvusLite, startMilvusLite } from '../../scripts/milvus-lite.ts';
import { AccessChecker } from '../../src/services/fleet/access.ts';
import { type FleetEntry, makeRepositoryKey } from '../../src/services/fleet/catalog.ts';
import { makeRowId } from '../../src/services/fleet/engine.ts';
import {
  type Fleet,
  openCatalog,
  openFleet,
  removeRepository,
} from '../../src/services/fleet/fleet.ts';
import { Lease } from '../../src/services/fleet/lease.ts';
import { indexCommit } from '../../src/services/fleet/local-index.ts';
import { searchFleet } from '../../src/services/fleet/search.ts';
import { runWorker } from '../../src/services/fleet/worker.ts';
import {
  git,
  gitRepository,
  removeFolder,
  temporaryFolder,
  writeFiles,
} from '../support/repository.ts';
import { type Moto, pretendToBeSomebody, startMoto } from './moto.ts';

const CART = `"""Carts of a shop."""


class Cart:
    """What a customer is about to buy."""

    def total(self, prices):
        """The sum of all prices, rounded to cents."""
        return round_price(sum(prices))


def round_price(amount):
    return round(amount, 2)
`;
const MAIL = `def send_receipt(address, lines):
    """Mails a receipt to a customer."""
    for line in lines:
        write_line(address, line)


def write_line(address, line):
    print(address, line)
`;
const ISSUE = 'The total of a cart is rounded to the wrong cents';
const LOCUS = join(import.meta.dirname, '../../src/cli/locus.ts');

describe('a fleet', () => {
  let milvus: MilvusLite;
  let moto: Moto;
  let folder: string;
  let objects: string;
  let fleet: Fleet;
  const made: string[] = [];
  const repository = (files: Record<string, string>): FleetEntry => {
    const url = gitRepository(files);
    made.push(url);
    return { name: url.replace(/^\//, ''), url, ref: null, forge: null };
  };
  const open = (name: string) =>
    openFleet({ objects, engine: milvus.address, dataDir: join(folder, name) });
  const search = (text = ISSUE) =>
    searchFleet(fleet, new AccessChecker({}), { issue: text, limit: 20 }, { device: 'cpu' });
  /** Returns the expected rows of a repository, from an index made now. */
  const expected = async ({ url }: FleetEntry, key: string): Promise<Set<string>> => {
    const commit = git(url, 'rev-parse', 'HEAD');
    const own = { dataDir: undefined, folder: join(folder, 'expected') };
    const { contents } = await indexCommit(url, commit, own);
    return new Set(Array.from(contents, (content) => makeRowId(key, fleet.model, content)));
  };
  const isWhole = async (entry: FleetEntry) => {
    const key = makeRepositoryKey(entry);
    assert.deepEqual(await fleet.engine.listIds(key), await expected(entry, key));
  };

  before(async () => {
    pretendToBeSomebody();
    folder = temporaryFolder();
    milvus = await startMilvusLite(join(folder, 'milvus'));
    moto = await startMoto();
    await moto.makeBucket('fleet');
    objects = `s3://fleet/company?endpoint=${moto.endpoint}`;
    fleet = await open('first');
  });
  after(async () => {
    await fleet?.[Symbol.asyncDispose]();
    await milvus?.stop();
    await moto?.stop();
    for (const one of [folder, ...made]) removeFolder(one);
  });

  it('finds functions in all repositories, and follows pushes', async () => {
    const [shop, mail] = [repository({ 'shop/cart.py': CART }), repository({ 'mail.py': MAIL })];
    assert.equal(await fleet.catalog.add([shop, mail]), 2);
    const done = await runWorker(fleet);
    assert.deepEqual(
      done.map(({ failure }) => failure),
      [null, null],
    );
    for (const one of [shop, mail]) await isWhole(one);
    const first = await search();
    const [best] = first.results;
    assert.deepEqual(
      [best?.repository, best?.path, best?.commit],
      [shop.name, 'shop/cart.py', git(shop.url, 'rev-parse', 'HEAD')],
    );
    assert.ok(first.results.some((one) => one.repository === mail.name));
    assert.deepEqual([first.fleet.searched, first.fleet.hidden], [2, 0]);

    writeFiles(shop.url, { 'shop/cart.py': CART.replace('round(amount, 2)', 'round(amount, 3)') });
    git(shop.url, 'commit', '-qam', 'Another rounding');
    const again = await runWorker(fleet);
    const ofShop = again.find(({ name }) => name === shop.name);
    assert.equal(ofShop?.added, ofShop?.removed);
    assert.ok(ofShop && ofShop.added > 0 && ofShop.added < ofShop.rows);
    assert.equal(again.find(({ name }) => name === mail.name)?.added, 0);
    await isWhole(shop);

    rmSync(join(shop.url, 'shop'), { recursive: true });
    writeFiles(shop.url, { 'other.py': 'def other():\n    return 1\n' });
    git(shop.url, 'add', '-A');
    git(shop.url, 'commit', '-qm', 'No carts any more');
    await runWorker(fleet);
    await isWhole(shop);
    assert.ok((await search()).results.every((one) => one.path !== 'shop/cart.py'));
  });

  it('shows nothing of a repository without access, and keeps nothing of one that was removed', async () => {
    const entries = await fleet.catalog.listEntries();
    const [key, entry] = [...entries][0] ?? [];
    assert.ok(key && entry);
    const none = new AccessChecker({});
    none.findReadable = async () => ({ keys: new Set([...entries.keys()].slice(1)), notes: [] });
    const seen = await searchFleet(
      fleet,
      none,
      { issue: 'customer other cart' },
      { device: 'cpu' },
    );
    assert.equal(seen.fleet.hidden, 1);
    assert.ok(seen.results.length > 0);
    assert.ok(seen.results.every((one) => one.repository !== entry.name));

    await removeRepository(fleet, key);
    assert.equal(await fleet.engine.count([key]), 0);
    assert.equal((await fleet.catalog.listEntries()).has(key), false);
    assert.deepEqual((await fleet.catalog.readState(key)).value.indexed, null);
  });

  it('updates the named repositories, and reads no others', async () => {
    const own = { LOCUS_FLEET_OBJECTS: join(folder, 'named'), LOCUS_FLEET_ENGINE: milvus.address };
    const catalog = await openCatalog({ objects: own.LOCUS_FLEET_OBJECTS });
    const [shop, mail] = [repository({ 'shop.py': CART }), repository({ 'mail.py': MAIL })];
    await catalog.add([shop, mail]);
    // Reading it would fail.
    writeFiles(own.LOCUS_FLEET_OBJECTS, {
      [`fleet/repositories/${makeRepositoryKey(mail)}.json`]: 'damaged',
    });
    const index = (...names: string[]) =>
      promisify(execFile)(process.execPath, [LOCUS, 'fleet', 'index', '--json', ...names], {
        env: { ...process.env, ...own, LOCUS_DATA_DIR: join(folder, 'hook') },
      });
    const { stdout } = await index(shop.name);
    assert.deepEqual(
      stdout
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line).name),
      [shop.name],
    );
    const stored = await catalog.readState(makeRepositoryKey(shop));
    assert.equal(stored.value.indexed?.commit, git(shop.url, 'rev-parse', 'HEAD'));
    await assert.rejects(index(), /was not written by this version of Locus/);
    catalog[Symbol.dispose]();
  });

  it('does not count a run that started before a push was announced', async () => {
    const objects = join(folder, 'pushed');
    const dataDir = join(folder, 'first');
    const hooked = await openFleet({ objects, engine: milvus.address, dataDir });
    const { catalog } = hooked;
    const shop = repository({ 'shop.py': CART });
    await catalog.add([shop]);
    const key = makeRepositoryKey(shop);
    const state = await catalog.readState(key);
    const lease = await Lease.take(catalog, key, state, { worker: 'another', seconds: 60 });
    assert.ok(lease);
    // That run fetched the earlier state, and ends after this one started.
    let looks = 0;
    const asked = catalog.readState.bind(catalog);
    catalog.readState = async (...args) => {
      looks += 1;
      return asked(...args);
    };
    const working = runWorker(hooked);
    while (looks < 2) await sleep(20);
    await lease.finish({ indexed: null, failure: null });
    const done = await working;
    assert.deepEqual(
      done.map(({ name, commit }) => [name, commit]),
      [[shop.name, git(shop.url, 'rev-parse', 'HEAD')]],
    );
    await hooked[Symbol.asyncDispose]();
  });

  it('continues if a repository cannot be fetched, and reports it', async () => {
    const gone = { ...repository({ 'a.py': CART }), url: join(folder, 'nowhere') };
    await fleet.catalog.add([gone]);
    const failed = (await runWorker(fleet)).find(({ name }) => name === gone.name);
    assert.equal(failed?.failure?.code, 'bad-repository');
    assert.equal(
      (await fleet.catalog.readState(makeRepositoryKey(gone))).value.failure,
      'bad-repository',
    );
    await removeRepository(fleet, makeRepositoryKey(gone));
  });

  it('is complete after workers were killed at any time, with each row once', async () => {
    const entries = Array.from({ length: 4 }, (_, i) => {
      const files = Array.from({ length: 12 }, (_, j) => [
        `part_${j}.py`,
        CART.replaceAll('Cart', `Cart${i}x${j}`),
      ]);
      return repository(Object.fromEntries(files));
    });
    await fleet.catalog.add(entries);
    const env = {
      ...process.env,
      LOCUS_FLEET_OBJECTS: objects,
      LOCUS_FLEET_ENGINE: milvus.address,
    };
    const worker = (name: string) =>
      spawn(process.execPath, [LOCUS, 'fleet', 'index', '--lease-seconds', '5'], {
        env: { ...env, LOCUS_DATA_DIR: join(folder, name) },
        stdio: 'ignore',
      });
    const killed = [worker('second'), worker('third')];
    const last = worker('fourth');
    const ended = once(last, 'exit');
    // Each is killed as soon as it holds a repository.
    for (const one of killed) {
      while (!(await isWorkedOn(fleet, entries))) await sleep(100);
      one.kill('SIGKILL');
      await sleep(200);
    }
    await ended;
    assert.equal(last.exitCode, 0);
    for (const one of entries) await isWhole(one);
    const rows = await Promise.all(
      entries.map((one) => fleet.engine.listIds(makeRepositoryKey(one))),
    );
    const keys = entries.map(makeRepositoryKey);
    assert.equal(
      await fleet.engine.count(keys),
      rows.reduce((sum, { size }) => sum + size, 0),
    );
  });

  it('reports an unreachable server without quoting the request', async () => {
    await assert.rejects(
      openFleet({ objects, engine: 'http://127.0.0.1:1', dataDir: join(folder, 'first') }),
      { code: 'not-fetched' },
    );
    await milvus.stop();
    await assert.rejects(
      search('the secret plan of mail.py'),
      (error: Error & { code?: string }) => {
        assert.equal(error.code, 'not-fetched');
        assert.doesNotMatch(error.message, /secret|mail/);
        return true;
      },
    );
  });
});

async function isWorkedOn({ catalog }: Fleet, entries: readonly FleetEntry[]): Promise<boolean> {
  const states = await Promise.all(entries.map((one) => catalog.readState(makeRepositoryKey(one))));
  // Otherwise, everything was done before the check.
  return states.some(({ value }) => value.lease) || states.every(({ value }) => value.indexed);
}
