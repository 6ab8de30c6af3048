import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Candidate } from '../../src/services/check/candidates.ts';
import { addNamedChunks } from '../../src/services/investigate/named.ts';
import { ranking } from '../check/sample.ts';

const all = ranking(30).results;
const candidates = all
  .slice(0, 5)
  .map((chunk): Candidate => ({ chunk, excerpt: '', calls: [], overrides: [] }));

const answer = (missing: string[]) => {
  return { order: [3, 1], edits: new Map([[3, 'Here.']]), missing, length: 9 };
};

test('functions that an agent names by path and name join behind those to edit', async () => {
  const searches: string[] = [];
  const search = async (text: string) => {
    searches.push(text);
    return all;
  };
  const missing = ['a.py::f9', '`f12` (a.py)', 'f13', 'b.py f14', 'a.py f1', '/etc/passwd', 'a.py'];
  const added = await addNamedChunks({ search }, candidates, answer(missing));
  assert.deepEqual(searches, [missing.join('\n')]);
  assert.deepEqual(
    added.candidates.slice(5).map(({ chunk }) => chunk.name),
    ['f9', 'f12'],
  );
  assert.deepEqual(added.answer.order, [3, 5, 6, 1]);
  assert.deepEqual([...added.answer.edits.keys()], [3, 5, 6]);
});

test('without a missing name, nothing is searched for', async () => {
  const search = () => assert.fail('it searches');
  const same = answer([]);
  assert.deepEqual(await addNamedChunks({ search }, candidates, same), {
    candidates,
    answer: same,
  });
});
