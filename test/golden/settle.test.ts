import assert from 'node:assert/strict';
import { test } from 'node:test';
import { settle } from './settle.ts';

const row = (rank: number, name: string, score: number, cosine: number, rest = 'bm25 1') =>
  `${String(rank).padStart(2)} * method ${name} 1-2\n   ~ score ${score}, coret ${cosine} adds 1\n     ${rest}`;
const list = (...rows: string[]) => `issue\n   head\n${rows.join('\n')}\n`;

const RECORDED = list(row(1, 'a', 3.02, 0.5), row(2, 'b', 3.01, 0.4), row(3, 'c', 1, 0.3));

test('a list from another processor counts as recorded, including near ties', () => {
  const now = list(row(1, 'b', 3.03, 0.401), row(2, 'a', 3.01, 0.499), row(3, 'c', 1.01, 0.3));
  assert.equal(settle(now, RECORDED), RECORDED);
});

test('with the same cosines, scores may differ only as much as by results that are not shown', () => {
  const shifted = (by: number) =>
    list(row(1, 'a', 3.02 + by, 0.5), row(2, 'b', 3.01, 0.4), row(3, 'c', 1, 0.3));
  assert.equal(settle(shifted(0.03), RECORDED), RECORDED);
  assert.equal(settle(shifted(0.07), RECORDED), shifted(0.07));
});

test('different evidence, scores and cosines are changes on any processor', () => {
  const near = [row(1, 'a', 3.02, 0.501), row(2, 'b', 3.01, 0.4)];
  for (const third of [
    row(3, 'c', 1, 0.3, 'bm25 2'),
    row(3, 'c', 1.3, 0.301),
    row(3, 'c', 1, 0.32),
    row(3, 'd', 1, 0.3),
  ]) {
    assert.notEqual(settle(list(...near, third), RECORDED), RECORDED, third);
  }
});

test('ranks of callers and the last results of a list may differ with the cosines', () => {
  const names = Array.from({ length: 19 }, (_, i) => `f${i}`);
  const rows = (cosine: number, last: string, callers: string) => [
    ...names.map((name, i) => row(i + 1, name, 30 - i, cosine, i === 0 ? callers : 'bm25 1')),
    row(20, last, 11.1, cosine),
  ];
  const recorded = list(...rows(0.5, 'x', 'called 1: called by `f1` (rank 2), `f2` (rank 3)'));
  const settled = (last: string, callers: string) =>
    settle(list(...rows(0.501, last, callers)), recorded) === recorded;
  assert.ok(settled('y', 'called 1: called by `f2` (rank 2), `f1` (rank 3)'));
  assert.ok(settled('x', 'called 1: called by `f3` (rank 3)'));
  assert.ok(!settled('y', 'called 2'));
});
