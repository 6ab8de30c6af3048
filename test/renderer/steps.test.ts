import assert from 'node:assert/strict';
import { test } from 'node:test';
import { findAdjacent } from '../../src/renderer/ui/steps.ts';

const KEYS = ['a.py::a', 'a.py::b', 'a.py::c'];

test('a result is adjacent to those before and after it', () => {
  assert.deepEqual(findAdjacent(KEYS, 'a.py::b', null), { before: 0, after: 2 });
  assert.deepEqual(findAdjacent(KEYS, null, null), { before: -2, after: 0 });
});

test('a result that moved to the end or out of the list is adjacent to its former neighbors', () => {
  assert.deepEqual(findAdjacent(KEYS, 'a.py::c', { address: 'a.py::c', at: 0 }), {
    before: -1,
    after: 0,
  });
  assert.deepEqual(findAdjacent(KEYS, 'a.py::d', { address: 'a.py::d', at: 1 }), {
    before: 0,
    after: 1,
  });
});

test('a result that did not move, moved back, or is another one is adjacent to its present neighbors', () => {
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
