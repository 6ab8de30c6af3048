import assert from 'node:assert/strict';
import { test } from 'node:test';
import { findEdges } from '../../graph/support.ts';
import { assertFollowsEdits } from '../edits.ts';

const FILES = {
  'Sources/Cart.swift':
    'class Cart {\n  func total() -> Int { fee() + Store().persist(1) + map(2) }\n  func fee() -> Int { 1 }\n}\n',
  'Sources/Store.swift':
    'class Store {\n  func persist(_ x: Int) -> Int { x }\n  func map(_ x: Int) -> Int { x }\n  func twice() {}\n}\n',
  'Sources/Other.swift': 'class Other {\n  func twice() {}\n  func fee() -> Int { 2 }\n}\n',
  'Sources/Main.swift': 'func start() { twice(); helper(); fee() }\n',
  'Tests/CartTests.swift': 'func helper() {}\nfunc check() { helper() }\n',
  'lib/cart.dart': 'int persist(int x) => fee();\n',
};

test('tags: every call is a guess by the name of a definition: in its file, else the only one of its language', async () => {
  assert.deepEqual(await findEdges(FILES), [
    'Sources/Cart.swift::Cart.total > Sources/Cart.swift::Cart.fee guess',
    'Sources/Cart.swift::Cart.total > Sources/Store.swift::Store construct guess',
    'Sources/Cart.swift::Cart.total > Sources/Store.swift::Store.persist guess',
    'Tests/CartTests.swift::check > Tests/CartTests.swift::helper guess',
  ]);
});

test('tags: edges after an edit are those of a new graph', () => assertFollowsEdits(FILES));
