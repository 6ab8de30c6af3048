import assert from 'node:assert/strict';
import { test } from 'node:test';
import { mergeGrep } from '../../src/services/workspace/merge-grep.ts';
import type { GrepResponse, MatchingFunction } from '../../src/shared/grep.ts';
import { chunk } from '../exchange/sample.ts';

function answer(name: string, more: Partial<MatchingFunction>, note: string | null): GrepResponse {
  const lines = { lines: [], hidden: 0 };
  const found = {
    ...chunk(`${name}/a.py`, 'f', '1'),
    ...lines,
    named: 'none',
    callers: 0,
  } as const;
  return {
    functions: [{ ...found, ...more }],
    files: [{ path: `${name}/a.py`, role: 'source', ...lines }],
    total: { matches: 3, lines: 2, functions: 1, outside: 1, files: 1, searched: 5 },
    note,
  };
}

test('answers of several repositories are one list in the same order', () => {
  const answers = [
    { name: 'a', response: answer('a', { callers: 1 }, null) },
    { name: 'b', response: answer('b', { callers: 9 }, 'Not searched: `x`.') },
    { name: 'c', response: answer('c', { named: 'part' }, null) },
    { name: 'd', response: answer('d', { named: 'whole', role: 'test' }, null) },
  ];
  const merged = mergeGrep(['a', 'b', 'c', 'd', 'e'], answers, 10);
  assert.deepEqual(
    merged.functions.map(({ path }) => path),
    ['c/a.py', 'b/a.py', 'a/a.py', 'd/a.py'],
  );
  const total = { matches: 12, lines: 8, functions: 4, outside: 4, files: 4, searched: 20 };
  assert.deepEqual(merged.total, total);
  assert.equal(merged.note, '`b`: Not searched: `x`. Not searched: `e`.');
  const cut = mergeGrep(['a', 'b', 'c', 'd'], answers, 1);
  assert.deepEqual([cut.functions.length, cut.files.length], [1, 1]);
  assert.deepEqual(cut.total, total);
});

test('no answer has no matches', () => {
  const { functions, total, note } = mergeGrep([], [], 10);
  assert.deepEqual([functions, total.matches, total.searched, note], [[], 0, 0, null]);
});
