/** Partial clones lack old file versions. Commits that do not need them are still read. */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { GitFailure } from '../../src/base/git/git.ts';
import { CommitReader } from '../../src/engine/history/read-commits.ts';
import { listCommits } from '../../src/engine/history/read-history.ts';
import type { Commit } from '../../src/engine/history/types.ts';
import { commit, createFolder, createRepository, readAllCommits } from './support.ts';

const small = (n: number) => `def total():\n    return ${n}\n`;
const large = (n: number) =>
  `TABLE = """${'x'.repeat(4000)}"""\n\n\ndef look():\n    return ${n}\n`;

/** Creates a repository and a partial clone of it. */
function createPartialClone(t: TestContext, filter: string): { root: string; clone: string } {
  const root = createRepository(t, { 'shop/cart.py': small(0), 'shop/table.py': large(0) });
  for (let n = 1; n < 6; n++) commit(root, `Cart ${n}`, { 'shop/cart.py': small(n) });
  commit(root, 'Table', { 'shop/table.py': large(1) });
  commit(root, 'Table again', { 'shop/table.py': large(2) });
  commit(root, 'Both', { 'shop/cart.py': small(7), 'shop/table.py': large(3) });
  commit(root, 'Cart at last', { 'shop/cart.py': small(8) });
  const clone = join(createFolder(t), 'clone');
  const source = `file://${root}`;
  execFileSync('git', ['-C', root, 'config', 'uploadpack.allowFilter', 'true']);
  execFileSync('git', ['clone', '-q', `--filter=${filter}`, source, clone], { stdio: 'ignore' });
  return { root, clone };
}

async function readByOutlines(root: string): Promise<Commit[]> {
  const hashes = await listCommits(root, 'HEAD', 1_000);
  const found: Commit[] = [];
  for await (const commits of new CommitReader(root).read(hashes)) found.push(...commits);
  return found.sort((a, b) => hashes.indexOf(a.hash) - hashes.indexOf(b.hash));
}

test('reads commits of small files in a clone without old versions of large files', async (t) => {
  const { root, clone } = createPartialClone(t, 'blob:limit=1k');
  const whole = await readAllCommits(root);
  assert.equal(whole.length, 9);
  const expected = whole.filter(({ edits }) => edits.every(({ path }) => path === 'shop/cart.py'));
  assert.equal(expected.length, 6);
  assert.deepEqual(await readAllCommits(clone), expected);
  assert.deepEqual(await readByOutlines(clone), expected);
});

test('fails with a remedy in a clone without any old versions', async (t) => {
  const { clone } = createPartialClone(t, 'blob:none');
  for (const read of [readAllCommits, readByOutlines]) {
    await assert.rejects(
      read(clone),
      (error) => error instanceof GitFailure && /clone is partial/.test(error.remedy),
    );
  }
});
