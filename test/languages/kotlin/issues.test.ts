import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readIssue } from '../../../src/engine/issue/issue.ts';
import { getIssueSyntaxes, getLanguage } from '../../../src/engine/languages/index.ts';
import { buildIssueReport, resolveIssue } from '../../../src/engine/search/gather/issue.ts';
import { MemoryIndex, search, WORDS_ALONE } from '../../search/support.ts';

const CART = 'core/src/main/kotlin/com/shop/Cart.kt';
const index = new MemoryIndex({
  [CART]: [
    { name: 'Cart', kind: 'class', lines: [10, 70] },
    { name: 'Cart.constructor', kind: 'method', lines: [20, 25] },
    { name: 'Cart.total', kind: 'method', lines: [30, 40] },
    { name: 'Cart.make', kind: 'method', lines: [50, 60] },
    { name: 'main', kind: 'function', lines: [80, 90] },
  ],
});

const framesOf = (text: string) =>
  buildIssueReport(
    resolveIssue(readIssue(text, getIssueSyntaxes(index.getLanguages())), index),
    index,
  ).frames.map(({ name, line, address }) => [name, line, address]);

test('frames resolve to chunks by package and line', () => {
  const text = `It fails

Exception in thread "main" java.lang.IllegalStateException: no total
\tat com.shop.Cart.total(Cart.kt:33)
\tat com.shop.Cart.total-1XGxNX8(Cart.kt:34)
\tat com.shop.Cart.total$default(Cart.kt:35)
\tat com.shop.Cart$Companion.make(Cart.kt:55)
\tat com.shop.Cart.<init>(Cart.kt:22)
\tat com.shop.CartKt.main(Cart.kt:81)
\tat com.shop.CartKt$main$1.invokeSuspend(Cart.kt:85)
\tat com.shop.CartKt.main$lambda$0(Cart.kt:86)
\tat kotlin.coroutines.jvm.internal.BaseContinuationImpl.resumeWith(ContinuationImpl.kt:33)
`;
  assert.deepEqual(framesOf(text), [
    ['total', 33, `${CART}::Cart.total`],
    ['total', 34, `${CART}::Cart.total`],
    ['total', 35, `${CART}::Cart.total`],
    ['make', 55, `${CART}::Cart.make`],
    ['', 22, `${CART}::Cart.constructor`],
    ['main', 81, `${CART}::main`],
    ['main', 85, `${CART}::main`],
    ['main', 86, `${CART}::main`],
    ['resumeWith', 33, null],
  ]);
});

test('a trace through Java and Kotlin is one, and its innermost frame throws', () => {
  const mixed = new MemoryIndex({
    'src/com/shop/Cart.java': [{ name: 'Cart.total', lines: [3, 5] }],
    'src/com/shop/Main.kt': [
      { name: 'checkout', lines: [2, 4] },
      { name: 'main', lines: [5, 7] },
    ],
  });
  const issue = `It fails

java.lang.IllegalStateException: no total
\tat com.shop.MainKt.main(Main.kt:6)
Caused by: java.lang.ArithmeticException: / by zero
\tat com.shop.Cart.total(Cart.java:4)
\tat com.shop.MainKt.checkout(Main.kt:3)
`;
  const { results } = search(mixed, null, { issue }, { ranker: WORDS_ALONE });
  const values = results.flatMap(({ qualifiedName, evidence }) =>
    evidence.frame ? [[qualifiedName, evidence.frame.value]] : [],
  );
  assert.deepEqual(Object.fromEntries(values), { 'Cart.total': 1, checkout: 0.5, main: 1 / 3 });
});

test('frames of Maven, with a space before the file', () => {
  const text = `It fails
    at com.shop.Cart.total (Cart.kt:33)
    at com.shop.Cart.<init> (Cart.kt:22)
`;
  assert.deepEqual(framesOf(text), [
    ['total', 33, `${CART}::Cart.total`],
    ['', 22, `${CART}::Cart.constructor`],
  ]);
});

test('messages of compilers and linters have locations', () => {
  const text = `It does not compile
e: file:///home/me/core/src/main/kotlin/com/shop/Cart.kt:33:9 Unresolved reference: x
w: /home/me/core/src/main/kotlin/com/shop/Cart.kt: (55, 1): Parameter 'a' is never used
core/src/main/kotlin/com/shop/Cart.kt:81:1: The function main is too long. [LongMethod]
`;
  assert.deepEqual(framesOf(text), [
    ['', 33, `${CART}::Cart.total`],
    ['', 55, `${CART}::Cart.make`],
    ['', 81, `${CART}::main`],
  ]);
});

test('uses in a script', () => {
  const { readScript } = getLanguage('kotlin').issue;
  const { bindings, uses } = readScript(
    'import com.shop.Cart\nimport com.shop.rates.*\nimport com.shop.Item as Thing\n\nval cart = Cart("a")\ncart.total()?.round()\n',
  );
  assert.deepEqual(bindings, [
    { kind: 'import', local: 'Cart', path: ['com', 'shop', 'Cart'] },
    { kind: 'open', path: ['com', 'shop', 'rates'] },
    { kind: 'import', local: 'Thing', path: ['com', 'shop', 'Item'] },
    { kind: 'value', local: 'cart', path: ['Cart'] },
  ]);
  const called = uses.filter(({ isCalled }) => isCalled).map(({ path }) => path.join('.'));
  assert.deepEqual(called, ['Cart', 'cart.total', 'round']);
});
