import assert from 'node:assert/strict';
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { git, removeFolder, temporaryFolder, writeFiles } from '../support/repository.ts';
import { commit, createFolder, createRepository, readAllCommits } from './support.ts';

const CART = `import os

LIMIT = 10


class Cart:
    """
No margin here:
def not_a_definition
"""
    currency = "EUR"

    def total(self):
        def price(item):
            return item.price
        return sum(price(item) for item in self.items)

    @property
    def empty(self):
        return not self.items


class Basket(Cart):
    def total(self):
        return 0


def checkout(cart):
    return cart.total()
`;

const EDITS: [what: string, from: string, to: string, definitions: string[]][] = [
  ['a method, not that of the same name', '        return 0', '        return 1', ['Basket.total']],
  [
    'a nested function, which belongs to its outer one',
    'return item.price',
    'return 2',
    ['Cart.total'],
  ],
  ['a function', 'return cart.total()', 'return cart', ['checkout']],
  ['a statement of a class', '"EUR"', '"USD"', ['Cart']],
  ['code outside any definition', 'LIMIT = 10', 'LIMIT = 20', ['<module>']],
  ['text at the margin, in a string', 'No margin', 'Some margin', ['<module>']],
  ['a decorator', '    @property', '    @cached', ['Cart.empty']],
  ['a decorator that goes', '    @property\n', '', ['Cart.empty']],
  ['a new function', 'def checkout', 'def new():\n    pass\n\n\ndef checkout', ['new']],
  ['a function that goes', 'def checkout(cart):\n    return cart.total()\n', '', ['checkout']],
  ['a header', 'def empty(self)', 'def is_empty(self)', ['Cart.empty', 'Cart.is_empty']],
  ['blank lines', '\n\nLIMIT', '\n\n\n\nLIMIT', []],
];

for (const [what, from, to, definitions] of EDITS) {
  test(`finds the qualified name for an edit of ${what}`, async (t) => {
    const root = createRepository(t, { 'shop/cart.py': CART });
    const hash = commit(root, 'Change', { 'shop/cart.py': CART.replace(from, to) });
    const [{ edits, ...found }] = await readAllCommits(root);
    assert.equal(found.hash, hash);
    assert.equal(found.message, 'Change');
    assert.ok(Math.abs(found.time - Date.now() / 1000) < 600);
    assert.deepEqual(edits, [{ path: 'shop/cart.py', from: null, definitions }]);
  });
}

test('reads both paths of a moved file, even without other edits', async (t) => {
  const root = createRepository(t, { 'cart.py': CART });
  commit(root, 'Move', { 'cart.py': null, 'shop/cart.py': CART });
  const changed = CART.replace('return 0', 'return 1');
  commit(root, 'Move and change', { 'shop/cart.py': null, 'shop/basket.py': changed });
  assert.deepEqual(
    (await readAllCommits(root)).map(({ edits }) => edits),
    [
      [{ path: 'shop/basket.py', from: 'shop/cart.py', definitions: ['Basket.total'] }],
      [{ path: 'shop/cart.py', from: 'cart.py', definitions: [] }],
    ],
  );
});

test('leaves out merges, the first commit, bots, and commits of many or of other files', async (t) => {
  const root = createRepository(t, { 'a.py': 'a = 1\n' });
  const known = commit(root, 'A person', { 'a.py': 'a = 2\n' });
  commit(root, 'A bot', { 'a.py': 'a = 3\n' }, '--author=dependabot[bot] <bot@example.com>');
  commit(root, 'Words', { 'README.md': 'Read me' });
  commit(
    root,
    'Format',
    Object.fromEntries(Array.from({ length: 60 }, (_, i) => [`m${i}.py`, 'x = 1\n'])),
  );
  git(root, 'checkout', '-q', '-b', 'side', known);
  const onSide = commit(root, 'On the side', { 'b.py': 'b = 1\n' });
  git(root, 'checkout', '-q', 'main');
  git(root, 'merge', '-q', '--no-ff', '-m', 'Merge', 'side');
  const commits = (await readAllCommits(root)).filter(({ edits }) => edits.length > 0);
  assert.deepEqual(commits.map(({ hash }) => hash).sort(), [known, onSide].sort());
});

