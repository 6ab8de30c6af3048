import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { cpSync, realpathSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { startSession } from '../../src/backend/engine-host.ts';
import { RpcClient } from '../../src/shared/rpc/client.ts';
import { removeFolder, temporaryFolder } from '../support/repository.ts';
import { type Client, channelPair, connect, waitFor, workplace } from './support.ts';

describe('recent repositories', () => {
  const place = workplace();
  after(() => place.done());

  it('say what has become of their folders', async () => {
    const client = connect(place.session);
    const home = realpathSync(temporaryFolder('locus-recent-'));
    const folder = join(home, 'shop');
    cpSync(place.root, folder, { recursive: true });
    await client.call('repository.open', { root: folder });
    const state = async (window = client) =>
      (await window.call('recent.list', {})).find(({ root }) => root === folder)?.folder;
    try {
      assert.equal(await state(), 'there');
      assert.equal(await state(connect(place.session, place.root)), 'not-allowed');
      renameSync(join(folder, '.git'), join(home, 'git'));
      assert.equal(await state(), 'no-repository');
      renameSync(folder, join(home, 'moved'));
      assert.equal(await state(), 'missing');
      writeFileSync(folder, 'a file');
      assert.equal(await state(), 'not-a-folder');
      rmSync(folder);
      symlinkSync(folder, folder); // A link to itself cannot be followed.
      assert.equal(await state(), 'unreadable');
    } finally {
      removeFolder(home);
    }
  });

  it('are opened again by a server that starts without one, only in its allowed folder', async () => {
    const client = connect(place.session);
    await client.call('repository.open', { root: place.root });
    const session = startSession({ dataDir: place.dataDir, reopensLast: true });
    try {
      const window = connect(session);
      const { open } = await waitFor(window, 'welcome');
      assert.deepEqual(open, { root: realpathSync(place.root), revision: null });
      const confined = connect(session, realpathSync(place.dataDir));
      await assert.rejects(confined.call('repository.open', { root: place.root }), {
        code: 'bad-input',
      });
    } finally {
      await session.close();
    }
    const welcomed = await waitFor(connect(place.session), 'welcome');
    assert.equal(welcomed.open, null);
  });

  it('are located where they were moved to, with their issues', async () => {
    const client = connect(place.session);
    const home = realpathSync(temporaryFolder('locus-moved-'));
    const [from, to] = [join(home, 'before'), join(home, 'after')];
    cpSync(place.root, from, { recursive: true });
    try {
      const { id: repository } = await client.call('repository.open', { root: from });
      const issue = randomUUID();
      await client.call('issues.save', { repository, issue, text: 'Cookies are cut' });
      await assert.rejects(client.call('recent.relocate', { root: from, to: place.root }), {
        code: 'bad-input',
      });
      await client.call('repository.close', { repository });
      renameSync(from, to);
      await assert.rejects(client.call('recent.relocate', { root: from, to: join(home, 'no') }), {
        code: 'bad-repository',
      });
      assert.deepEqual(await client.call('recent.relocate', { root: from, to }), { root: to });
      const roots = (await client.call('recent.list', {})).map(({ root }) => root);
      assert.ok(roots.includes(to) && !roots.includes(from));
      const moved = await client.call('repository.open', { root: to });
      assert.equal(moved.lastIssue?.id, issue);
      await client.call('repository.close', { repository: moved.id });
    } finally {
      removeFolder(home);
    }
  });

  it('are let go of by windows that close while they are opening', async () => {
    const home = realpathSync(temporaryFolder('locus-reloaded-'));
    const [from, to] = [join(home, 'before'), join(home, 'after')];
    cpSync(place.root, from, { recursive: true });
    try {
      const [here, there] = channelPair();
      const reloaded: Client = new RpcClient();
      reloaded.attach(here);
      place.session.connect(there);
      reloaded.call('repository.open', { root: from }).catch(() => {});
      await reloaded.call('settings.get', {}); // By now the engine is opening it.
      here.close();
      const client = connect(place.session);
      const { id: repository } = await client.call('repository.open', { root: from });
      await client.call('repository.close', { repository });
      renameSync(from, to);
      assert.deepEqual(await client.call('recent.relocate', { root: from, to }), { root: to });
    } finally {
      removeFolder(home);
    }
  });
});
