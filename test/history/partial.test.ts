/** Partial clones lack old versions of files: what the commits that need none of them edited is read. */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { GitFailure } from '../../src/base/git/git.ts';
import { CommitReader } from '../../src/engine/history/read-commits.ts';
import { listCommits } from '../../src/engine/history/read-history.ts';
import type { Commit } from '../../src/engine/history/types.ts';
import { commit, folder, historyOf, repositoryOf } from './support.ts';

const small = (n: number) => `def total():\n    return ${n}\n`;
const large = (n: number) =>
  `TABLE = """${'x'.repeat(4000)}"""\n\n\ndef look():\n    return ${n}\n`;

/** A repository and a clone of it that has no more of it than git fetched at first. */
function partialClone(t: TestContext, filter: string): { root: string; clone: string } {
  const root = repositoryOf(t, { 'shop/cart.py': small(0), 'shop/table.py': large(0) });
  for (let n = 1; n < 6; n++) commit(root, `Cart ${n}`, { 'shop/cart.py': small(n) });
  commit(root, 'Table', { 'shop/table.py': large(1) });
  commit(root, 'Table again', { 'shop/table.py': large(2) });
  commit(root, 'Both', { 'shop/cart.py': small(7), 'shop/table.py': large(3) });
  commit(root, 'Cart at last', { 'shop/cart.py': small(8) });
  const clone = join(folder(t), 'clone');
  const source = `file://${root}`;
  execFileSync('git', ['-C', root, 'config', 'uploadpack.allowFilter', 'true']);
  execFileSync('git', ['clone', '-q', `--filter=${filter}`, source, clone], { stdio: 'ignore' });
  return { root, clone };
}

async function historyByOutlines(root: string): Promise<Commit[]> {
  const hashes = await listCommits(root, 'HEAD', 1_000);
  const found: Commit[] = [];
  for await (const commits of new CommitReader(root).read(hashes)) found.push(...commits);
  return found.sort((a, b) => hashes.indexOf(a.hash) - hashes.indexOf(b.hash));
}

test('without old versions of large files, commits of other files are read as in a whole clone', async (t) => {
  const { root, clone } = partialClone(t, 'blob:limit=1k');
  const whole = await historyOf(root);
  assert.equal(whole.length, 9);
  const expected = whole.filter(({ edits }) => edits.every(({ path }) => path === 'shop/cart.py'));
  assert.equal(expected.length, 6);
  assert.deepEqual(await historyOf(clone), expected);
  assert.deepEqual(await historyByOutlines(clone), expected);
});

test('without any old version there is nothing to read, which is said with its remedy', async (t) => {
  const { clone } = partialClone(t, 'blob:none');
  for (const read of [historyOf, historyByOutlines]) {
    await assert.rejects(
      read(clone),
      (error) => error instanceof GitFailure && /clone is partial/.test(error.remedy),
    );
  }
});
