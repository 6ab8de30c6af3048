/** The commit that a line is from, as it is shown: with what was edited since, without git, beyond the history. */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { decodeSource } from '../../src/base/decode-source.ts';
import { blameLine } from '../../src/engine/history/blame.ts';
import { linesBefore } from '../../src/engine/history/lines-before.ts';
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

function shop(t: TestContext): string {
  const root = gitRepository({ 'pkg/a.py': FIRST });
  t.after(() => removeFolder(root));
  writeFiles(root, { 'pkg/a.py': SECOND });
  git(root, 'commit', '-q', '-a', '-m', MESSAGE);
  return root;
}

async function blamed(
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

test('a line is from the commit that changed it last', async (t) => {
  const root = shop(t);
  const { commit } = await blamed(root, 'pkg/a.py', 6, SECOND);
  assert.equal(commit?.commit, git(root, 'rev-parse', 'HEAD'));
  assert.equal(commit?.author, 'Test');
  assert.equal(commit?.message, MESSAGE);
  assert.equal(commit?.time, Number(git(root, 'log', '-1', '--format=%at')));
  assert.equal(commit?.cut, false);
  const before = await blamed(root, 'pkg/a.py', 1, SECOND);
  assert.equal(before.commit?.message, 'First');
});

test('of a file that was edited since, the lines are those that were committed', async (t) => {
  const root = shop(t);
  const edited = `"""Prices."""\n\n${SECOND.replace('item.price', 'item.cost')}`;
  assert.equal((await blamed(root, 'pkg/a.py', 8, edited)).commit?.message, MESSAGE);
  assert.equal((await blamed(root, 'pkg/a.py', 3, edited)).commit?.message, 'First');
  for (const line of [1, 4])
    assert.deepEqual(await blamed(root, 'pkg/a.py', line, edited), {
      commit: null,
      why: 'not-committed',
    });
  const other = 'a = 1\nb = 2\n';
  assert.deepEqual(await blamed(root, 'pkg/a.py', 2, other), { commit: null, why: 'rewritten' });
});

test('lines are those of git where carriage returns stand alone', async (t) => {
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
      const { commit } = await blamed(root, 'a.py', i + 1, decoded.text, { hash: shown });
      assert.equal(commit?.message, line.includes('return') ? 'Two' : 'First', `line ${i + 1}`);
    }
});

test('a folder in a repository, a commit, a bare repository and the inside of .git', async (t) => {
  const root = shop(t);
  assert.equal((await blamed(join(root, 'pkg'), 'a.py', 6, SECOND)).commit?.message, MESSAGE);
  const earlier = { revision: 'HEAD~1' };
  assert.equal((await blamed(root, 'pkg/a.py', 6, FIRST, earlier)).commit?.message, 'First');
  assert.equal((await blamed(join(root, '.git'), 'pkg/a.py', 6, SECOND)).commit?.message, MESSAGE);
  const bare = temporaryFolder();
  t.after(() => removeFolder(bare));
  git(bare, 'clone', '--quiet', '--bare', root, 'it.git');
  const found = await blamed(join(bare, 'it.git'), 'pkg/a.py', 6, SECOND);
  assert.equal(found.commit?.message, MESSAGE);
});

test('where nothing is committed, that is said', async (t) => {
  const plain = temporaryFolder();
  t.after(() => removeFolder(plain));
  writeFiles(plain, { 'a.py': FIRST });
  assert.deepEqual(await blamed(plain, 'a.py', 1, FIRST), { commit: null, why: 'no-git' });
  git(plain, 'init', '-q');
  assert.deepEqual(await blamed(plain, 'a.py', 1, FIRST), { commit: null, why: 'no-git' });
  const root = shop(t);
  writeFiles(root, { 'new.py': FIRST });
  assert.deepEqual(await blamed(root, 'new.py', 1, FIRST), { commit: null, why: 'not-committed' });
});

