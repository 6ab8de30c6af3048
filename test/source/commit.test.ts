import assert from 'node:assert/strict';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { BlobReader } from '../../src/engine/source/blob-reader.ts';
import {
  commit,
  contents,
  git,
  isPython,
  open,
  repository,
  temporaryFolder,
  write,
} from './fixture.ts';

test('a commit is read from the object store, not from disk', async (t) => {
  const root = repository(t, { 'a.py': 'a = 1\n', 'pkg/b.py': 'b = 1\r\n', 'notes.txt': '' });
  const first = git(root, 'rev-parse', 'HEAD');
  git(root, 'tag', '--annotate', '--message', 'one', 'v1');
  const onDisk = await contents(await open(t, root));
  write(root, { 'a.py': 'a = 2\n', 'c.py': '' });
  commit(root);
  rmSync(join(root, 'pkg'), { recursive: true });

  for (const revision of ['v1', 'HEAD~1', first, first.slice(0, 10), 'main^']) {
    const tree = await open(t, root, { revision });
    assert.equal(tree.revision, first);
    const { texts, hashes } = await contents(tree);
    assert.deepEqual(texts, { 'a.py': 'a = 1\n', 'pkg/b.py': 'b = 1\n' });
    assert.deepEqual(hashes, onDisk.hashes, 'a commit shares the work done for the working tree');
    const { entries } = await tree.list(isPython);
    assert.deepEqual(
      Object.fromEntries(entries.map((entry) => [entry.path, entry.hash])),
      hashes,
      'and they are known before anything is read',
    );
  }
  const byMessage = await open(t, root, { revision: ':/change' });
  assert.equal(byMessage.revision, git(root, 'rev-parse', 'main'));
});

test('a bare repository is indexed at HEAD', async (t) => {
  const root = repository(t, { 'a.py': 'a = 1\n' });
  const bare = temporaryFolder(t);
  git(bare, 'clone', '--quiet', '--bare', root, 'it.git');
  const tree = await open(t, join(bare, 'it.git'));
  assert.equal(tree.revision, git(root, 'rev-parse', 'HEAD'));
  assert.equal(tree.root, join(bare, 'it.git'));
  assert.deepEqual((await contents(tree)).texts, { 'a.py': 'a = 1\n' });
  const inside = await open(t, join(root, '.git'));
  assert.equal(inside.revision, tree.revision);
});

test('a folder of a commit', async (t) => {
  const root = repository(t, { 'a.py': '', 'pkg/deep/b.py': '' });
  const tree = await open(t, join(root, 'pkg'), { revision: 'HEAD' });
  assert.deepEqual((await contents(tree)).paths, ['deep/b.py']);
  write(root, { 'later/c.py': '' });
  await assert.rejects(open(t, join(root, 'later'), { revision: 'HEAD' }), {
    code: 'bad-repository',
    message: /`later` is not a folder in revision `HEAD`/,
  });
});

test('links in a commit', { skip: process.platform === 'win32' }, async (t) => {
  const { symlinkSync } = await import('node:fs');
  const root = repository(t, { 'pkg/a.py': '' });
  symlinkSync('a.py', join(root, 'pkg/same.py'));
  symlinkSync('../../other.py', join(root, 'pkg/out.py'));
  symlinkSync('/etc/x.py', join(root, 'absolute.py'));
  commit(root);
  const tree = await open(t, root, { revision: 'HEAD' });
  const { paths, skipped } = await contents(tree);
  assert.deepEqual(paths, ['pkg/a.py']);
  assert.deepEqual(
    skipped.map(({ path, reason, detail }) => `${path} ${reason}: ${detail}`),
    [
      'absolute.py outside the root: a symbolic link to `/etc/x.py`',
      'pkg/out.py outside the root: a symbolic link to `../../other.py`',
      'pkg/same.py excluded: a symbolic link to `pkg/a.py`, which is indexed once',
    ],
  );
});

test('reading can stop early, overlap and start again', async (t) => {
  const files = Object.fromEntries(
    Array.from({ length: 300 }, (_, index) => [`f${index}.py`, `${'x'.repeat(index * 331)}\n`]),
  );
  const root = repository(t, files);
  const tree = await open(t, root, { revision: 'HEAD' });
  const { entries } = await tree.list(isPython);
  for await (const content of tree.read(entries)) {
    assert.ok('text' in content);
    break;
  }
  const [one, two] = await Promise.all([contents(tree), contents(tree)]);
  assert.deepEqual(one.texts, files);
  assert.deepEqual(two.texts, files);
});

test("a partial clone is not completed behind the user's back", async (t) => {
  const root = repository(t, { 'a.py': 'a = 1\n' });
  git(root, 'config', 'uploadpack.allowFilter', 'true');
  const clone = join(temporaryFolder(t), 'clone');
  git(root, 'clone', '--quiet', '--no-checkout', '--filter=blob:none', `file://${root}`, clone);
  const tree = await open(t, clone, { revision: 'HEAD' });
  await assert.rejects(tree.list(isPython), { code: 'bad-repository', remedy: /clone is partial/ });
});

test('an object that the repository lacks is reported, not fetched', async (t) => {
  const root = repository(t, { 'a.py': 'a = 1\n' });
  const tree = await open(t, root, { revision: 'HEAD' });
  const { entries } = await tree.list(isPython);
  const lost = { path: 'lost.py', hash: 'f'.repeat(40), size: 1 };
  const items = [];
  for await (const item of tree.read([lost, ...entries]))
    items.push('text' in item ? item.text : item.skipped.reason);
  assert.deepEqual(items, ['unreadable', 'a = 1\n']);
});

test('a closed reader rejects pending requests', async (t) => {
  const root = repository(t, { 'a.py': '' });
  const reader = new BlobReader(root);
  const owed = reader.read(git(root, 'rev-parse', 'HEAD:a.py'));
  reader.close();
  await assert.rejects(owed, { code: 'bad-repository' });
  await assert.rejects(reader.read('f'.repeat(40)), { code: 'bad-repository' });
});
