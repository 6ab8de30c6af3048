import assert from 'node:assert/strict';
import { test } from 'node:test';
import { RecentMap } from '../../src/renderer/platform/recent-map.ts';

test('the entry that was not read or set for longest is removed first', () => {
  const map = new RecentMap<number>(2);
  map.set('a', 1);
  map.set('b', 2);
  assert.equal(map.get('a'), 1);
  map.set('c', 3);
  assert.deepEqual(
    ['a', 'b', 'c'].map((key) => map.get(key)),
    [1, undefined, 3],
  );
  map.set('a', 4);
  map.set('c', 5);
  map.delete('c');
  assert.deepEqual(
    ['a', 'c'].map((key) => map.get(key)),
    [4, undefined],
  );
  map.clear();
  assert.equal(map.get('a'), undefined);
});
