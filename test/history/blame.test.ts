/** Blames lines of committed and edited files, without git, and at the end of a shallow history. */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { decodeSource } from '../../src/base/decode-source.ts';
import { blameLine } from '../../src/engine/history/blame.ts';
import { createLineMapper } from '../../src/engine/history/line-mapper.ts';
import { openTree } from '../../src/engine/source/open.ts';
import {
  git,
  gitRepository,
  removeFolder,
  temporaryFolder,
  writeFiles,
} from '../support/repository.ts';

const FIRST = 'def price(item):\n    return item.price\n\n\ndef total(items):\n    return 0\n';
const SECOND = FIRST.replace('return 0', 'return sum(items)');
const MESSAGE = 'Totals are sums\n\nThey were nothing before: “zero”.';

function createShop(t: TestContext): string {
  const root = gitRepository({ 'pkg/a.py': FIRST });
  t.after(() => removeFolder(root));
  writeFiles(root, { 'pkg/a.py': SECOND });
  git(root, 'commit', '-q', '-a', '-m', MESSAGE);
  return root;
}

async function blame(
  root: string,
  path: string,
  line: number,
  text: string,
  options: { revision?: string; signal?: AbortSignal; hash?: string } = {},
) {
  const tree = await openTree(root, { revision: options.revision });
  try {
    return await blameLine(tree, { path, line, text, hash: options.hash ?? '' }, options.signal);
  } finally {
    await tree.close();
  }
}

test('finds the commit that changed a line last', async (t) => {
  const root = createShop(t);
  const { commit } = await blame(root, 'pkg/a.py', 6, SECOND);
  assert.equal(commit?.commit, git(root, 'rev-parse', 'HEAD'));
  assert.equal(commit?.author, 'Test');
  assert.equal(commit?.message, MESSAGE);
  assert.equal(commit?.time, Number(git(root, 'log', '-1', '--format=%at')));
  assert.equal(commit?.cut, false);
  const before = await blame(root, 'pkg/a.py', 1, SECOND);
  assert.equal(before.commit?.message, 'First');
});

test('maps lines of an edited file to the committed file', async (t) => {
  const root = createShop(t);
  const edited = `"""Prices."""\n\n${SECOND.replace('item.price', 'item.cost')}`;
  assert.equal((await blame(root, 'pkg/a.py', 8, edited)).commit?.message, MESSAGE);
  assert.equal((await blame(root, 'pkg/a.py', 3, edited)).commit?.message, 'First');
  for (const line of [1, 4])
    assert.deepEqual(await blame(root, 'pkg/a.py', line, edited), {
      commit: null,
      why: 'not-committed',
    });
  const other = 'a = 1\nb = 2\n';
  assert.deepEqual(await blame(root, 'pkg/a.py', 2, other), { commit: null, why: 'rewritten' });
});

test('counts lines like git with lone carriage returns', async (t) => {
  const root = gitRepository({ 'a.py': 'def a():\r\r\n    x = "a\rb"\r\r\n    return 1\r\n' });
  t.after(() => removeFolder(root));
  const changed = 'def a():\r\r\n    x = "a\rb"\r\r\n    return 2\r\n';
  writeFiles(root, { 'a.py': changed });
  git(root, 'commit', '-q', '-a', '-m', 'Two');
  const decoded = decodeSource(Buffer.from(changed));
  assert.ok('text' in decoded);
  const lines = decoded.text.split('\n');
  const hash = git(root, 'rev-parse', 'HEAD:a.py');
  for (const [i, line] of lines.slice(0, -1).entries())
    for (const shown of [hash, '']) {
      const { commit } = await blame(root, 'a.py', i + 1, decoded.text, { hash: shown });
      assert.equal(commit?.message, line.includes('return') ? 'Two' : 'First', `line ${i + 1}`);
    }
});

test('blames in a subfolder, at a commit, in a bare repository and inside .git', async (t) => {
  const root = createShop(t);
  assert.equal((await blame(join(root, 'pkg'), 'a.py', 6, SECOND)).commit?.message, MESSAGE);
  const earlier = { revision: 'HEAD~1' };
  assert.equal((await blame(root, 'pkg/a.py', 6, FIRST, earlier)).commit?.message, 'First');
  assert.equal((await blame(join(root, '.git'), 'pkg/a.py', 6, SECOND)).commit?.message, MESSAGE);
  const bare = temporaryFolder();
  t.after(() => removeFolder(bare));
  git(bare, 'clone', '--quiet', '--bare', root, 'it.git');
  const found = await blame(join(bare, 'it.git'), 'pkg/a.py', 6, SECOND);
  assert.equal(found.commit?.message, MESSAGE);
});

