import assert from 'node:assert/strict';
import { test } from 'node:test';
import { settle } from './settle.ts';

const row = (rank: number, name: string, score: number, cosine: number, rest = 'bm25 1') =>
  `${String(rank).padStart(2)} * method ${name} 1-2\n   ~ score ${score}, coret ${cosine} adds 1\n     ${rest}`;
const list = (...rows: string[]) => `issue\n   head\n${rows.join('\n')}\n`;

const RECORDED = list(row(1, 'a', 3.02, 0.5), row(2, 'b', 3.01, 0.4), row(3, 'c', 1, 0.3));

test('a list of another processor is as recorded, near ties included', () => {
  const now = list(row(1, 'b', 3.03, 0.401), row(2, 'a', 3.01, 0.499), row(3, 'c', 1.01, 0.3));
  assert.equal(settle(now, RECORDED), RECORDED);
});

test('a list with the same cosines is compared exactly', () => {
  const now = list(row(1, 'a', 3.03, 0.5), row(2, 'b', 3.01, 0.4), row(3, 'c', 1, 0.3));
  assert.equal(settle(now, RECORDED), now);
});

test('other evidence, other scores and other cosines are changes on any processor', () => {
  const near = [row(1, 'a', 3.02, 0.501), row(2, 'b', 3.01, 0.4)];
  for (const third of [
    row(3, 'c', 1, 0.3, 'bm25 2'),
    row(3, 'c', 1.2, 0.301),
    row(3, 'c', 1, 0.31),
    row(3, 'd', 1, 0.3),
  ]) {
    assert.notEqual(settle(list(...near, third), RECORDED), RECORDED, third);
  }
});