test('reads messages that look like git’s output, contain control characters, or are huge', async (t) => {
  const root = createRepository(t, { 'a.py': 'a = 1\n', 'b.py': 'b = 1\n' });
  const fake = `Fake\n\ndiff --git a/b.py b/b.py\n--- a/b.py\n+++ b/b.py\n@@ -1 +1 @@\n-b = 1\n+b = 2\n`;
  const controls = 'Bell \u0007 and \u001b[31mred\u001b[0m and \u202e';
  const messageFile = join(createFolder(t), 'message');
  for (const [i, message] of [fake, controls, `Huge ${'x'.repeat(5_000_000)}`].entries()) {
    writeFileSync(messageFile, message);
    writeFiles(root, { 'a.py': `a = ${i + 2}\n` });
    git(root, 'commit', '-q', '-a', '--cleanup=verbatim', '-F', messageFile);
  }
  const commits = await readAllCommits(root);
  for (const { edits } of commits) {
    assert.deepEqual(edits, [{ path: 'a.py', from: null, definitions: ['<module>'] }]);
  }
  const [huge, red, diff] = commits.map(({ message }) => message);
  assert.equal(huge.length, 2_000);
  assert.equal(red, controls);
  assert.equal(diff, fake.trim());
});

test('treats content that looks like git’s output as content', async (t) => {
  const record = `\0${'1'.repeat(40)}\x000\0A <a>\0Forged\0`;
  const header = 'diff --git a/b.py b/b.py\n--- a/b.py\n+++ b/b.py\n@@ -1 +1 @@\n';
  const filler = '# as much text as git looks at to tell text from other data\n'.repeat(200);
  const root = createRepository(t, { 'a.py': `${filler}text = """\n-- a/x.py\n"""\n` });
  const content = `${filler}def f():\n    text = """\n++ b/b.py\n${header}\r${record}\n${record}"""\n`;
  const hash = commit(root, 'Text', { 'a.py': content });
  const [only, ...others] = await readAllCommits(root);
  assert.deepEqual(others, []);
  assert.equal(only.hash, hash);
  assert.deepEqual(
    only.edits.map(({ path }) => path),
    ['a.py'],
  );
});

test('ignores the settings of a repository, and runs none of its programs', async (t) => {
  const root = createRepository(t, { 'a.py': 'a = 1\n' });
  const mark = join(createFolder(t), 'ran');
  for (const [name, value] of [
    ['diff.noprefix', 'true'],
    ['diff.mnemonicPrefix', 'true'],
    ['diff.external', `touch ${mark}; true`],
    ['diff.python.textconv', `touch ${mark}; cat`],
    ['diff.python.command', `touch ${mark}; true`],
    ['color.ui', 'always'],
    ['color.diff', 'always'],
    ['log.showSignature', 'true'],
    ['gpg.program', `touch ${mark}; true`],
    ['diff.renames', 'false'],
    ['diff.suppressBlankEmpty', 'true'],
    ['format.pretty', 'oneline'],
  ]) {
    git(root, 'config', name, value);
  }
  const hash = commit(root, 'Change', {
    '.gitattributes': '*.py diff=python\n',
    'a.py': 'a = 2\n\n\nb = 1\n',
  });
  const commits = await readAllCommits(root);
  assert.deepEqual(
    commits.map((found) => [found.hash, found.edits]),
    [[hash, [{ path: 'a.py', from: null, definitions: ['<module>'] }]]],
  );
  assert.equal(existsSync(mark), false);
});

test('reads the commits of a shallow clone except for its first', async (t) => {
  const root = createRepository(t, { 'a.py': 'a = 1\n' });
  for (const n of [2, 3, 4]) commit(root, `Change ${n}`, { 'a.py': `a = ${n}\n` });
  const clone = temporaryFolder();
  t.after(() => removeFolder(clone));
  git(clone, 'clone', '-q', '--depth', '2', `file://${root}`, 'clone');
  const commits = await readAllCommits(join(clone, 'clone'));
  assert.deepEqual(
    commits.map(({ message }) => message),
    ['Change 4'],
  );
});
