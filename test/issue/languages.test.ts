/** The reader of issues needs one object for each language. These tests add an invented language. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readIssue } from '../../src/engine/issue/issue.ts';
import { createTextQuery } from '../../src/engine/issue/queries.ts';
import { getIssueSyntaxes } from '../../src/engine/languages/index.ts';
import type { IssueSyntax } from '../../src/engine/languages/issue-syntax.ts';
import { buildIssueReport, resolveIssue } from '../../src/engine/search/gather/issue.ts';
import { MemoryIndex } from '../search/support.ts';

const NAME = /[a-z]+(?:::[a-z]+)*/g;

/** `use shop::cart;`, `?>` for a prompt, `! shop/cart.x line 3 (total)` for a frame, modules in `mod.x`. */
const made: IssueSyntax = {
  codeLine: /^use [a-z:]+;$/,
  prompt: /^(?:\?>|=>)/,
  input: /^\?> /,
  traceback: { begins: /^Trail:/, continues: /^!/ },
  innermost: 'last',
  frames: [/^! (?<path>\S+) line (?<line>\d+) \((?<name>[a-z:]+)\)/gm],
  moduleFrame: 'top',
  error: /^panic: (?<message>.+)/gm,
  environment: { heading: /^toolchain$/i, line: /^xcc \d/ },
  trained: { prompt: /^\?>/, frame: /^! / },
  qualifiedName: NAME,
  separator: '::',
  specialName: /^zz/,
  words: null,
  sourceFile: /\.x$/,
  sourceRoots: new Set(['main']),
  getModule: (path) => path.replace(/(?:\/mod)?\.x$/, ''),
  readScript: (code) => ({
    bindings: Array.from(code.matchAll(/use ([a-z:]+);/g), ([, path = '']) => {
      const parts = path.split('::');
      return { kind: 'import' as const, local: parts.at(-1) ?? '', path: parts };
    }),
    uses: Array.from(code.matchAll(NAME), ({ 0: text, index: at }) => {
      const isCalled = code[at + text.length] === '(';
      return { at, text, path: text.split('::'), isCalled, isMethod: false };
    }),
  }),
};
const SYNTAXES = [...getIssueSyntaxes(), made];

const index = new MemoryIndex({
  'main/shop/cart.x': [
    { name: 'Cart', kind: 'class', lines: [1, 20] },
    { name: 'Cart.total', lines: [2, 9] },
    { name: 'checkout', lines: [30, 40] },
  ],
  'shop/post/mod.x': [{ name: 'send', lines: [1, 2] }],
  'bill.py': [{ name: 'send', lines: [1, 2] }],
});

const ISSUE = `Totals are wrong
use main::shop::cart::checkout;
?> checkout(7)
=> 8
Trail:
! shop/cart.x line 33 (shop::cart::checkout)
! shop/post/mod.x line 1 (top)
panic: not a price of ours
See shop::post or post::send, and zzz in shop/cart.x.
xcc 4
### Toolchain
whatever`;

test('distinguishes its code, sessions and tracebacks', () => {
  const sections = readIssue(ISSUE, SYNTAXES).sections.map(({ kind, text }) => [
    kind,
    text.split('\n', 1)[0],
  ]);
  assert.deepEqual(sections, [
    ['title', 'Totals are wrong'],
    ['code', 'use main::shop::cart::checkout;'],
    ['traceback', 'Trail:'],
    ['prose', 'See shop::post or post::send, and zzz in shop/cart.x.'],
    ['noise', 'xcc 4'],
  ]);
});

test('resolves its mentions in a repository', () => {
  const issue = resolveIssue(readIssue(ISSUE, SYNTAXES), index);
  const { names, paths, frames } = buildIssueReport(issue, index);
  assert.deepEqual(
    frames.map(({ name, line, address }) => [name, line, address]),
    [
      ['shop::cart::checkout', 33, 'main/shop/cart.x::checkout'],
      ['top', 1, 'shop/post/mod.x::<module>'],
    ],
  );
  assert.deepEqual(
    issue.errors.map(({ text }) => text),
    ['not a price of ours'],
  );
  assert.deepEqual(
    paths.filter(({ text }) => text === 'shop::post').map(({ files }) => files),
    [['shop/post/mod.x']],
  );
  assert.deepEqual(
    names.filter(({ text }) => text === 'post::send').map(({ definitions }) => definitions),
    [1],
  );
  assert.ok(issue.uses.some(({ name, slots }) => name === 'checkout' && slots.length === 1));
});

test('assigns its lines to the fields of an encoder', () => {
  const { fields } = createTextQuery('T\n?> a\n! b\n  c\nd', SYNTAXES);
  assert.deepEqual(fields, { title: 'T', text: 'd', code: '?> a', trace: '! b\n  c' });
});

test('does not change how other languages are read', () => {
  const python = 'T\n>>> a.b()\n  File "a.py", line 3, in f\nValueError: no such price';
  const [alone, beside] = [readIssue(python), readIssue(python, SYNTAXES)];
  assert.deepEqual(beside.sections, alone.sections);
  assert.deepEqual(beside.mentions.frames, alone.mentions.frames);
  assert.deepEqual(beside.mentions.names, alone.mentions.names);
});

test('sorts the innermost frame last, in any order of frames and causes', () => {
  const innermost = (syntax: Partial<IssueSyntax>) =>
    readIssue('T\n! a.x line 1 (f)\n! b.x line 2 (g)\nfrom\n! c.x line 3 (h)\n! d.x line 4 (k)\n', [
      { ...made, ...syntax },
    ]).mentions.frames.map(({ line }) => line);
  assert.deepEqual(innermost({ innermost: 'last' }), [1, 2, 3, 4]);
  assert.deepEqual(innermost({ innermost: 'first' }), [4, 3, 2, 1]);
  assert.deepEqual(innermost({ innermost: 'first', cause: /^from$/gm }), [2, 1, 4, 3]);
});

test('takes the parts of a module from its path in every language', () => {
  const paths = [
    'src/shop/__init__.py',
    'shop/cart.d.ts',
    'core/src/main/java/com/shop/Cart.java',
    'core/src/commonMain/kotlin/shop/Cart.kt',
    'src/Shop.Core/Carts/Cart.cs',
    'crates/shop/src/lib.rs',
    'cmd/shop/main.go',
    'lib/shop/cart.rb',
    'app/Http/Cart.php',
    'include/shop/cart.hpp',
  ];
  for (const path of paths)
    for (const { getModule } of SYNTAXES)
      for (const part of getModule(path).split(/[./]/))
        assert.ok(path.split(/[./]/).includes(part) || part === '', path);
});
