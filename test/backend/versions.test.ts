import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { encodeWorkspace } from '../../src/shared/workspace.ts';
import { keepThreads } from '../support/keep-threads.ts';
import { git, removeFolder, temporaryFolder } from '../support/repository.ts';
import { type Client, connect, indexed, workplace } from './support.ts';

await keepThreads('auto');

describe('a version of a repository', () => {
  const place = workplace();
  let client: Client;
  let repository: string;
  let first: string;

  before(async () => {
    first = git(place.root, 'rev-parse', 'HEAD');
    git(place.root, 'tag', 'v1');
    writeFileSync(join(place.root, 'shop/tax.py'), 'def add_tax(price):\n    return 2 * price\n');
    git(place.root, 'add', '-A');
    git(place.root, 'commit', '-q', '-m', 'Taxes');
    client = connect(place.session);
    const done = indexed(client);
    repository = (await client.call('repository.open', { root: place.root })).id;
    await done;
  });
  after(() => place.done());

  it('is chosen among branches, tags and commits', async () => {
    const found = await client.call('repository.revisions', { repository, name: 'HEAD^' });
    assert.deepEqual(
      found?.tags.map(({ name, commit }) => [name, commit]),
      [['v1', first]],
    );
    assert.deepEqual(
      found?.commits.map(({ subject }) => subject),
      ['Taxes', 'First'],
    );
    assert.equal(found?.named?.commit, first);
    assert.equal(await client.call('repository.branch', { repository }), 'main');
  });

  it('is searched as it was, with the issues and marks of its repository', async () => {
    const issue = crypto.randomUUID();
    await client.call('issues.save', { repository, issue, text: '`parse_cookie` is slow' });
    const chunk = 'shop/cookies.py::parse_cookie';
    await client.call('marks.set', { repository, issue, marks: [{ chunk, mark: 'edit' }] });
    const done = indexed(client);
    const then = await client.call('repository.open', { root: place.root, revision: first });
    await done;
    assert.equal(then.revision, first);
    assert.equal(then.lastIssue?.id, issue);
    assert.equal(await client.call('repository.branch', { repository: then.id }), null);
    const marked = await client.call('marks.list', { repository: then.id, issue });
    assert.deepEqual(
      marked.map(({ now }) => now?.address),
      [chunk],
    );
    const request = { issue: '`add_tax` doubles the price' };
    const now = await client.call('search', { repository, request });
    assert.equal(now.results[0]?.address, 'shop/tax.py::add_tax');
    const before = await client.call('search', { repository: then.id, request });
    assert.ok(!before.results.some(({ path }) => path === 'shop/tax.py'));
  });

  it('does not exist for a folder without Git, or for a workspace', async () => {
    const plain = temporaryFolder();
    try {
      for (const root of [plain, encodeWorkspace([place.root, plain])]) {
        const { id } = await client.call('repository.open', { root });
        assert.equal(await client.call('repository.revisions', { repository: id }), null);
        assert.equal(await client.call('repository.branch', { repository: id }), null);
      }
    } finally {
      removeFolder(plain);
    }
  });
});
