import assert from 'node:assert/strict';
import { test } from 'node:test';
import { MemoryIndex } from '../../search/support.ts';
import { framesOf } from '../helpers.ts';

const CART = 'shop/templates/shop/cart.html';
const TWIG = 'templates/blog/show.html.twig';
const ERB = 'app/views/carts/show.html.erb';
const index = new MemoryIndex({
  [CART]: [
    { name: '<template>', kind: 'function', lines: [1, 90] },
    { name: 'content', kind: 'function', lines: [20, 40] },
  ],
  [TWIG]: [{ name: 'body', kind: 'function', lines: [1, 9] }],
  [ERB]: [{ name: '<template>', kind: 'function', lines: [1, 9] }],
});

test('locations in templates resolve to the innermost block', () => {
  const text = [
    'Empty carts fail\n',
    `In template /srv/app/${CART}, error at line 25`,
    'An exception in "blog/show.html.twig" at line 3.',
    `${ERB}:4:in 'block in total'`,
  ].join('\n');
  assert.deepEqual(
    framesOf(text, index).map((frame) => frame.trim().split(' ').slice(-2)),
    [
      ['25', `${CART}::content`],
      ['3', `${TWIG}::body`],
      ['4', `${ERB}::<template>`],
    ],
  );
});
