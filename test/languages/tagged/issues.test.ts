/** Locations and names in issues about languages that are read by their tags, and the roles of files. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { findLanguage } from '../../../src/engine/languages/index.ts';
import { getTestedStem, inferRole } from '../../../src/engine/source/role.ts';
import { MemoryIndex } from '../../search/support.ts';
import { framesOf, namesOf } from '../helpers.ts';

const index = new MemoryIndex({
  'Sources/Cart.swift': [
    { name: 'Cart', kind: 'class', lines: [1, 60] },
    { name: 'Cart.total', kind: 'method', lines: [10, 30] },
  ],
  'lib/Shop/Cart.pm': [{ name: 'Shop.Cart.add', lines: [3, 9] }],
  'src/cart.ml': [{ name: 'add', lines: [3, 9] }],
  'src/cart.erl': [{ name: 'cart.drop', lines: [3, 9] }],
  'src/shop/cart.clj': [{ name: 'shop.cart.add-item', lines: [3, 9] }],
});

test('tags: locations in output, in the forms of compilers and runtimes', () => {
  const text = `It fails

Sources/Cart.swift:12:5: error: value is nil
died at lib/Shop/Cart.pm line 5.
File "src/cart.ml", line 4, characters 2-9:
 in call from cart:drop/1 [{file,"src/cart.erl"},{line,6}]
\tat shop.cart$add_item (src/shop/cart.clj:7)
`;
  assert.deepEqual(framesOf(text, index), [
    ' 12 Sources/Cart.swift::Cart.total',
    ' 5 lib/Shop/Cart.pm::Shop.Cart.add',
    ' 4 src/cart.ml::add',
    ' 6 src/cart.erl::cart.drop',
    ' 7 src/shop/cart.clj::shop.cart.add-item',
  ]);
});

test('tags: names as people write them', () => {
  const swift = new MemoryIndex({
    'Cart.swift': [{ name: 'Cart.total', kind: 'method', lines: [10, 30] }],
  });
  assert.deepEqual(namesOf('T\n`Cart.total` is wrong', swift), ['Cart.total: Cart.total']);
  const perl = new MemoryIndex({ 'lib/Cart.pm': [{ name: 'Shop.Cart.add', lines: [3, 9] }] });
  assert.deepEqual(namesOf('T\nShop::Cart::add fails', perl), ['Cart.add: Shop.Cart.add']);
  const erlang = new MemoryIndex({ 'src/cart.erl': [{ name: 'cart.drop', lines: [3, 9] }] });
  assert.deepEqual(namesOf('T\n`cart:drop/1` fails', erlang), ['cart.drop: cart.drop']);
  const clojure = new MemoryIndex({
    'src/shop/cart.clj': [{ name: 'shop.cart.add-item', lines: [3, 9] }],
  });
  assert.deepEqual(namesOf('T\n`add-item` and `shop.cart/add-item` fail', clojure), [
    'add-item: shop.cart.add-item',
    'cart.add-item: shop.cart.add-item',
  ]);
});

test('tags: files by their names, tests and generated files by convention', () => {
  const languages = {
    'a.swift': 'swift',
    'A.SCALA': 'scala',
    'build.sbt': 'scala',
    'deploy/Dockerfile': 'dockerfile',
    'a.R': 'r',
    cpanfile: 'perl',
    'main.tf': 'hcl',
    'a.mli': undefined,
  };
  for (const [path, name] of Object.entries(languages))
    assert.equal(findLanguage(path)?.name, name, path);
  for (const path of [
    'Sources/CartTests.swift',
    'lib/cart_test.exs',
    't/cart.t',
    'src/test-cart.R',
    'pkg/CartSpec.hs',
    'src/cart_SUITE.erl',
    'contracts/Cart.t.sol',
  ])
    assert.equal(inferRole(path), 'test', path);
  for (const path of ['Sources/Cart.swift', 'lib/latest.ex', 'src/contest.R', 'lib/t.pm'])
    assert.equal(inferRole(path), 'source', path);
  for (const path of ['lib/cart.g.dart', 'Sources/cart.pb.swift', 'R/RcppExports.R'])
    assert.equal(inferRole(path), 'generated', path);
  assert.equal(getTestedStem('Tests/CartTests.swift'), 'Cart');
  assert.equal(getTestedStem('test/cart_test.exs'), 'cart');
});