test('where a shallow clone ends, the commit may be too young', async (t) => {
  const root = shop(t);
  const folder = temporaryFolder();
  t.after(() => removeFolder(folder));
  git(folder, 'clone', '--quiet', '--depth=1', `file://${root}`, 'shallow');
  const { commit } = await blamed(join(folder, 'shallow'), 'pkg/a.py', 1, SECOND);
  assert.equal(commit?.message, MESSAGE);
  assert.equal(commit?.cut, true);
});

test('a name that looks like an option or a pattern is a name', async (t) => {
  const root = shop(t);
  const names = ['-L1,1.py', ':(exclude)a.py', '*.py', '--contents=x.py'];
  writeFiles(root, Object.fromEntries(names.map((name) => [name, `# ${name}\n`])));
  git(root, 'add', '-A');
  git(root, 'commit', '-q', '-m', 'Odd names');
  for (const name of names)
    assert.equal((await blamed(root, name, 1, `# ${name}\n`)).commit?.message, 'Odd names', name);
});

test('a message in another encoding', async (t) => {
  const root = shop(t);
  writeFiles(root, { 'b.py': 'b = 1\n' });
  git(root, 'add', '-A');
  const message = Buffer.from('Pr\u00e9cis\n\nCaf\u00e9', 'latin1');
  writeFileSync(join(root, 'message'), message);
  git(root, '-c', 'i18n.commitEncoding=ISO-8859-1', 'commit', '-q', '-F', 'message');
  assert.equal((await blamed(root, 'b.py', 1, 'b = 1\n')).commit?.message, 'Précis\n\nCafé');
});

const noPipes = { skip: process.platform === 'win32' && 'there are no pipes in folders' };

test('commits that the repository says do not count', async (t) => {
  const root = shop(t);
  writeFiles(root, { '.git-blame-ignore-revs': `${git(root, 'rev-parse', 'HEAD')}\n` });
  git(root, 'config', 'blame.ignoreRevsFile', '.git-blame-ignore-revs');
  const ignoring = await blamed(join(root, 'pkg'), 'a.py', 6, SECOND);
  assert.equal(ignoring.commit?.message, 'First');
  const outside = temporaryFolder();
  t.after(() => removeFolder(outside));
  writeFiles(outside, { 'secret.txt': 'a secret' });
  for (const path of [join(outside, 'secret.txt'), '../secret.txt', '/dev/zero', 'none']) {
    git(root, 'config', 'blame.ignoreRevsFile', path);
    await assert.rejects(blamed(root, 'pkg/a.py', 6, SECOND), {
      code: 'bad-repository',
      message: /which is no file of the repository/,
    });
  }
});

test('pipes in the place of the files that blame reads', noPipes, async (t) => {
  const root = shop(t);
  execFileSync('mkfifo', [join(root, '.git/revs'), join(root, '.git/names')]);
  git(root, 'config', 'mailmap.file', '.git/names');
  assert.equal((await blamed(root, 'pkg/a.py', 6, SECOND)).commit?.message, MESSAGE);
  git(root, 'config', 'blame.ignoreRevsFile', '.git/revs');
  await assert.rejects(blamed(root, 'pkg/a.py', 6, SECOND), { message: /no file of the/ });
  git(root, 'config', '--unset', 'blame.ignoreRevsFile');
  execFileSync('mkfifo', [join(root, '.mailmap')]);
  await assert.rejects(blamed(root, 'pkg/a.py', 6, SECOND), {
    code: 'bad-repository',
    message: /\.mailmap` is a pipe/,
  });
});

test('who gives up is answered', async (t) => {
  const root = shop(t);
  const signal = AbortSignal.abort();
  await assert.rejects(blamed(root, 'pkg/a.py', 6, SECOND, { signal }), { code: 'cancelled' });
});

test('which line a line was', () => {
  const before = 'a\nb\nc\nd\ne\nf\ng\nh\ni\nj\n';
  assert.deepEqual(linesBefore(before, before)?.(7), 7);
  assert.deepEqual(linesBefore(before, `new\n${before}`)?.(1), null);
  assert.deepEqual(linesBefore(before, `new\n${before}`)?.(10), 9);
  assert.deepEqual(linesBefore(before, before.replace('a\nb\n', ''))?.(8), 10);
  assert.deepEqual(linesBefore(before, 'x\ny\n'), null);
});
