import assert from 'node:assert/strict';
import { test } from 'node:test';
import { findAdjacent } from '../../src/renderer/ui/steps.ts';

const KEYS = ['a.py::a', 'a.py::b', 'a.py::c'];

test('the results adjacent to a result are those before and after it', () => {
  assert.deepEqual(findAdjacent(KEYS, 'a.py::b', null), { before: 0, after: 2 });
  assert.deepEqual(findAdjacent(KEYS, null, null), { before: -2, after: 0 });
});

test('of one that has gone to the end or out of the list, they are those of the place that it left', () => {
  assert.deepEqual(findAdjacent(KEYS, 'a.py::c', { address: 'a.py::c', at: 0 }), {
    before: -1,
    after: 0,
  });
  assert.deepEqual(findAdjacent(KEYS, 'a.py::d', { address: 'a.py::d', at: 1 }), {
    before: 0,
    after: 1,
  });
});

test('of one that is still there, is back, or is another one, they are its own', () => {
  assert.deepEqual(findAdjacent(KEYS, 'a.py::b', { address: 'a.py::b', at: 1 }), {
    before: 0,
    after: 2,
  });
  assert.deepEqual(findAdjacent(KEYS, 'a.py::a', { address: 'a.py::a', at: 2 }), {
    before: -1,
    after: 1,
  });
  assert.deepEqual(findAdjacent(KEYS, 'a.py::b', { address: 'a.py::c', at: 0 }), {
    before: 0,
    after: 2,
  });
});
