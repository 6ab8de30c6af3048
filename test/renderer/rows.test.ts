import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  buildRows,
  type ResultListRow,
  type ResultRowsInput,
} from '../../src/renderer/features/results/rows.ts';
import { splitName, splitPath } from '../../src/renderer/ui/names.ts';
import type { CheckOutcome } from '../../src/shared/check.ts';
import { chunk, marks, ranking } from './support.ts';

const NOTHING: ResultRowsInput = {
  results: [],
  marks: new Map(),
  outcome: null,
  applied: false,
  text: '',
  view: 'ranked',
  grouped: false,
  collapsed: new Set(),
  tree: false,
};
const rows = (input: Partial<ResultRowsInput>) => buildRows({ ...NOTHING, ...input });

/** Writes a header as `path (count)` or `path (count, hidden n)`, and a chunk as its rank and address. */
function brief(row: ResultListRow): string {
  if (row.type === 'chunk') return `${row.chunk.rank ?? '–'} ${row.key}`;
  return `${row.title} (${row.count}${row.hidden ? `, hidden ${row.hidden}` : ''})`;
}
const briefly = (input: Partial<ResultRowsInput>) => rows(input).rows.map(brief);

const RESULTS = ranking('a.py::Cart.total', 'b.py::pay', 'a.py::Cart', 'tests/t.py::test_pay');

function checked(addresses: string[], failure: CheckOutcome['failure'] = null): CheckOutcome {
  const use = { requests: 1, characters: 1 };
  return {
    model: 'm',
    place: 'on this machine',
    checkedAt: '2026-11-28T10:00:00.000Z',
    isExternal: false,
    chunks: addresses.map((address, at) => ({
      address,
      isEdit: true,
      reason: '',
      from: 1,
      to: at + 1,
    })),
    asked: addresses,
    added: [],
    missing: [],
    size: { request: 1, answer: 1 },
    used: use,
    budget: use,
    notes: [],
    failure,
  };
}

describe('rows of the list', () => {
  it('are the ranking, numbered from 1', () => {
    const { rows: all, chunks } = rows({ results: RESULTS });
    assert.deepEqual(all, chunks);
    assert.deepEqual(
      chunks.map(({ position, key }) => `${position} ${key}`),
      ['1 a.py::Cart.total', '2 b.py::pay', '3 a.py::Cart', '4 tests/t.py::test_pay'],
    );
  });

  it('match all words of the filter in path, name or kind, ignoring case', () => {
    assert.deepEqual(briefly({ results: RESULTS, text: 'CART total' }), ['1 a.py::Cart.total']);
    assert.deepEqual(briefly({ results: RESULTS, text: 'pay function' }), [
      '2 b.py::pay',
      '4 tests/t.py::test_pay',
    ]);
    assert.deepEqual(briefly({ results: RESULTS, text: 'cart pay' }), []);
    assert.equal(briefly({ results: RESULTS, text: '  ' }).length, 4);
  });

  it('are grouped by file in the order of best results; a collapsed file shows only its best', () => {
    assert.deepEqual(briefly({ results: RESULTS, grouped: true }), [
      'a.py (2)',
      '1 a.py::Cart.total',
      '3 a.py::Cart',
      'b.py (1)',
      '2 b.py::pay',
      'tests/t.py (1)',
      '4 tests/t.py::test_pay',
    ]);
    assert.deepEqual(briefly({ results: RESULTS, grouped: true, collapsed: new Set(['a.py']) }), [
      'a.py (2, hidden 1)',
      '1 a.py::Cart.total',
      'b.py (1)',
      '2 b.py::pay',
      'tests/t.py (1)',
      '4 tests/t.py::test_pay',
    ]);
  });

  it('of marked chunks are ordered by mark, then rank, including unranked and gone chunks', () => {
    const marked = marks({
      'z.py::gone': { mark: 'edit', gone: true },
      'b.py::pay': { mark: 'edit' },
      'a.py::Cart.total': { mark: 'edit' },
      'c.py::other': { mark: 'irrelevant' },
      'a.py::Cart': { mark: null, note: 'look here' },
    });
    assert.deepEqual(briefly({ results: RESULTS, marks: marked, view: 'marked' }), [
      'Edit here (3)',
      '1 a.py::Cart.total',
      '2 b.py::pay',
      '– z.py::gone',
      'Not relevant (1)',
      '– c.py::other',
      'With a note only (1)',
      '3 a.py::Cart',
    ]);
    assert.deepEqual(briefly({ results: RESULTS, marks: marked, view: 'marked', text: 'gone' }), [
      'Edit here (1)',
      '– z.py::gone',
    ]);
  });

  it('include their mark and what the model said', () => {
    const marked = marks({ 'b.py::pay': { mark: 'edit' } });
    const outcome = checked(['b.py::pay']);
    const [first, second] = rows({ results: RESULTS, marks: marked, outcome }).chunks;
    assert.equal(first?.marked, undefined);
    assert.equal(first?.checked, undefined);
    assert.equal(second?.marked?.mark, 'edit');
    assert.equal(second?.checked?.isEdit, true);
  });

  it('are in the checked order, with new ranks, only if that is applied', () => {
    const outcome = checked(['a.py::Cart', 'b.py::pay', 'a.py::Cart.total']);
    assert.equal(briefly({ results: RESULTS, outcome })[0], '1 a.py::Cart.total');
    assert.deepEqual(briefly({ results: RESULTS, outcome, applied: true }), [
      '1 a.py::Cart',
      '2 b.py::pay',
      '3 a.py::Cart.total',
      '4 tests/t.py::test_pay',
    ]);
  });

  it('keep the ranks that marks give to marked results, whatever the model said', () => {
    const outcome = checked(['a.py::Cart', 'b.py::pay', 'a.py::Cart.total']);
    const marked = marks({ 'a.py::Cart.total': { mark: 'edit' }, 'b.py::pay': { mark: null } });
    const results = RESULTS.map((result) => ({ ...result, rankWithoutMarks: 4 }));
    const list = rows({ results, marks: marked, outcome, applied: true }).chunks;
    assert.deepEqual(list.map(brief), [
      '1 a.py::Cart.total',
      '2 a.py::Cart',
      '3 b.py::pay',
      '4 tests/t.py::test_pay',
    ]);
    // Only marks moved the first; the check moved the next two.
    assert.deepEqual(
      list.map(({ chunk }) => chunk.rankWithoutMarks),
      [4, undefined, undefined, 4],
    );
    // While the marks do not adjust the list, or not yet, the model's order is shown.
    const before = briefly({ results: RESULTS, marks: marked, outcome, applied: true });
    assert.equal(before[0], '1 a.py::Cart');
  });
});

describe('split names', () => {
  it('splits a method from its class; module code has the name of its file', () => {
    assert.deepEqual(splitName(chunk('a/b.py::Cart.Item.total')), ['Cart.Item.', 'total']);
    assert.deepEqual(splitName(chunk('a/b.py::pay')), ['', 'pay']);
    assert.deepEqual(splitName(chunk('a/b.py::<module>')), ['', 'b.py']);
  });

  it('splits a file from its folder', () => {
    assert.deepEqual(splitPath('a/b/c.py'), ['a/b/', 'c.py']);
    assert.deepEqual(splitPath('c.py'), ['', 'c.py']);
  });
});
