/** Counts how often opening a window lists all files of a folder. */
import assert from 'node:assert/strict';
import { realpathSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it, type TestContext } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { FolderTree } from '../../src/engine/source/folder-tree.ts';
import { openRepository } from '../../src/services/open-repository.ts';
import { encodeWorkspace } from '../../src/shared/workspace.ts';
import { keepThreads } from '../support/keep-threads.ts';
import { git, gitRepository, removeFolder } from '../support/repository.ts';
import { connect, indexed, waitFor, workplace } from './support.ts';

await keepThreads('auto');

const limits = { timeout: 120_000 };

/** Records the root of each listing of a whole tree, in the order in which they begin. */
function recordListings(t: TestContext): string[] {
  const roots: string[] = [];
  const { list } = FolderTree.prototype;
  const recorded: typeof list = function (this: FolderTree, accepts, only, signal) {
    if (only === undefined) roots.push(this.root);
    return list.call(this, accepts, only, signal);
  };
  t.mock.method(FolderTree.prototype, 'list', recorded);
  return roots;
}

/** Writes a file repeatedly until the window is notified. By then, all listings of the opening are done. */
async function writeUntil(followed: Promise<unknown>, root: string): Promise<void> {
  let isFollowed = false;
  followed.then(() => {
    isFollowed = true;
  });
  for (let n = 0; !isFollowed; n++) {
    writeFileSync(join(root, 'till.py'), `def pay():\n    return ${n}\n`);
    await sleep(200);
  }
}

/** Indexes a repository as an earlier window did. */
async function indexBefore(root: string, dataDir: string): Promise<void> {
  const repository = await openRepository(root, { dataDir });
  await repository.index();
  await repository.close();
}

describe('opening a window lists all files once', () => {
  it('of a repository, and again for another branch', limits, async (t) => {
    const place = workplace();
    t.after(() => place.done());
    await indexBefore(place.root, place.dataDir);
    const listed = recordListings(t);
    const root = realpathSync(place.root);
    const client = connect(place.session);
    const done = indexed(client);
    const { id: repository } = await client.call('repository.open', { root });
    await done;
    await client.call('search', { repository, request: { issue: '`parse_cookie`' } });
    const followed = waitFor(client, 'updated', ({ update }) => update.changed.includes('till.py'));
    await writeUntil(followed, root);
    assert.deepEqual(listed, [root]);
    // The listing that a new branch asks for is counted, so a second one of the opening would be.
    git(root, 'checkout', '-q', '-b', 'other');
    while (listed.length === 1) await sleep(50);
  });

  it('of a repository that was never indexed, and again once it is watched', limits, async (t) => {
    const listed = recordListings(t);
    const place = workplace();
    t.after(() => place.done());
    const root = realpathSync(place.root);
    const client = connect(place.session);
    const done = indexed(client);
    await client.call('repository.open', { root });
    await done;
    const followed = waitFor(client, 'updated', ({ update }) => update.changed.includes('till.py'));
    await writeUntil(followed, root);
    assert.deepEqual(listed, [root, root]);
  });

  it('of each member of a workspace', limits, async (t) => {
    const place = workplace();
    const other = realpathSync(gitRepository({ 'ledger.py': 'def balance():\n    return 1\n' }));
    t.after(async () => {
      await place.done();
      removeFolder(other);
    });
    const roots = [realpathSync(place.root), other];
    for (const root of roots) await indexBefore(root, place.dataDir);
    const listed = recordListings(t);
    const client = connect(place.session);
    const done = waitFor(
      client,
      'indexing',
      ({ members }) =>
        members?.filter(({ indexing }) => indexing.phase === 'current').length === roots.length,
    );
    await client.call('repository.open', { root: encodeWorkspace(roots) });
    await done;
    const followed = waitFor(client, 'updated', ({ update }) => update.changed.includes('till.py'));
    await writeUntil(followed, other);
    assert.deepEqual(listed.toSorted(), roots.toSorted());
  });
});
