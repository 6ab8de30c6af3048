import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readIssue } from '../../../src/engine/issue/issue.ts';
import { getIssueSyntaxes, getLanguage } from '../../../src/engine/languages/index.ts';
import { buildIssueReport, resolveIssue } from '../../../src/engine/search/gather/issue.ts';
import { MemoryIndex } from '../../search/support.ts';

const CART = 'core/src/main/java/com/shop/Cart.java';
const index = new MemoryIndex({
  [CART]: [
    { name: 'Cart', kind: 'class', lines: [10, 90] },
    { name: 'Cart.Cart', kind: 'method', lines: [20, 25] },
    { name: 'Cart.total', kind: 'method', lines: [30, 40] },
    { name: 'Cart.run', kind: 'method', lines: [42, 44] },
    { name: 'Cart.Item', kind: 'class', lines: [50, 80] },
    { name: 'Cart.Item.price', kind: 'method', lines: [60, 70] },
  ],
  'legacy/src/main/java/org/old/Cart.java': [
    { name: 'Cart', kind: 'class', lines: [1, 90] },
    { name: 'Cart.total', kind: 'method', lines: [30, 40] },
  ],
});

const framesOf = (text: string) => {
  const issue = readIssue(text);
  return buildIssueReport(resolveIssue(issue, index), index).frames.map(
    ({ name, line, address }) => [name, line, address],
  );
};

const TRACE = `The total of an empty cart fails

Exception in thread "main" java.lang.IllegalStateException: no total of nothing
\tat com.shop.Cart$Item.price(Cart.java:65) ~[shop-1.2.jar:1.2]
\tat com.shop.Cart.lambda$total$0(Cart.java:34)
\tat java.base/java.util.ArrayList.forEach(ArrayList.java:1511)
\tat app//com.shop.Cart$1.run(Cart.java:36)
\tat com.shop.Cart.<init>(Cart.java:22)
\tat com.shop.Cart$$Lambda$14/0x0000000800c03000.get(Unknown Source)
\tat jdk.internal.reflect.NativeMethodAccessorImpl.invoke0(Native Method)
\tat org.old.Cart.total(Cart.java:31)
Caused by: java.lang.NullPointerException: Cannot invoke "Item.price()" because "item" is null
\tat com.shop.Cart.<clinit>(Cart.java:12)
\t... 12 more
`;

test('frames resolve to chunks by package and line', () => {
  assert.deepEqual(framesOf(TRACE), [
    ['price', 65, `${CART}::Cart.Item.price`],
    ['total', 34, `${CART}::Cart.total`],
    ['forEach', 1511, null],
    ['', 36, `${CART}::Cart.total`],
    ['Cart', 22, `${CART}::Cart.Cart`],
    ['total', 31, 'legacy/src/main/java/org/old/Cart.java::Cart.total'],
    ['Cart', 12, `${CART}::Cart`],
  ]);
});

test('a constructor whose `<init>` was removed as a tag is a frame', () => {
  assert.deepEqual(framesOf('It fails\n\tat com.shop.Cart.(Cart.java:22)\n'), [
    ['Cart', 22, `${CART}::Cart.Cart`],
  ]);
});

test('frames without `at`, as in profilers and logs', () => {
  const text = `It fails
Blocked in:
com.shop.Cart$Item.price(Cart.java:65)
  com.shop.Cart.lambda$total$0(Cart.java:34)
java.util.ArrayList.forEach(ArrayList.java:1511)
com.shop.Cart.<init>(Cart.java:22)
See com.shop.Cart.total(Cart) and total(Cart.java).
`;
  assert.deepEqual(framesOf(text), [
    ['price', 65, `${CART}::Cart.Item.price`],
    ['total', 34, `${CART}::Cart.total`],
    ['forEach', 1511, null],
    ['Cart', 22, `${CART}::Cart.Cart`],
  ]);
  const traces = readIssue(text).sections.filter(({ kind }) => kind === 'traceback');
  assert.deepEqual(
    traces.map(({ lines }) => lines.length),
    [4],
  );
});

