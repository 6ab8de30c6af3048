/** Second passes: what lists tell of relations, and what a pass makes of them. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { List } from '../../lab/lists/list.ts';
import { COLUMNS, given, relatedIssue, weighted } from '../../lab/together/issue.ts';
import { listedRelations } from '../../lab/together/listed.ts';
import { KINDS } from '../../lab/together/relation.ts';

const LIST = listOf([
  ['shop/cart.py', 'Cart.total', 2, true, [['shop/tax.py', 'def rate(): pass']]],
  ['shop/cart.py', 'Cart.__init__', 1, false, []],
  ['shop/tax.py', 'rate', 0, true, []],
  ['shop/mail.py', 'total', 0, false, []],
]);

describe('a second pass', () => {
  const relations = listedRelations(LIST, [0, 1]);

  it('knows what a list tells of relations', () => {
    const [first] = relations.of;
    const said = first?.pairs.map(([place, kind]) => `${KINDS[kind]} ${place}`).sort();
    assert.deepEqual(said, [
      'called 2',
      'initializer 1',
      'sameClass 1',
      'sameFile 1',
      'sameName 3',
    ]);
  });

  it('counts a relation by how likely the first result is', () => {
    const issue = relatedIssue(LIST, relations, 4);
    const called = weighted(issue).columns[1 + COLUMNS.indexOf('called')];
    assert.equal(called?.[2], issue.odds[0]);
    assert.equal(called?.[3], 0);
  });

  it('does not rank the result that is given', () => {
    const { labels, columns } = given(relatedIssue(LIST, relations, 4), 0);
    assert.deepEqual([...labels], [-1, 0, 1, 0]);
    assert.equal(columns[1 + COLUMNS.indexOf('called')]?.[2], 1);
  });
});

type Row = [path: string, name: string, score: number, isEdited: boolean, callees: string[][]];

function listOf(rows: readonly Row[]): List {
  return {
    instance: 'shop-1',
    repo: 'ann/shop',
    issue: 'The total is wrong',
    edited: 2,
    considered: rows.length,
    signals: [],
    candidates: rows.map(([path, name, score, isEdited, callees]) => {
      const text = `def ${name.split('.').at(-1)}(): pass`;
      return {
        path,
        name,
        text,
        signatureEnd: text.length,
        doc: null,
        callees: callees.map(([at = '', code = '']) => ({ path: at, text: code })),
        kind: name.includes('.') ? 'method' : 'function',
        language: 'python',
        isEdited,
        score,
        values: [],
        columns: [],
      };
    }),
  };
}