test('reports lines that are not committed', async (t) => {
  const plain = temporaryFolder();
  t.after(() => removeFolder(plain));
  writeFiles(plain, { 'a.py': FIRST });
  assert.deepEqual(await blame(plain, 'a.py', 1, FIRST), { commit: null, why: 'no-git' });
  git(plain, 'init', '-q');
  assert.deepEqual(await blame(plain, 'a.py', 1, FIRST), { commit: null, why: 'no-git' });
  const root = createShop(t);
  writeFiles(root, { 'new.py': FIRST });
  assert.deepEqual(await blame(root, 'new.py', 1, FIRST), { commit: null, why: 'not-committed' });
});

test('marks commits at which a shallow clone ends', async (t) => {
  const root = createShop(t);
  const folder = temporaryFolder();
  t.after(() => removeFolder(folder));
  git(folder, 'clone', '--quiet', '--depth=1', `file://${root}`, 'shallow');
  const { commit } = await blame(join(folder, 'shallow'), 'pkg/a.py', 1, SECOND);
  assert.equal(commit?.message, MESSAGE);
  assert.equal(commit?.cut, true);
});

test('handles file names that look like options or patterns', async (t) => {
  const root = createShop(t);
  const names = ['-L1,1.py', ':(exclude)a.py', '*.py', '--contents=x.py'];
  writeFiles(root, Object.fromEntries(names.map((name) => [name, `# ${name}\n`])));
  git(root, 'add', '-A');
  git(root, 'commit', '-q', '-m', 'Odd names');
  for (const name of names)
    assert.equal((await blame(root, name, 1, `# ${name}\n`)).commit?.message, 'Odd names', name);
});

test('decodes messages in other encodings', async (t) => {
  const root = createShop(t);
  writeFiles(root, { 'b.py': 'b = 1\n' });
  git(root, 'add', '-A');
  const message = Buffer.from('Pr\u00e9cis\n\nCaf\u00e9', 'latin1');
  writeFileSync(join(root, 'message'), message);
  git(root, '-c', 'i18n.commitEncoding=ISO-8859-1', 'commit', '-q', '-F', 'message');
  assert.equal((await blame(root, 'b.py', 1, 'b = 1\n')).commit?.message, 'Précis\n\nCafé');
});

const noPipes = { skip: process.platform === 'win32' && 'there are no pipes in folders' };

test('skips commits that the repository ignores, and refuses a list outside it', async (t) => {
  const root = createShop(t);
  writeFiles(root, { '.git-blame-ignore-revs': `${git(root, 'rev-parse', 'HEAD')}\n` });
  git(root, 'config', 'blame.ignoreRevsFile', '.git-blame-ignore-revs');
  const ignoring = await blame(join(root, 'pkg'), 'a.py', 6, SECOND);
  assert.equal(ignoring.commit?.message, 'First');
  const outside = temporaryFolder();
  t.after(() => removeFolder(outside));
  writeFiles(outside, { 'secret.txt': 'a secret' });
  for (const path of [join(outside, 'secret.txt'), '../secret.txt', '/dev/zero', 'none']) {
    git(root, 'config', 'blame.ignoreRevsFile', path);
    await assert.rejects(blame(root, 'pkg/a.py', 6, SECOND), {
      code: 'bad-repository',
      message: /which is not a file of the repository/,
    });
  }
});

test('refuses pipes in place of the files that blame reads', noPipes, async (t) => {
  const root = createShop(t);
  execFileSync('mkfifo', [join(root, '.git/revs'), join(root, '.git/names')]);
  git(root, 'config', 'mailmap.file', '.git/names');
  assert.equal((await blame(root, 'pkg/a.py', 6, SECOND)).commit?.message, MESSAGE);
  git(root, 'config', 'blame.ignoreRevsFile', '.git/revs');
  await assert.rejects(blame(root, 'pkg/a.py', 6, SECOND), { message: /not a file of the/ });
  git(root, 'config', '--unset', 'blame.ignoreRevsFile');
  execFileSync('mkfifo', [join(root, '.mailmap')]);
  await assert.rejects(blame(root, 'pkg/a.py', 6, SECOND), {
    code: 'bad-repository',
    message: /\.mailmap` is a pipe/,
  });
});

test('can be canceled', async (t) => {
  const root = createShop(t);
  const signal = AbortSignal.abort();
  await assert.rejects(blame(root, 'pkg/a.py', 6, SECOND, { signal }), { code: 'cancelled' });
});

test('maps lines to lines before an edit', () => {
  const before = 'a\nb\nc\nd\ne\nf\ng\nh\ni\nj\n';
  assert.deepEqual(createLineMapper(before, before)?.(7), 7);
  assert.deepEqual(createLineMapper(before, `new\n${before}`)?.(1), null);
  assert.deepEqual(createLineMapper(before, `new\n${before}`)?.(10), 9);
  assert.deepEqual(createLineMapper(before, before.replace('a\nb\n', ''))?.(8), 10);
  assert.deepEqual(createLineMapper(before, 'x\ny\n'), null);
});
