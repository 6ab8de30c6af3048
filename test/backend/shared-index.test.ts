import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, before, beforeEach, describe, it } from 'node:test';
import { keyOf, publishFrom } from '../shared-index/laptops.ts';
import { keepThreads } from '../support/keep-threads.ts';
import { removeFolder, temporaryFolder } from '../support/repository.ts';
import { type Client, connect, indexed, waitFor, workplace } from './support.ts';

await keepThreads('auto');

const KEY = `ed25519:${'A'.repeat(43)}`;

describe('the shared index of the settings', () => {
  const folder = temporaryFolder();
  const shared = join(folder, 'shared');
  let place: ReturnType<typeof workplace>;
  let client: Client;
  const set = (from: string | null, keys: string[] = []) =>
    client.call('sharedIndex.set', { from, keys });

  before(() => {
    place = workplace();
  });
  beforeEach(() => {
    client = connect(place.session);
  });
  after(async () => {
    await place.done();
    removeFolder(folder);
  });

  it('is off until it is set up, and off again', async () => {
    const off = { from: null, keys: [], ownKey: null, lastPull: null };
    assert.deepEqual(await client.call('sharedIndex.get', {}), off);
    const state = await set('s3://acme-locus/index', [KEY, KEY]);
    assert.deepEqual(state, { ...off, from: 's3://acme-locus/index', keys: [KEY] });
    assert.deepEqual(await set(null), off);
  });

  it('refuses what locus shared refuses, and keeps what there was', async () => {
    await set('https://example.com/index', [KEY]);
    const refused: [from: string, keys: string[], message: RegExp][] = [
      ['s3://acme-locus/index', ['ed25519:short'], /ed25519:short is not a public key/],
      ['ftp://example.com/index', [], /is neither s3:\/\/ nor https:\/\//],
      ['https://me:secret@example.com/index', [], /contains a password/],
      ['s3://UPPER/index', [], /does not name a valid bucket/],
      ['shared', [], /shared is not an absolute path/],
      ['  ', [], /no location was entered/],
    ];
    for (const [from, keys, message] of refused) {
      await assert.rejects(set(from, keys), (error: Error) => {
        assert.match(error.message, message);
        assert.doesNotMatch(error.message, /secret/);
        return true;
      });
    }
    const confined = connect(place.session, folder);
    const outside = { from: '/mnt/elsewhere', keys: [] };
    await assert.rejects(confined.call('sharedIndex.set', outside), {
      message: /Only folders in .* can be opened here/,
    });
    assert.equal((await client.call('sharedIndex.get', {})).from, 'https://example.com/index');
    await set(null);
  });

  it('is taken when a repository is opened, which the window sees, and says what it brought', async () => {
    await publishFrom(place.root, join(folder, 'publisher'), shared);
    await set(shared, [await keyOf(join(folder, 'publisher'))]);
    const note = waitFor(client, 'note', ({ text }) => text.startsWith('Used the shared index'));
    const taking = waitFor(client, 'indexing', ({ state }) => state.progress?.phase === 'download');
    const done = indexed(client);
    await client.call('repository.open', { root: place.root });
    await taking;
    await done;
    assert.match(
      (await note).text,
      /^Used the shared index of commit [0-9a-f]{10} from .*shared\.$/,
    );
    const { lastPull } = await client.call('sharedIndex.get', {});
    assert.equal(lastPull?.root, place.root);
    assert.equal(lastPull.failure, null);
    assert.equal(lastPull.taken?.behind, 0);
    assert.equal(lastPull.taken.from, shared);
    assert.equal(lastPull.taken.files, 2);
    assert.ok(Date.now() - Date.parse(lastPull.at) < 600_000);
  });

  it('says why the last one was not taken', async () => {
    const other = workplace();
    try {
      const window = connect(other.session);
      await publishFrom(other.root, join(folder, 'publisher'), shared);
      await window.call('sharedIndex.set', { from: shared, keys: [KEY] });
      const done = indexed(window);
      await window.call('repository.open', { root: other.root });
      await done;
      const { lastPull } = await window.call('sharedIndex.get', {});
      assert.equal(lastPull?.taken, null);
      assert.match(lastPull.failure?.message ?? '', /ed25519:/);
    } finally {
      await other.done();
    }
  });
});
