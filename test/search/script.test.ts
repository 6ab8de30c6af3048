import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readIssue } from '../../src/engine/issue/issue.ts';
import { getIssueSyntaxes } from '../../src/engine/languages/index.ts';
import { resolveIssue } from '../../src/engine/search/gather/issue.ts';
import { MemoryIndex } from './support.ts';

const index = new MemoryIndex({
  'shop/__init__.py': [],
  'shop/cart.py': [
    { name: 'Cart', kind: 'class', lines: [1, 20] },
    { name: 'Cart.__init__', lines: [2, 3] },
    { name: 'Cart.total', lines: [4, 6] },
    { name: 'checkout', lines: [30, 40] },
  ],
  'shop/bill.py': [
    { name: 'Bill', kind: 'class', lines: [1, 20] },
    { name: 'Bill.total', lines: [4, 6] },
  ],
  'shop/post/parcel.py': [{ name: 'send', lines: [1, 2] }],
  'shop/mail.py': [{ name: 'send', lines: [1, 2] }],
  'src/tools/saw.py': [{ name: 'cut', lines: [1, 2] }],
  'tests/test_cart.py': [{ name: 'checkout', lines: [1, 2] }],
});

/** Returns names and addresses that the code of an issue uses. */
function uses(code: string) {
  const issue = `Title\n\`\`\`\n${code}\n\`\`\`\n`;
  return resolveIssue(readIssue(issue, getIssueSyntaxes(index.getLanguages())), index).uses.map(
    ({ name, slots, spans }) => {
      for (const { start, end, text } of spans) assert.equal(issue.slice(start, end), text);
      const found = slots.map((slot) => index.chunks[slot]!);
      return [name, ...found.map(({ path, qualifiedName }) => `${path}::${qualifiedName}`)];
    },
  );
}

test('imported names are resolved, also through packages that re-export them', () => {
  const checkout = ['checkout', 'shop/cart.py::checkout'];
  assert.deepEqual(uses('from shop import checkout\ncheckout()'), [checkout]);
  assert.deepEqual(uses('>>> from shop import (checkout, nothing)'), [checkout]);
  assert.deepEqual(uses('from shop import *\ncheckout()'), [checkout]);
  assert.deepEqual(uses('In [1]: import shop as s\nIn [2]: s.checkout()').at(-1), [
    's.checkout',
    'shop/cart.py::checkout',
  ]);
  assert.deepEqual(uses('from tools import cut as c\nc()'), [['c', 'src/tools/saw.py::cut']]);
});

test('of several definitions, those nearest to the module are chosen', () => {
  assert.deepEqual(uses('from shop.post import send'), [['send', 'shop/post/parcel.py::send']]);
  assert.equal(uses('from shop import send')[0].length, 3);
});

test('methods are found by the class of a variable, or by a name that few have', () => {
  const total = ['cart.total', 'shop/cart.py::Cart.total'];
  assert.deepEqual(uses('from shop import Cart\ncart = Cart(1)\ncart.total()').at(-1), total);
  assert.deepEqual(uses('x.total()'), [
    ['x.total', 'shop/cart.py::Cart.total', 'shop/bill.py::Bill.total'],
  ]);
  assert.deepEqual(uses("get('a').total()"), [
    ['.total', 'shop/cart.py::Cart.total', 'shop/bill.py::Bill.total'],
  ]);
});

test('names of other packages and names in prose are not resolved', () => {
  assert.deepEqual(uses('from elsewhere import checkout\nimport cart\ncheckout()'), []);
  assert.deepEqual(resolveIssue(readIssue('T\nWe checkout() the cart.'), index).uses, []);
});
