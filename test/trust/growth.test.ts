/** The measurement that tests of linear time rely on tells quadratic from linear work. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { findSuperlinearGrowth } from '../support/growth.ts';

/** Computes `count` steps that cannot be optimized away. */
function work(count: number): number {
  let state = 1;
  for (let i = 0; i < count; i++) state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
  return state;
}

const same = (size: number) => size;

test('quadratic work is found, with its times', () => {
  const found = findSuperlinearGrowth(same, (size) => work((size * size) / 2));
  assert.match(found ?? '', /^\d+ ms for 5000, \d+ ms for 20000, (\d+|Infinity) ms for 80000$/);
});

test('linear work is accepted, and n log n', () => {
  assert.equal(
    findSuperlinearGrowth(same, (size) => work(size * 2_000)),
    null,
  );
  assert.equal(
    findSuperlinearGrowth(same, (size) => work(size * 200 * Math.log2(size))),
    null,
  );
});

test('a pattern that backtracks without end is interrupted', () => {
  const found = findSuperlinearGrowth(
    (size) => 'a'.repeat(size / 100),
    (text) => /^(a+)+$/.test(`${text}!`),
  );
  assert.equal(found, 'Infinity ms for 5000');
});
