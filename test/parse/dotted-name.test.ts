import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isDottedName } from '../../src/engine/parse/dotted-name.ts';

test('dotted name: names of any script joined by dots', () => {
  const names = ['a', '_a1.b_2', 'größe.b', '名.前', 'a.b.c', '1.x'];
  const others = ['', '.', 'a.', '.a', 'a..b', 'a b', 'a()', 'a->b', 'größe.', 'a.b\n', '…', 'a$'];
  assert.deepEqual([...names, ...others].filter(isDottedName), names);
});
