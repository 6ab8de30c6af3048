import assert from 'node:assert/strict';
import { test } from 'node:test';
import { findChunk } from '../../src/engine/snapshot/address.ts';
import {
  formatAddress,
  interpretAddress,
  MODULE_NAME,
  parseAddress,
  splitAddress,
} from '../../src/shared/address.ts';
import { MemoryIndex } from '../search/support.ts';

test('an address is split into its parts', () => {
  for (const place of [
    { path: 'shop/cart.py', qualifiedName: 'Cart.total', ordinal: 0 },
    { path: 'shop/cart.py', qualifiedName: 'Cart.total', ordinal: 11 },
    { path: 'odd::name#2.py', qualifiedName: MODULE_NAME, ordinal: 0 },
  ]) {
    assert.deepEqual(parseAddress(formatAddress(place)), place);
  }
  assert.deepEqual(splitAddress('a.py::f#2'), { path: 'a.py', name: 'f#2' });
  assert.deepEqual(splitAddress('a.h++::A.operator std::string'), {
    path: 'a.h++',
    name: 'A.operator std::string',
  });
  assert.deepEqual(splitAddress('Rakefile::a::b'), { path: 'Rakefile', name: 'a::b' });
});

test('a text without a path or a name is not an address', () => {
  for (const text of ['', 'total', '::total', 'cart.py::', 'cart.py::#2', 'cart.py:12']) {
    assert.equal(parseAddress(text), null, text);
  }
});

test('all readings of an address: paths and names may contain `::`, and names may end with a number', () => {
  assert.deepEqual(
    interpretAddress('a::b.js::f#2').map(({ path, qualifiedName, ordinal }) => [
      path,
      qualifiedName,
      ordinal,
    ]),
    [
      ['a', 'b.js::f#2', 0],
      ['a', 'b.js::f', 1],
      ['a::b.js', 'f#2', 0],
      ['a::b.js', 'f', 1],
    ],
  );
});

test('every printed address is found, whatever its name and path contain', () => {
  const index = new MemoryIndex({
    'src/a.cpp': [{ name: 'A.operator std::string' }],
    'src/CartTest.kt': [{ name: 'Foo::bar returns null' }],
    'lib/a.js': [{ name: 'x#2' }, { name: 'a::b' }, { name: 'y' }],
    'v1.a::b/c.py': [{ name: 'f' }],
    'odd::name#2.py': [{ name: 'f' }],
  });
  for (const chunk of index.chunks) {
    if (chunk) assert.equal(index.getChunk(findChunk(index, formatAddress(chunk))).id, chunk.id);
  }
  const short = findChunk(index, 'CartTest.kt::Foo::bar returns null');
  assert.equal(index.getChunk(short).path, 'src/CartTest.kt');
});