test('frames of Maven and jshell, with a space before the file', () => {
  const text = `It fails
    at com.shop.Cart$Item.price (Cart.java:65)
    at com.shop.Cart.<init> (Cart.java:22)
We met at the shop (Cart.java:31).
`;
  assert.deepEqual(framesOf(text), [
    ['price', 65, `${CART}::Cart.Item.price`],
    ['Cart', 22, `${CART}::Cart.Cart`],
  ]);
  assert.deepEqual(
    readIssue(text).sections.map(({ kind }) => kind),
    ['title', 'traceback', 'prose'],
  );
});

test('a stack trace is one section, with its causes', () => {
  const { sections, mentions } = readIssue(TRACE);
  assert.deepEqual(
    sections.filter(({ text }) => text.trim() !== '').map(({ kind }) => kind),
    ['title', 'traceback'],
  );
  assert.deepEqual(
    mentions.errors.map(({ text }) => text),
    ['no total of nothing', 'Cannot invoke "Item.price()" because "item" is null'],
  );
});

test('compiler messages have locations', () => {
  const text = `It does not compile
[ERROR] /home/me/core/src/main/java/com/shop/Cart.java:[61,9] cannot find symbol
src/main/java/com/shop/Cart.java:33: error: ';' expected
`;
  assert.deepEqual(framesOf(text), [
    ['', 61, `${CART}::Cart.Item.price`],
    ['', 33, `${CART}::Cart.total`],
  ]);
});

test('names are found as they are written', () => {
  const text = 'Broken\n\nSee Cart#total, Cart.Item#price(int), com.shop.Cart$Item and Cart::run.';
  const { names, paths } = buildIssueReport(
    resolveIssue(readIssue(text, getIssueSyntaxes(index.getLanguages())), index),
    index,
  );
  const definitions = names.map(({ text: name, definitions: count }) => [name, count]);
  for (const [name, count] of [
    ['Cart#total', 2],
    ['Item#price', 1],
    ['Cart$Item', 1],
    ['Cart::run', 1],
  ])
    assert.ok(
      definitions.some(([n, c]) => n === name && c === count),
      `${name} in ${JSON.stringify(definitions)}`,
    );
  assert.deepEqual(
    paths.filter(({ text: path }) => path === 'com.shop.Cart').map(({ files }) => files),
    [[CART]],
  );
});

test('uses in a script', () => {
  const { readScript } = getLanguage('java').issue;
  const { bindings, uses } = readScript(
    'import com.shop.Cart;\nimport java.util.*;\nCart<Item> cart = new Cart<>();\nvar item = new Item();\ncart.total().round();\n',
  );
  assert.deepEqual(bindings, [
    { kind: 'import', local: 'Cart', path: ['com', 'shop', 'Cart'] },
    { kind: 'open', path: ['java', 'util'] },
    { kind: 'value', local: 'cart', path: ['Cart'] },
    { kind: 'value', local: 'item', path: ['Item'] },
  ]);
  const called = uses.filter(({ isCalled }) => isCalled).map(({ path }) => path.join('.'));
  assert.deepEqual(called, ['Item', 'cart.total', 'round']);
});

test('a stack trace is written as the virtual machine prints it', () => {
  const frames = [
    {
      path: 'src/main/java/com/shop/Main.java',
      line: 3,
      name: 'main',
      text: 'new Cart().total();',
    },
    { path: CART, line: 65, name: 'total', text: 'throw new IllegalStateException();' },
  ];
  assert.equal(
    getLanguage('java').traceback.write(frames, 'java.lang.IllegalStateException: no'),
    [
      'Exception in thread "main" java.lang.IllegalStateException: no',
      '\tat com.shop.Cart.total(Cart.java:65)',
      '\tat com.shop.Main.main(Main.java:3)',
    ].join('\n'),
  );
});
