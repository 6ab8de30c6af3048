import assert from 'node:assert/strict';
import { test } from 'node:test';
import { HashCounter } from '../../src/engine/encode/kinds/hash-counter.ts';
import { uniform } from '../support/effort.ts';

function entries(counter: HashCounter): [number, number][] {
  return Array.from({ length: counter.size }, (_, i) => [counter.getHash(i), counter.getCount(i)]);
}

test('hashes are counted like in a map, in order of first occurrence, also after clearing', () => {
  const random = uniform();
  const counter = new HashCounter();
  for (const distinct of [1, 50, 1000, 3]) {
    const expected = new Map<number, number>();
    for (let i = 0; i < 3 * distinct; i++) {
      const hash = (Math.floor(random() * distinct) * 0x01000193) >>> 0;
      counter.add(hash);
      expected.set(hash, (expected.get(hash) ?? 0) + 1);
    }
    assert.deepEqual(entries(counter), [...expected]);
    counter.clear();
    assert.equal(counter.size, 0);
  }
});

test('hashes with equal low bits, the largest one and 0 are told apart', () => {
  const counter = new HashCounter();
  const hashes = [0xffffffff, 0, 0x80000000, 0x40000000, 0xc0000000];
  for (const hash of [...hashes, ...hashes, 0]) counter.add(hash);
  assert.deepEqual(entries(counter), [
    [0xffffffff, 2],
    [0, 3],
    ...hashes.slice(2).map((h) => [h, 2]),
  ]);
});
