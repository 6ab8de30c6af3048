/** Stacks, names and scripts in issues about JavaScript and TypeScript, and roles of files. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readIssue } from '../../../src/engine/issue/issue.ts';
import { getIssueSyntaxes, getLanguage } from '../../../src/engine/languages/index.ts';
import { buildIssueReport, resolveIssue } from '../../../src/engine/search/gather/issue.ts';
import { getTestedStem, inferRole } from '../../../src/engine/source/role.ts';
import { MemoryIndex } from '../../search/support.ts';
import { findSuperlinearGrowth } from '../../support/growth.ts';
import { framesOf } from '../helpers.ts';

const index = new MemoryIndex({
  'packages/core/src/cart.ts': [
    { name: 'Cart', kind: 'class', lines: [5, 60] },
    { name: 'Cart.total', lines: [10, 20] },
    { name: 'Cart.constructor', lines: [22, 26] },
    { name: 'checkout', lines: [70, 90] },
  ],
  'packages/core/src/index.ts': [],
  'packages/ui/src/App.tsx': [{ name: 'App', lines: [3, 40] }],
  'lib/router.js': [
    { name: 'Router.handle', lines: [100, 180] },
    { name: 'next', lines: [190, 200] },
  ],
});

const report = (text: string) =>
  buildIssueReport(
    resolveIssue(readIssue(text, getIssueSyntaxes(index.getLanguages())), index),
    index,
  );
const frames = (lines: string) =>
  report(`Totals\n\n${lines}\n`).frames.map(({ line, address }) => `${line} ${address}`);

const TOTAL = '12 packages/core/src/cart.ts::Cart.total';
const HANDLE = '120 lib/router.js::Router.handle';

test('frames of V8', () => {
  const found = frames(
    [
      'TypeError: Cannot read properties of undefined (reading "price")',
      '    at Cart.total (/home/me/shop/packages/core/src/cart.ts:12:5)',
      '    at async checkout (file:///home/me/shop/packages/core/src/cart.ts:75:9)',
      '    at new Cart (packages/core/src/cart.ts:24:3)',
      '    at Object.handle [as dispatch] (C:\\shop\\lib\\router.js:120:7)',
      '    at Function.<anonymous> (/home/me/shop/lib/router.js:121:7)',
      '    at /home/me/shop/lib/router.js:195:11',
      '    at Object.<anonymous> (/home/me/shop/packages/core/src/index.ts:1:1)',
      '    at Module._compile (node:internal/modules/cjs/loader:1105:14)',
    ].join('\n'),
  );
  assert.deepEqual(found, [
    TOTAL,
    '75 packages/core/src/cart.ts::checkout',
    '24 packages/core/src/cart.ts::Cart',
    HANDLE,
    '121 lib/router.js::Router.handle',
    '195 lib/router.js::next',
    '1 packages/core/src/index.ts::<module>',
    '1105 null',
  ]);
});

test('frames of accessors, and in folders in parentheses', () => {
  const files = new MemoryIndex({
    'app/(shop)/cart/page.tsx': [
      { name: 'sum', lines: [2, 4] },
      { name: 'Page', lines: [6, 20] },
    ],
    'app/(.)photo/(dash)/page.tsx': [{ name: 'Dash', lines: [1, 9] }],
  });
  const text = [
    'Error: no price',
    '    at get sum (/home/me/app/(shop)/cart/page.tsx:3:11)',
    '    at Cart.get sum [as sum] (app/(shop)/cart/page.tsx:4:11)',
    '    at set sum (app/(shop)/cart/page.tsx:2)',
    '    at Page (/home/me/app/(shop)/cart/page.tsx:7:22)',
    '    at eval (eval at <anonymous> (/home/me/app/(shop)/cart/page.tsx:7:22), <anonymous>:1:2)',
    '    at /home/me/app/(shop)/cart/page.tsx:8:9',
    '    at webpack-internal:///(rsc)/./app/(.)photo/(dash)/page.tsx:3:4',
    'app/(shop)/cart/page.tsx(9,5): error TS2345: Argument of type',
  ].join('\n');
  const page = 'app/(shop)/cart/page.tsx';
  assert.deepEqual(framesOf(text, files), [
    `sum 3 ${page}::sum`,
    `sum 4 ${page}::sum`,
    `sum 2 ${page}::sum`,
    `Page 7 ${page}::Page`,
    ` 8 ${page}::Page`,
    ' 3 app/(.)photo/(dash)/page.tsx::Dash',
    ` 9 ${page}::Page`,
  ]);
});

test('a long line is read in linear time, whatever parts of a frame it has', () => {
  const { frames: forms } = getLanguage('typescript').issue;
  for (const piece of ['(a)', '(', 'get ', 'a.get ', '(a', ' (/a)', '(a):1:1', 'at get a ('])
    for (const head of ['    at ', '    at get a (', 'app/']) {
      const growth = findSuperlinearGrowth(
        (size) => head + piece.repeat(size / piece.length),
        (line) => forms.map((form) => Array.from(line.matchAll(form))),
      );
      assert.equal(growth, null, JSON.stringify([head, piece]));
    }
});

test('frames from bundles and servers', () => {
  assert.deepEqual(
    frames(
      [
        'Error: no price',
        '    at Cart.total (webpack:///./packages/core/src/cart.ts?1a2b:12:5)',
        '    at Cart.total (webpack-internal:///(app-pages-browser)/./packages/core/src/cart.ts:12:5)',
        '    at App (http://localhost:3000/packages/ui/src/App.tsx?t=1700000000000:9:3)',
      ].join('\n'),
    ),
    [TOTAL, TOTAL, '9 packages/ui/src/App.tsx::App'],
  );
});

test('frames of Karma, which adds the built file', () => {
  const found = frames(
    [
      '    at Cart.total (packages/core/src/cart.ts:12:22 <- packages/core/dist/cart.js:7084:39)',
      '    at UserContext.<anonymous> (packages/core/src/cart.ts:75:22 <- packages/core/dist/cart.js:9:3)',
      '    at lib/router.js:120:7 <- lib/built.js:1:2',
    ].join('\n'),
  );
  assert.deepEqual(found, [TOTAL, '75 packages/core/src/cart.ts::checkout', HANDLE]);
});

test('frames without columns, and the last one of an error with properties', () => {
  assert.deepEqual(
    frames(
      [
        'Error: no price',
        '    at Cart.total (cart.ts:12)',
        '    at e.Sc [as total] (packages/core/src/cart.ts:12)',
        '    at packages/ui/src/App.tsx:9',
        'total @ packages/core/src/cart.ts:12',
        '    at /srv/app/lib/router.js:120:17 {',
      ].join('\n'),
    ),
    [TOTAL, TOTAL, '9 packages/ui/src/App.tsx::App', TOTAL, HANDLE],
  );
});

test('frames of Firefox and Safari', () => {
  assert.deepEqual(
    frames(
      [
        'total@http://localhost:3000/packages/core/src/cart.ts:12:5',
        'handle/<@webpack:///lib/router.js:120:7',
        'async*checkout@http://localhost:3000/packages/core/src/cart.ts:75:9',
        '@http://localhost:3000/packages/ui/src/App.tsx:9:3',
      ].join('\n'),
    ),
    [TOTAL, HANDLE, '75 packages/core/src/cart.ts::checkout', '9 packages/ui/src/App.tsx::App'],
  );
});

test('output of test runners, React, Node and compilers', () => {
  assert.deepEqual(
    frames(
      [
        ' ❯ Cart.total packages/core/src/cart.ts:12:5',
        ' ❯ packages/core/src/cart.ts:12:5',
        '    in App (at App.tsx:9)',
        '/home/me/shop/lib/router.js:120',
        'packages/core/src/cart.ts(12,5): error TS2345: Argument of type',
        'packages/core/src/cart.ts:12:5 - error TS2345: Argument of type',
      ].join('\n'),
    ),
    [TOTAL, TOTAL, '9 packages/ui/src/App.tsx::App', HANDLE, TOTAL, TOTAL],
  );
});

test('a frame that matches three languages counts once', () => {
  const { frames: found } = report('x\n\n    at Cart.total (packages/core/src/cart.ts:12:5)\n');
  assert.equal(found.length, 1);
});

test('names as they are written', () => {
  const names = (text: string) =>
    report(text).names.map(({ text: name, definitions }) => `${name} ${definitions}`);
  assert.deepEqual(names('in Cart.total() of checkout()'), [
    'Cart 1',
    'Cart.total 1',
    'checkout 1',
  ]);
  assert.deepEqual(names('in Cart#total'), ['Cart 1', 'Cart#total 1']);
});

test('code and stacks are distinguished from prose without code blocks', () => {
  const { sections, mentions } = readIssue(
    [
      'Totals are wrong',
      'I call it so',
      "import { checkout } from '@shop/core';",
      'const cart = checkout(3);',
      'and then it prints',
      'TypeError: price is not a function',
      '    at Cart.total (packages/core/src/cart.ts:12:5)',
      'Node: 20.1',
    ].join('\n'),
  );
  assert.deepEqual(
    sections.map(({ kind }) => kind),
    ['title', 'prose', 'code', 'prose', 'traceback'],
  );
  assert.equal(mentions.errors.length, 1);
});

test('imports of a script', () => {
  const { issue } = getLanguage('typescript');
  const { bindings } = issue.readScript(
    [
      "import z, { Cart as C, type T } from '@shop/core';",
      "import * as ns from '../src/cart.js';",
      "const { checkout: pay } = require('./lib/router');",
      "const fs = require('fs');",
      'const cart = new C(3);',
      'const sum = await ns.checkout(cart);',
    ].join('\n'),
  );
  assert.deepEqual(
    bindings.map((one) => `${one.kind} ${'local' in one ? one.local : ''} ${one.path.join('/')}`),
    [
      'import z @shop/core',
      'import C @shop/core/Cart',
      'import T @shop/core/T',
      'import ns src/cart',
      'import pay lib/router/checkout',
      'import fs fs',
      'value cart C',
      'value sum ns/checkout',
    ],
  );
});

test('roles of files', () => {
  for (const path of [
    'src/cart.test.ts',
    'src/cart.spec.tsx',
    'src/__tests__/cart.js',
    'test/cart.js',
    'packages/core/tests/cart.ts',
    'src/cart_test.mjs',
    'src/types.test-d.ts',
    'e2e/login.cy.js',
    'jest.config.js',
    'src/setupTests.ts',
    'src/test-utils.tsx',
    'packages/core/test/cart.js',
    'src/__mocks__/fs.js',
    'src/cart.mock.ts',
  ])
    assert.equal(inferRole(path), 'test', path);
  for (const path of [
    'src/latest.ts',
    'src/contest.js',
    'src/spectrum.ts',
    'src/mock.ts',
    'src/testing.ts',
  ])
    assert.equal(inferRole(path), 'source', path);
  for (const path of ['examples/todo/app.js', 'src/Cart.stories.tsx', 'src/sort.bench.ts'])
    assert.equal(inferRole(path), 'example', path);
  assert.equal(inferRole('docs/plugins/search.js'), 'doc');
  assert.equal(getTestedStem('src/cart.test.ts'), 'cart');
  assert.equal(getTestedStem('src/__tests__/cart-spec.js'), 'cart');
});
