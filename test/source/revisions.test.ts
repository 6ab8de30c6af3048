import assert from 'node:assert/strict';
import { test } from 'node:test';
import { getCurrentBranch, listRevisions } from '../../src/engine/source/revisions.ts';
import { commit, git, repository, temporaryFolder, write } from './fixture.ts';

test('branches, tags and commits are listed, and any name of a commit is found', async (t) => {
  const root = repository(t, { 'a.py': 'a = 1\n' });
  const first = git(root, 'rev-parse', 'HEAD');
  git(root, 'tag', '--annotate', '--message', 'one\n\nmore of it', 'v1');
  git(root, 'tag', 'light');
  git(root, 'tag', 'a-file', 'HEAD:a.py');
  git(root, 'update-ref', 'refs/remotes/origin/main', first);
  git(root, 'symbolic-ref', 'refs/remotes/origin/HEAD', 'refs/remotes/origin/main');
  git(root, 'switch', '--quiet', '--create', 'a/topic');
  write(root, { 'a.py': 'a = 2\n' });
  const second = commit(root);

  const found = await listRevisions(root, { name: 'HEAD~1' });
  assert.ok(found);
  assert.equal(await getCurrentBranch(root), 'a/topic');
  const named = (list: typeof found.tags) =>
    Object.fromEntries(list.map(({ kind, name, commit }) => [`${kind} ${name}`, commit]));
  assert.deepEqual(named(found.branches), {
    'branch a/topic': second,
    'branch main': first,
    'remote origin/main': first,
  });
  assert.deepEqual(named(found.tags), { 'tag v1': first, 'tag light': first });
  assert.equal(found.tags.find(({ name }) => name === 'v1')?.subject, 'one');
  assert.deepEqual(
    found.commits.map(({ commit, subject }) => [commit, subject]),
    [
      [second, 'change'],
      [first, 'change'],
    ],
  );
  assert.equal(found.named?.commit, first);
  assert.equal(found.named?.name, first.slice(0, 10));
  assert.match(found.named?.at ?? '', /^\d{4}-\d\d-\d\dT/);

  for (const name of ['nowhere', '--all', 'HEAD:a.py', '\0']) {
    assert.equal((await listRevisions(root, { name }))?.named, null, name);
  }
  git(root, 'checkout', '--quiet', '--detach');
  assert.equal(await getCurrentBranch(root), null);
});

test('there are no revisions without a repository, and no commits in an empty one', async (t) => {
  const folder = temporaryFolder(t);
  assert.equal(await listRevisions(folder, { within: folder }), null);
  git(folder, 'init', '--quiet');
  assert.equal(await getCurrentBranch(folder), null);
  const empty = { branches: [], tags: [], commits: [], named: null };
  assert.deepEqual(await listRevisions(folder), empty);
});
