import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, afterEach, before, beforeEach, describe, it } from 'node:test';
import { type FakeGh, fakeGh } from '../support/fake-gh.ts';
import { git, removeFolder } from '../support/repository.ts';
import { connect, indexed, workplace } from './support.ts';

describe('a window that posts a list', () => {
  const { PATH } = process.env;
  let gh: FakeGh;
  let place: ReturnType<typeof workplace>;
  before(() => {
    gh = fakeGh();
    process.env.PATH = gh.path;
  });
  beforeEach(() => {
    place = workplace();
  });
  afterEach(() => place.done());
  after(() => {
    process.env.PATH = PATH;
    removeFolder(gh.folder);
  });

  async function window(allowedRoot: string | null = null) {
    const client = connect(place.session, allowedRoot);
    const done = indexed(client);
    const { id: repository } = await client.call('repository.open', { root: place.root });
    await done;
    return { client, repository };
  }

  it('is told where it goes, and posts what it shows, once for each ticket', async () => {
    const count = join(gh.folder, 'count');
    gh.behave(`echo x >> '${count}'; echo https://github.com/acme/shop/issues/7#issuecomment-1`);
    git(place.root, 'remote', 'add', 'origin', 'https://github.com/acme/shop.git');
    for (const allowed of [null, place.root]) {
      const { client, repository } = await window(allowed);
      assert.equal(await client.call('post.gh', {}), true);
      const { ticket, ...target } = await client.call('post.target', { repository, issue: '#7' });
      assert.deepEqual(target, {
        label: 'acme/shop#7',
        url: 'https://github.com/acme/shop/issues/7',
        host: 'github.com',
        project: 'acme/shop',
        number: 7,
      });
      if (allowed !== null) continue;
      assert.equal(existsSync(count), false);
      // Sent again over another connection, as after one was lost.
      const text = '# Where to edit\u001b\n';
      const other = connect(place.session);
      const posted = await Promise.all([
        client.call('post.run', { ticket, text }),
        other.call('post.run', { ticket, text }),
      ]);
      for (const { url } of posted)
        assert.equal(url, 'https://github.com/acme/shop/issues/7#issuecomment-1');
      assert.equal(readFileSync(count, 'utf8'), 'x\n');
      assert.equal(gh.asked()?.input, '# Where to edit\\e\n');
    }
  });

  it('posts nothing with a ticket of an engine that is gone, or of no issue', async () => {
    const { client, repository } = await window();
    await assert.rejects(client.call('post.run', { ticket: randomUUID(), text: 'x' }), {
      code: 'not-posted',
      remedy: 'Check if the comment was posted before you post again.',
    });
    await assert.rejects(client.call('post.target', { repository, issue: 'total is wrong' }), {
      code: 'bad-input',
      message: '“total is wrong” is not an issue.',
    });
  });

  it('is told what gh says', async () => {
    gh.behave('echo "HTTP 404: Not Found" >&2; exit 1');
    const { client, repository } = await window();
    const { ticket } = await client.call('post.target', { repository, issue: 'a/b#1' });
    await assert.rejects(client.call('post.run', { ticket, text: 'x' }), {
      code: 'not-posted',
      message: 'gh did not post to a/b#1: HTTP 404: Not Found.',
    });
  });
});
