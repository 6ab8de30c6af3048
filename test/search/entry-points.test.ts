/** Functions that are registered under a route, a command or another key in the issue. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Registration } from '../../src/shared/registration.ts';
import { type FileSpecs, MemoryIndex, search, WORDS_ALONE } from './support.ts';

const route = (key: string): Registration[] => [{ kind: 'route', key }];

const SHOP: FileSpecs = {
  'shop/views.py': [
    { name: 'list_orders', text: 'order', registered: route('GET /orders') },
    { name: 'show_order', text: 'order', registered: route('GET /orders/:id') },
    { name: 'edit_order', text: 'order', registered: route('POST /orders/:id') },
    { name: 'show_item', text: 'order', registered: route('/orders/:id/items/:item') },
    { name: 'Carts', kind: 'class', text: 'order', registered: route('/carts') },
    { name: 'Carts.get', text: 'order' },
    { name: 'Carts.post', text: 'order' },
  ],
  'shop/cli.py': [
    { name: 'run_export', text: 'order', registered: [{ kind: 'command', key: 'export' }] },
    { name: 'create', text: 'order', registered: [{ kind: 'command', key: 'create' }] },
    { name: 'create_user', text: 'order', registered: [{ kind: 'command', key: 'user' }] },
  ],
  'shop/signals.py': [
    { name: 'on_saved', text: 'order', registered: [{ kind: 'event', key: 'order_saved' }] },
  ],
  'tests/test_views.py': [{ name: 'fake', text: 'order', registered: route('GET /orders') }],
};

/** Returns the values of the signal with its reasons, by qualified name. */
function explainAll(issue: string): Record<string, string> {
  const { results } = search(new MemoryIndex(SHOP), null, { issue }, { ranker: WORDS_ALONE });
  return Object.fromEntries(
    results.flatMap(({ qualifiedName, evidence: { entryPoint } }) =>
      entryPoint ? [[qualifiedName, `${entryPoint.value} ${entryPoint.sentence}`]] : [],
    ),
  );
}

test('the route that fits a request best is evidence, with parameters in place of values', () => {
  assert.deepEqual(explainAll('GET /orders/42 is slow for an order'), {
    show_order: '1 handles `GET /orders/:id`',
  });
  assert.deepEqual(explainAll('POST /api/v1/orders/42 fails for an order'), {
    edit_order: '1 handles `POST /orders/:id`',
  });
  assert.deepEqual(explainAll('http://localhost:8000/orders/1/items/2/ shows no order'), {
    show_item: '1 handles `/orders/:id/items/:item`',
  });
  assert.deepEqual(explainAll('DELETE /users/1 fails for an order'), {});
});

test('a path without a method counts if all of it fits', () => {
  assert.deepEqual(explainAll('the order of /orders is wrong'), {
    list_orders: '1 handles `GET /orders`',
  });
  assert.deepEqual(explainAll('the order in /home/ann/orders is wrong'), {});
});

test('the method of a class that handles a request is evidence', () => {
  assert.deepEqual(explainAll('POST /carts loses an order'), {
    'Carts.post': '1 handles `/carts`',
  });
  assert.deepEqual(explainAll('An order in `/carts` is lost'), { Carts: '1 handles `/carts`' });
});

test('the innermost command of a known program is evidence', () => {
  assert.deepEqual(explainAll('`shop export orders` crashes with an order'), {
    run_export: '1 implements the command `export`',
  });
  assert.deepEqual(explainAll('`shop create user bob` crashes with an order'), {
    create_user: '1 implements the command `user`',
  });
  assert.deepEqual(explainAll('`docker export orders` crashes with an order'), {});
  assert.deepEqual(explainAll('I want to export an order'), {});
});

test('quoted events are evidence', () => {
  assert.deepEqual(explainAll("nothing listens to 'order_saved' of an order"), {
    on_saved: '1 listens to `order_saved`',
  });
  assert.deepEqual(explainAll('an order_saved order'), {});
});

test('an issue that names an entry point is not said to name nothing', () => {
  const note = 'No function or file names recognized.';
  const noted = (issue: string) =>
    search(new MemoryIndex(SHOP), null, { issue }, { ranker: WORDS_ALONE }).issue.notes;
  assert.ok(!noted('GET /orders/42 is slow for an order').includes(note));
  assert.ok(noted('It is slow for an order').includes(note));
});
