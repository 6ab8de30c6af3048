import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readIssue } from '../../../src/engine/issue/issue.ts';
import { getTestedStem, inferRole } from '../../../src/engine/source/role.ts';
import { MemoryIndex } from '../../search/support.ts';
import { framesOf, namesOf } from '../helpers.ts';

const index = new MemoryIndex({
  'crates/shop/src/cart.rs': [
    { name: 'Cart', kind: 'class', lines: [5, 9] },
    { name: 'Cart.total', lines: [11, 20] },
    { name: 'sum', lines: [22, 30] },
    { name: 'each', lines: [32, 40] },
  ],
  'crates/shop/src/main.rs': [{ name: 'main', lines: [10, 20] }],
});

const PANIC = `Totals crash

thread 'main' panicked at crates/shop/src/cart.rs:14:9:
index out of bounds: the len is 3 but the index is 3
stack backtrace:
   0: rust_begin_unwind
             at /rustc/82e1608dfa6e0b5569232559e3d385fea5a93112/library/std/src/panicking.rs:645:5
   1: core::panicking::panic_fmt
             at /rustc/82e1608dfa6e0b5569232559e3d385fea5a93112/library/core/src/panicking.rs:72:14
   2: shop::cart::Cart::total
             at ./crates/shop/src/cart.rs:14:9
   3: <shop::cart::Cart as shop::Sum<T>>::sum::h0123456789abcdef
             at ./crates/shop/src/cart.rs:25:9
   4: shop::cart::each::{{closure}}
             at ./crates/shop/src/cart.rs:34:20
   5: shop::main
             at /home/me/shop/crates/shop/src/main.rs:12:5
note: Some details are omitted, run with \`RUST_BACKTRACE=full\` for a verbose backtrace.
`;

test('rust: frames of a panic name their functions', () => {
  assert.deepEqual(framesOf(PANIC, index), [
    ' 14 crates/shop/src/cart.rs::Cart.total',
    'rust_begin_unwind 645 ',
    'panic_fmt 72 ',
    'total 14 crates/shop/src/cart.rs::Cart.total',
    'sum 25 crates/shop/src/cart.rs::sum',
    'each 34 crates/shop/src/cart.rs::each',
    'main 12 crates/shop/src/main.rs::main',
  ]);
});

test('rust: frames are recognized next to those of languages with a similar form', () => {
  const both = new MemoryIndex({
    'src/cart.rs': [{ name: 'Cart.total', lines: [11, 20] }],
    'web/cart.js': [{ name: 'total', lines: [1, 20] }],
  });
  const text = 'Totals\n\n   2: shop::Cart::total\n             at ./src/cart.rs:14:9\n';
  assert.deepEqual(framesOf(text, both), ['total 14 src/cart.rs::Cart.total']);
});

test("rust: a panic's message is read with any line ends", () => {
  for (const text of [PANIC, PANIC.replaceAll('\n', '\r\n')]) {
    const { errors } = readIssue(text).mentions;
    assert.deepEqual(
      errors.map((error) => error.text),
      ['index out of bounds: the len is 3 but the index is 3'],
    );
    assert.equal(framesOf(text, index).length, 7);
  }
});

test('rust: older panics and compiler errors have a location', () => {
  const text = `It fails
thread 'tests::works' panicked at 'no price', crates/shop/src/cart.rs:13:9
error[E0308]: mismatched types
  --> crates/shop/src/cart.rs:24:5
   |
24 |     "one"
   |     ^^^^^ expected \`i32\`, found \`&str\`
`;
  assert.deepEqual(framesOf(text, index), [
    ' 13 crates/shop/src/cart.rs::Cart.total',
    ' 24 crates/shop/src/cart.rs::sum',
  ]);
});

test('rust: traces, code and versions are distinguished', () => {
  const { sections } = readIssue(
    `${PANIC}\nimpl Cart {\n    pub fn total(&self) -> i32 {\n\nrustc 1.75.0 (82e1608df 2023-12-21)\n`,
  );
  const lines = (kind: string) =>
    sections.filter((section) => section.kind === kind).map(({ text }) => text.trim());
  assert.equal(lines('traceback').length, 1);
  assert.match(lines('traceback')[0] ?? '', /^thread 'main'.*verbose backtrace\.$/s);
  assert.deepEqual(lines('code'), ['impl Cart {\n    pub fn total(&self) -> i32 {']);
  assert.deepEqual(lines('noise'), ['rustc 1.75.0 (82e1608df 2023-12-21)']);
});

test('rust: names as people write them', () => {
  assert.deepEqual(namesOf('It is shop::cart::sum, Cart::total or cart::each.', index), [
    'cart.sum: sum',
    'Cart: Cart',
    'Cart.total: Cart.total',
    'cart.each: each',
  ]);
});

test('rust: roles of files', () => {
  const roles = {
    test: ['tests/it.rs', 'crates/a/tests/common/mod.rs', 'src/cart/tests.rs', 'src/cart_test.rs'],
    source: ['src/lib.rs', 'src/testing.rs', 'build.rs', 'src/latest.rs'],
    example: ['examples/basic.rs', 'crates/a/examples/b.rs'],
  };
  for (const [role, paths] of Object.entries(roles))
    for (const path of paths) assert.equal(inferRole(path), role, path);
  assert.equal(getTestedStem('src/cart_test.rs'), 'cart');
});

test('rust: multi-line messages, and frames of gdb', () => {
  const text = `It fails
thread 'main' panicked at 'no
price
', crates/shop/src/cart.rs:13:9
#3  0x00005555555708e1 in shop::cart::Cart::total () at crates/shop/src/cart.rs:15
#4  0x00005555555708e1 in shop::cart::each::{{closure}} (n=3) at crates/shop/src/cart.rs:34
#5  each<i32, closure> () at crates/shop/src/cart.rs:33
`;
  assert.deepEqual(framesOf(text, index), [
    ' 13 crates/shop/src/cart.rs::Cart.total',
    'shop::cart::Cart::total 15 crates/shop/src/cart.rs::Cart.total',
    'shop::cart::each 34 crates/shop/src/cart.rs::each',
    'each 33 crates/shop/src/cart.rs::each',
  ]);
});
