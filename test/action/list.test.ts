import assert from 'node:assert/strict';
import { it } from 'node:test';
import { createList, parseList, type SearchOutput } from '../../src/action/list.ts';
import { COMMIT, list } from './samples.ts';

const [shown] = list().results;
const withResult = (change: object) => ({ ...list(), results: [{ ...shown, ...change }] });

const found = (change: object = {}): SearchOutput['results'][number] => ({
  ...shown,
  qualifiedName: shown.name,
  ...change,
});

it('a list survives its way to the other job', () => {
  const output = { repository: { chunks: 1416 }, partial: null, results: [found()] };
  assert.deepEqual(parseList(JSON.stringify(createList(output, COMMIT))), list());
});

it('an unknown field is dropped', () => {
  const text = JSON.stringify({ ...withResult({ url: 'javascript:alert(1)' }), body: '# Hi' });
  assert.deepEqual(parseList(text), list());
});

it('a list fits into a variable, whatever the repository and the issue contain', () => {
  const hostile = {
    path: '\u202e'.repeat(1000),
    qualifiedName: '\u202e'.repeat(9000),
    reasons: Array(9).fill('\u202e'.repeat(9000)),
  };
  const output = {
    repository: { chunks: 7 },
    partial: { reason: '`'.repeat(9000) },
    results: [found({ path: 'x'.repeat(1001) }), ...Array(9).fill(found(hostile))],
  };
  const made = createList(output, COMMIT);
  assert.equal(made.results.length, 5);
  assert.ok(JSON.stringify(made).length * 6 < 128 * 1024);
  assert.deepEqual(parseList(JSON.stringify(made)), made);
});

const INVALID: Record<string, [unknown, RegExp]> = {
  'another value': [7, /the list/],
  'a branch': [{ ...list(), commit: 'main' }, /commit/],
  'no count': [{ ...list(), functions: '7' }, /functions/],
  'no results': [list({ results: [] }), /results/],
  'too many results': [list({ results: Array(6).fill(shown) }), /results/],
  'a result that is none': [{ ...list(), results: [null] }, /results\[0\]/],
  'a long partial': [list({ partial: 'x'.repeat(202) }), /partial/],
  'a path to elsewhere': [withResult({ path: '../../evil' }), /results\[0\]\.path/],
  'an absolute path': [withResult({ path: '/etc' }), /results\[0\]\.path/],
  'a long path': [withResult({ path: 'x'.repeat(1001) }), /results\[0\]\.path/],
  'a long name': [withResult({ name: 'x'.repeat(202) }), /results\[0\]\.name/],
  'another kind': [withResult({ kind: '# heading' }), /results\[0\]\.kind/],
  'line 0': [withResult({ startLine: 0 }), /results\[0\]\.startLine/],
  'an end before the start': [withResult({ endLine: 41 }), /results\[0\]\.endLine/],
  'too many reasons': [withResult({ reasons: Array(4).fill('a') }), /results\[0\]\.reasons/],
  'a reason that is none': [withResult({ reasons: [{}] }), /results\[0\]\.reasons/],
};

for (const [what, [given, field]] of Object.entries(INVALID))
  it(`a list with ${what} is refused`, () => {
    assert.throws(() => parseList(JSON.stringify(given)), {
      code: 'bad-input',
      message: field,
    });
  });
