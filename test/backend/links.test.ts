import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'node:test';
import {
  answer,
  type Behaviour,
  createCodeHosts,
  githubIssue,
  serving,
} from '../issue-urls/code-host-server.ts';
import { keepThreads } from '../support/keep-threads.ts';
import { git, writeFiles } from '../support/repository.ts';
import { connect, indexed, workplace } from './support.ts';

await keepThreads('auto');

const PATH = '/api/v1/repos/acme/shop/issues/7';

describe('a window with a link', () => {
  const start = createCodeHosts();
  let place: ReturnType<typeof workplace>;
  beforeEach(() => {
    place = workplace();
  });
  afterEach(() => place.done());

  async function window(allowedRoot: string | null = null, root = place.root) {
    const client = connect(place.session, allowedRoot);
    const done = indexed(client);
    const { id: repository } = await client.call('repository.open', { root });
    await done;
    return { client, repository };
  }
  const forge = (behave: Behaviour = serving({ [PATH]: githubIssue() })) => start(behave);

  it('is offered what fetching takes, and gets nothing before it agreed to just that host', async () => {
    const { origin, port, asked } = await forge();
    const { client, repository } = await window();
    const text = `${origin}/acme/shop/issues/7`;
    assert.equal(await client.call('issueLink.offer', { repository, text: `see ${text}` }), null);
    assert.deepEqual(await client.call('issueLink.offer', { repository, text }), {
      what: 'issue #7 of acme/shop',
      host: origin,
      apiHost: `127.0.0.1:${port}`,
      token: null,
      agreed: false,
      refusal: null,
    });
    for (const host of [null, 'github.com', '127.0.0.1'])
      await assert.rejects(client.call('issueLink.fetch', { repository, text, host }), {
        code: 'bad-input',
        message: `You have not agreed to fetch from ${origin}.`,
      });
    assert.equal(asked.length, 0);
    const fetched = await client.call('issueLink.fetch', { repository, text, host: origin });
    assert.deepEqual(fetched.source, { label: 'acme/shop#7', url: text });
    // The consent applies once only.
    await assert.rejects(client.call('issueLink.fetch', { repository, text, host: null }));
    assert.equal(asked.length, 1);
  });

  it('gets it from hosts of the settings until they are taken back', async () => {
    const { origin } = await forge();
    const { client, repository } = await window();
    const text = `${origin}/acme/shop/issues/7`;
    await client.call('settings.set', { fetchHosts: [origin] });
    assert.equal((await client.call('issueLink.offer', { repository, text }))?.agreed, true);
    assert.ok(await client.call('issueLink.fetch', { repository, text, host: null }));
    await client.call('settings.set', { fetchHosts: [] });
    await assert.rejects(client.call('issueLink.fetch', { repository, text, host: null }));
    for (const host of ['https://github.com', 'a/b', '*', ''])
      await assert.rejects(client.call('settings.set', { fetchHosts: [host] }), /not a host/);
  });

  it('has numbers for those of its remote, also where only one folder may be read', async () => {
    const { origin } = await forge();
    git(place.root, 'remote', 'add', 'origin', `${origin}/acme/shop.git`);
    for (const allowed of [null, place.root]) {
      const { client, repository } = await window(allowed);
      const offer = await client.call('issueLink.offer', { repository, text: '#7' });
      assert.equal(offer?.what, 'issue #7 of acme/shop');
    }
  });

  it('has numbers in a folder of the repository, where all of that may be read and nothing around it', async () => {
    git(place.root, 'remote', 'add', 'origin', 'https://github.com/acme/shop.git');
    const inside = join(place.root, 'inside');
    writeFiles(inside, { 'a.py': 'def a():\n    return 1\n' });
    const { client, repository } = await window(place.root, inside);
    const offer = await client.call('issueLink.offer', { repository, text: '#7' });
    assert.equal(offer?.what, 'issue #7 of acme/shop');
    const target = await client.call('post.target', { repository, issue: '#7' });
    assert.equal(target.label, 'acme/shop#7');
    const { client: other, repository: alone } = await window(inside, inside);
    await assert.rejects(
      other.call('issueLink.offer', { repository: alone, text: '#7' }),
      /no remote named origin or upstream/,
    );
  });

  it('can cancel, which ends the request', async () => {
    const gone = Promise.withResolvers<void>();
    const came = Promise.withResolvers<void>();
    const { origin } = await forge((_, response) => {
      response.on('close', gone.resolve);
      came.resolve();
    });
    const { client, repository } = await window();
    const controller = new AbortController();
    const text = `${origin}/acme/shop/issues/7`;
    const asking = client.call(
      'issueLink.fetch',
      { repository, text, host: origin },
      { signal: controller.signal },
    );
    await came.promise;
    controller.abort();
    await assert.rejects(asking, { code: 'cancelled' });
    await gone.promise;
  });

  it('is told of failures with a remedy, and of a token nowhere', async () => {
    const { origin } = await forge((_, response) => answer(response, 403, {}));
    const { client, repository } = await window();
    const text = `${origin}/acme/shop/issues/7`;
    await assert.rejects(client.call('issueLink.fetch', { repository, text, host: origin }), {
      code: 'not-fetched',
      message: `${origin} requires a token for issue #7 of acme/shop.`,
    });
    const discussion = 'https://github.com/o/r/discussions/1';
    await assert.rejects(client.call('issueLink.offer', { repository, text: discussion }), {
      code: 'bad-input',
      message: 'This is a link to a discussion, which is not fetched.',
    });
  });

  it('finds in the history where an issue came from', async () => {
    const { client, repository } = await window();
    const source = { label: 'acme/shop#7', url: 'https://github.com/acme/shop/issues/7' };
    const save = (issue: string, text: string, more: object = {}) =>
      client.call('issues.save', { repository, issue, text, ...more });
    const typed = await save(randomUUID(), 'Cookies are cut\n\nThe value of a cookie is cut.');
    assert.equal(typed.source, null);
    // Fetched, it is the same issue.
    const again = await save(randomUUID(), 'Cookies are cut\n\nThe value of a cookie is cut.\n', {
      source,
    });
    assert.deepEqual([again.id, again.source], [typed.id, source]);
    // After an edit, it keeps its source.
    assert.deepEqual((await save(typed.id, 'Cookies are cut, badly')).source, source);
    assert.deepEqual((await client.call('issues.get', { issue: typed.id })).source, source);
    const found = await client.call('issues.list', { repository, query: 'shop#7' });
    assert.deepEqual(
      found.map(({ id }) => id),
      [typed.id],
    );
  });
});
