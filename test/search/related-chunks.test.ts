import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { HistoryIndex } from '../../src/engine/history/history-index.ts';
import { findRelatedChunks } from '../../src/engine/search/explain/related-chunks.ts';
import { indexRanks, writeRelationClauses } from '../../src/shared/related-chunks.ts';
import { type FileSpecs, MemoryIndex, search, WORDS_ALONE } from './support.ts';

const FILES: FileSpecs = {
  'shop/base.py': [
    { name: 'Payment', kind: 'class', lines: [1, 9] },
    { name: 'Payment.__init__', kind: 'method', lines: [2, 3] },
    { name: 'Payment.charge', kind: 'method', lines: [4, 5], text: 'def charge(self): pass' },
  ],
  'shop/card.py': [
    { name: 'Card', kind: 'class', lines: [1, 9], bases: ['Payment'] },
    { name: 'Card.__init__', kind: 'method', lines: [2, 3] },
    { name: 'Card.charge', kind: 'method', lines: [4, 5], text: 'def charge(self): expired' },
  ],
  'shop/cash.py': [
    { name: 'Cash', kind: 'class', lines: [1, 9], bases: ['Payment'] },
    { name: 'Cash.charge', kind: 'method', lines: [4, 5], text: 'def charge(self): coins' },
  ],
  'shop/mail.py': [{ name: 'receipt', text: 'def receipt(): pass' }],
  'tests/test_card.py': [{ name: 'test_charge', text: 'def test_charge(): pass' }],
};

const slotOf = (index: MemoryIndex, name: string) =>
  index.chunks.findIndex((chunk) => chunk?.qualifiedName === name);

const said = (index: MemoryIndex, name: string) =>
  findRelatedChunks(slotOf(index, name), index).map(
    ({ relation, qualifiedName }) => `${relation} ${qualifiedName}`,
  );

function withHistory(commits: Record<string, string[]>[]): MemoryIndex {
  const index = new MemoryIndex(FILES);
  index.history = HistoryIndex.fromCommits(
    commits.map((edits, i) => ({
      hash: String(i).repeat(40),
      time: 1_700_000_000 - i,
      message: 'Fix it',
      edits: Object.entries(edits).map(([path, definitions]) => ({
        path,
        from: null,
        definitions,
      })),
    })),
  );
  return index;
}

describe('related chunks of a result', () => {
  const index = new MemoryIndex(FILES);

  test('include the method that it overrides, and that of a sibling class', () => {
    assert.deepEqual(said(index, 'Card.charge'), ['overridden Payment.charge', 'twin Cash.charge']);
  });

  test('include the methods that override it', () => {
    assert.deepEqual(said(index, 'Payment.charge'), [
      'overrides Card.charge',
      'overrides Cash.charge',
    ]);
  });

  test('are none for constructors and functions without history', () => {
    assert.deepEqual(said(index, 'Card.__init__'), []);
    assert.deepEqual(said(index, 'receipt'), []);
  });

  test('are none if so many classes have the method that it is a protocol', () => {
    const names = ['Cheque', 'Gift', 'Points'];
    const more = names.map((name): [string, FileSpecs[string]] => [
      `shop/${name}.py`,
      [
        { name, kind: 'class', lines: [1, 9], bases: ['Payment'] },
        { name: `${name}.charge`, kind: 'method', lines: [2, 3] },
      ],
    ]);
    const large = new MemoryIndex({ ...FILES, ...Object.fromEntries(more) });
    assert.deepEqual(said(large, 'Card.charge'), []);
  });

  test('include functions that at least two commits edited together with it, but no tests', () => {
    const both = { 'shop/mail.py': ['receipt'], 'shop/card.py': ['Card.charge'] };
    const tests = { 'shop/mail.py': ['receipt'], 'tests/test_card.py': ['test_charge'] };
    const past = withHistory([both, tests, tests, both]);
    const companions = findRelatedChunks(slotOf(past, 'receipt'), past);
    assert.deepEqual(
      companions.map(({ relation, address, commits }) => ({ relation, address, commits })),
      [{ relation: 'changed', address: 'shop/card.py::Card.charge', commits: 2 }],
    );
    const once = withHistory([both]);
    assert.deepEqual(findRelatedChunks(slotOf(once, 'receipt'), once), []);
  });

  test('are listed for the first five results, with an explanation', () => {
    const { results } = search(
      index,
      null,
      { issue: 'expired', limit: 1 },
      { ranker: WORDS_ALONE },
    );
    const [first] = results;
    assert.equal(first?.qualifiedName, 'Card.charge');
    assert.deepEqual(writeRelationClauses(first.related ?? [], indexRanks(results)), [
      'overrides `Payment.charge` (not among these results)',
      'same method in a sibling class: `Cash.charge` (not among these results)',
    ]);
  });
});
