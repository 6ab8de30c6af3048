import assert from 'node:assert/strict';
import { mkdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, test } from 'node:test';
import { readHeadCommit } from '../../src/engine/source/head-commit.ts';
import { openTree } from '../../src/engine/source/open.ts';
import { git, gitRepository, removeFolder, temporaryFolder } from '../support/repository.ts';

let root: string;
let commit: string;
beforeEach(() => {
  root = gitRepository({ 'a.py': 'a = 1\n' });
  commit = git(root, 'rev-parse', 'HEAD').trim();
});
afterEach(() => removeFolder(root));

async function getHead(folder = root): Promise<string | null> {
  const tree = await openTree(folder);
  try {
    return await tree.getHead();
  } finally {
    await tree.close();
  }
}

test('the commit of a branch and of a detached HEAD is read from files', async () => {
  assert.equal(readHeadCommit(root), commit);
  git(root, 'checkout', '-q', '-b', 'fix/nested.name');
  git(root, 'commit', '-q', '--allow-empty', '-m', 'next');
  const next = git(root, 'rev-parse', 'HEAD').trim();
  assert.notEqual(next, commit);
  assert.equal(readHeadCommit(root), next);
  git(root, 'checkout', '-q', '--detach', commit);
  assert.equal(readHeadCommit(root), commit);
  assert.equal(await getHead(), commit);
});

test('git is asked where branches are stored in another way', async () => {
  git(root, 'pack-refs', '--all');
  assert.equal(readHeadCommit(root), null);
  assert.equal(await getHead(), commit);

  const worktree = join(temporaryFolder(), 'linked');
  git(root, 'worktree', 'add', '-q', '--detach', worktree);
  assert.equal(readHeadCommit(worktree), null);
  assert.equal(await getHead(worktree), commit);
  removeFolder(worktree);

  mkdirSync(join(root, 'sub'));
  writeFileSync(join(root, 'sub/b.py'), '');
  assert.equal(readHeadCommit(join(root, 'sub')), null);
  assert.equal(await getHead(join(root, 'sub')), commit);

  git(root, 'checkout', '-q', '--orphan', 'unborn');
  assert.equal(readHeadCommit(root), null);
  assert.equal(await getHead(), null);
});

test('links, other references and other texts are not followed', () => {
  const head = join(root, '.git/HEAD');
  for (const text of [
    'ref: refs/heads/../../../outside\n',
    'ref: refs/remotes/origin/main\n',
    'ref: /etc/hostname\n',
    `${commit}\n${commit}\n`,
    `${commit.slice(1)}\n`,
    '',
  ]) {
    writeFileSync(head, text);
    assert.equal(readHeadCommit(root), null, text);
  }
  renameSync(head, join(root, 'HEAD'));
  writeFileSync(join(root, 'HEAD'), `${commit}\n`);
  symlinkSync(join(root, 'HEAD'), head);
  assert.equal(readHeadCommit(root), null);
  rmSync(head);
  assert.equal(readHeadCommit(root), null);
});
