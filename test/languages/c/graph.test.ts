import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  createGraph,
  findEdges,
  listEdges,
  parseGraphFile,
  parseGraphFiles,
} from '../../graph/support.ts';

const C = {
  'src/cart.h':
    '#define MAX(a, b) ((a) > (b) ? (a) : (b))\nint cart_total(struct cart *c);\nint twice(int a);\n',
  'src/cart.c':
    '#include "cart.h"\nstatic int sum(int a) { return a; }\nint cart_total(struct cart *c) { return MAX(sum(1), 2); }\n',
  'src/main.c':
    '#include <stdio.h>\n#include "cart.h"\nint main(void) { printf("x"); twice(3); return cart_total(0); }\n',
  'src/a.c': 'int twice(int a) { return a; }\n',
  'src/b.c': 'int twice(int a) { return a + a; }\n',
  'tests/test_cart.c': 'int only_in_tests(void) { return cart_total(0); }\n',
};

test('c: includes resolve to macros, and names that only one file defines are guessed', async () => {
  assert.deepEqual(await findEdges(C), [
    'src/cart.c::cart_total > src/cart.c::sum',
    'src/cart.c::cart_total > src/cart.h::MAX',
    'src/main.c::main > src/cart.c::cart_total guess',
    'tests/test_cart.c::only_in_tests > src/cart.c::cart_total guess',
  ]);
});

test('c: a guess follows edits', async () => {
  const files = await parseGraphFiles(C);
  const graph = createGraph(files);
  for (const path of files.keys()) listEdges(graph, files, path);
  const changed = await parseGraphFile('src/b.c', 'int other(int a) { return a; }\n');
  files.set('src/b.c', changed);
  graph.put('src/b.c', changed);
  assert.deepEqual(listEdges(graph, files, 'src/main.c'), [
    'src/main.c::main > src/a.c::twice guess',
    'src/main.c::main > src/cart.c::cart_total guess',
  ]);
});

test('c++: methods belong to classes in headers, receivers have their declared types', async () => {
  const found = await findEdges({
    'include/shop/cart.h':
      'namespace shop {\nclass Base {\n public:\n  void log() {}\n};\nclass Cart : public Base {\n public:\n  int total() const;\n  void add(int a);\n private:\n  std::unique_ptr<Store> store_;\n};\nclass Store {\n public:\n  void save() {}\n};\n}\n',
    'src/cart.cc':
      '#include "shop/cart.h"\nnamespace shop {\nint Cart::total() const {\n  store_->save();\n  return 1;\n}\nvoid Cart::add(int a) {\n  total();\n  this->log();\n}\n}\n',
    'src/main.cc':
      '#include <shop/cart.h>\nint main() {\n  shop::Cart outside;\n  Cart cart;\n  cart.add(1);\n  auto made = new Cart();\n  made->total();\n}\n',
  });
  assert.deepEqual(found, [
    'include/shop/cart.h::shop.Cart > include/shop/cart.h::shop.Base inherit',
    'src/cart.cc::shop.Cart.add > include/shop/cart.h::shop.Base.log',
    'src/cart.cc::shop.Cart.add > src/cart.cc::shop.Cart.total',
    'src/cart.cc::shop.Cart.total > include/shop/cart.h::shop.Store.save',
    'src/main.cc::main > include/shop/cart.h::shop.Cart construct',
    'src/main.cc::main > src/cart.cc::shop.Cart.add',
    'src/main.cc::main > src/cart.cc::shop.Cart.total',
  ]);
});
