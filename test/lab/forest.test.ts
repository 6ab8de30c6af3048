/*
 * Tests the comparison of rankers on toy lists.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { formatComparison, listRanks } from '../../lab/forest/compare.ts';
import { predictOutOfFold } from '../../lab/forest/folds.ts';
import { type RankedIssue, toRankedIssue } from '../../lab/forest/issue.ts';
import { CANDIDATES, toyIssues } from './toy-issues.ts';

test('a family is ranked by a model that was fitted without it', () => {
  const issues = toyIssues(30);
  const made = predictOutOfFold(issues, 3, (others) => new Set(others.map(({ family }) => family)));
  for (const issue of issues) {
    assert.ok(!made(issue).has(issue.family));
    assert.ok(made(issue).size >= 4);
  }
});

test('edited chunks after the first candidates of a list count as missed', () => {
  const candidate = (isEdited: boolean) => ({ isEdited, values: [1, null], columns: [0.5, 0] });
  const list = {
    instance: 'one',
    repo: 'someone/toy',
    issue: 'text',
    edited: 3,
    considered: 50,
    signals: ['bm25', 'dense'],
    candidates: [candidate(false), candidate(true), candidate(true)],
  };
  const issue = toRankedIssue(list as never, 2);
  assert.deepEqual([...issue.labels], [0, 1]);
  assert.equal(issue.missed, 2);
  assert.ok(Number.isNaN(issue.values[1]![0]));
  assert.deepEqual(listRanks(issue, Float64Array.of(2, 1)), [2, null, null]);
});

test('candidates with equal scores have a random order', () => {
  const issues = toyIssues(200);
  const ranks = issues.map((issue) => listRanks(issue, new Float64Array(CANDIDATES))[0]!);
  const mean = ranks.reduce((sum, rank) => sum + rank, 0) / ranks.length;
  assert.ok(Math.abs(mean - (CANDIDATES + 1) / 2) < 2, String(mean));
});

test('rankers are compared issue by issue', () => {
  const issues = toyIssues(40);
  const right = ({ labels }: RankedIssue) => Float64Array.from(labels);
  const wrong = ({ labels }: RankedIssue) => Float64Array.from(labels, (label) => -label);
  const table = formatComparison(issues, [
    ['wrong', wrong],
    ['right', right],
  ]).split('\n');
  assert.match(table[2]!, /^\| wrong +\| +0\.000 \| +\| /);
  assert.match(table[3]!, /^\| right +\| +1\.000 \| \+1\.000 \[\+1\.000, \+1\.000\], p 0\.000 /);
});
