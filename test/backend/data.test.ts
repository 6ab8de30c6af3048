import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { startSession } from '../../src/backend/engine-host.ts';
import { WriterLock } from '../../src/engine/store/writer-lock.ts';
import { openRepository } from '../../src/services/open-repository.ts';
import { gitRepository, removeFolder } from '../support/repository.ts';
import { type Client, connect, indexed, workplace } from './support.ts';

const FILES = {
  'shop/cart.py': `class Cart:
    def total(self):
        return 1

    def subtotal(self):
        return 1

    def grand_total(self):
        return 1

    def total_of_items(self):
        return 1
`,
  'shop/totals.py': 'TOTAL = 1\n',
  'test/test_cart.py': 'def total():\n    return 1\n',
};

describe('what the data directory holds', () => {
  let place: ReturnType<typeof workplace>;
  let client: Client;
  let repository: string;

  before(async () => {
    place = workplace(FILES);
    client = connect(place.session);
    const done = indexed(client);
    repository = (await client.call('repository.open', { root: place.root })).id;
    await done;
  });
  after(() => {
    removeFolder(place.root);
    removeFolder(place.dataDir);
  });

  const find = async (query: string, limit?: number) =>
    (await client.call('find', { repository, request: { query, limit } })).map(
      ({ path, qualifiedName, kind }) => (kind === 'module' ? path : qualifiedName),
    );

  it('is found by parts of names: whole words before parts, source before tests', async () => {
    assert.deepEqual(await find('total'), [
      'Cart.total',
      'Cart.grand_total',
      'shop/totals.py',
      'Cart.total_of_items',
      'total',
      'Cart.subtotal',
    ]);
    assert.deepEqual(await find('TOTAL', 1), ['Cart.total']);
    assert.deepEqual(await find('cart.sub'), ['Cart.subtotal']);
    assert.deepEqual(await find('shop/ca'), ['shop/cart.py']);
    assert.deepEqual(await find('  '), []);
    assert.deepEqual(await find('nowhere'), []);
  });

  it('has a log, whose end a window can show', async () => {
    const { folder, lines, errors } = await client.call('log.tail', {});
    assert.equal(folder, join(place.dataDir, 'logs'));
    assert.ok(lines.some((line) => / indexed repository=[0-9a-f]{12} files=3 /.test(line)));
    assert.ok(!lines.join().includes('cart'));
    assert.equal(errors, 0);
  });

  it('can be listed and cleared; an open repository is indexed again', async () => {
    const [index, ...others] = await client.call('data.list', {});
    assert.deepEqual(others, []);
    assert.equal(index.root, place.root);
    assert.ok(index.bytes > 10_000);

    const again = indexed(client);
    await client.call('data.clear', { index: index.id });
    const { state } = await again;
    assert.equal(state.report?.filesParsed, 3);
    assert.equal((await find('grand')).length, 1);
  });

  it('is not cleared while another process writes it, open here or not', async () => {
    const [index] = await client.call('data.list', {});
    const lock = new WriterLock(join(place.dataDir, 'repositories', index.id, 'writer.lock'));
    // Another connection to the lock file acts like another process.
    await lock.hold(async () => {
      const busy = { code: 'busy', message: /is being written by another Locus process/ };
      await assert.rejects(client.call('data.clear', { index: index.id }), busy);
      const other = startSession({ dataDir: place.dataDir });
      await assert.rejects(connect(other).call('data.clear', { index: index.id }), busy);
      await other.close();
      assert.equal((await find('grand')).length, 1);
    });
    lock.close();
    assert.equal((await client.call('data.list', {}))[0].id, index.id);
  });

  it('of another folder cannot be named, nor anything else in the data directory', async () => {
    for (const index of ['..', '../app.db', 'a/../../b-0123456789ab']) {
      await assert.rejects(client.call('data.clear', { index }), /not the id of an index/);
    }
  });

  it('names the folder also of an index that the command line made', async () => {
    const root = gitRepository({ 'a.py': 'def f():\n    return 1\n' });
    try {
      const other = await openRepository(root, { dataDir: place.dataDir, device: 'cpu' });
      await other.close();
      const listed = await client.call('data.list', {});
      const mine = listed.find((index) => index.root === root);
      assert.ok(mine);
      await client.call('data.clear', { index: mine.id });
    } finally {
      removeFolder(root);
    }
  });

  it('of a repository that is not open is gone for good, and the list of recent ones says so', async () => {
    const [index] = await client.call('data.list', {});
    await place.session.close();
    const session = startSession({ dataDir: place.dataDir });
    const window = connect(session);
    await window.call('data.clear', { index: index.id });
    assert.deepEqual(await window.call('data.list', {}), []);
    assert.equal((await window.call('recent.list', {}))[0].state, 'empty');
    await session.close();
  });
});
