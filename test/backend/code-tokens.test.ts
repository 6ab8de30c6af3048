import assert from 'node:assert/strict';
import { it } from 'node:test';
import { tokenizeCode } from '../../src/engine/index.ts';

it('tells the names of code by the language of its path, and none of a text that is no code', async () => {
  assert.deepEqual(await tokenizeCode('shop/cart.py', 'f(x)\n'), [0, 0, 1, 2, 0]);
  assert.deepEqual(await tokenizeCode('shop/Cart.java', 'f(x);\n'), [0, 0, 1, 2, 0]);
  assert.deepEqual(await tokenizeCode('README.md', 'f(x)\n'), []);
});
