import assert from 'node:assert/strict';
import { test } from 'node:test';
import { addressOf, MODULE_NAME, parseAddress, splitAddress } from '../../src/shared/address.ts';

test('an address says what it was made of', () => {
  for (const place of [
    { path: 'shop/cart.py', qualifiedName: 'Cart.total', ordinal: 0 },
    { path: 'shop/cart.py', qualifiedName: 'Cart.total', ordinal: 11 },
    { path: 'odd::name#2.py', qualifiedName: MODULE_NAME, ordinal: 0 },
  ]) {
    assert.deepEqual(parseAddress(addressOf(place)), place);
  }
  assert.deepEqual(splitAddress('a.py::f#2'), { path: 'a.py', name: 'f#2' });
});

test('what has no path or no name is no address', () => {
  for (const text of ['', 'total', '::total', 'cart.py::', 'cart.py::#2', 'cart.py:12']) {
    assert.equal(parseAddress(text), null, text);
  }
});
