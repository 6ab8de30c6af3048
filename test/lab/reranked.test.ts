/*
 * Tests fitting the weight of a reranker, and orders of partly reranked lists.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { RankedIssue } from '../../lab/forest/issue.ts';
import { addModelWeights } from '../../lab/rerank/added.ts';
import { addModelColumn, computeDeviation } from '../../lab/rerank/issue.ts';
import type { MeasuredList } from '../../lab/rerank/measured.ts';
import { orderPartlyReranked, parseIdentity } from '../../lab/rerank/orders.ts';
import { SEED, uniform } from '../support/effort.ts';

const CANDIDATES = 20;

/** Makes an issue whose edited candidate is drawn with a probability proportional to exp(title + 2 × read), both about normally distributed. */
function toy(number: number, next: () => number): { issue: RankedIssue; values: number[] } {
  const draw = () => Array.from({ length: CANDIDATES }, () => next() + next() + next() - 1.5);
  const [title, values] = [Float64Array.from(draw()), draw()];
  const shares = values.map((value, i) => Math.exp(2 * (title[i]! + 2 * value)));
  let left = next() * shares.reduce((sum, share) => sum + share);
  const edited = shares.findIndex((share) => {
    left -= share;
    return left <= 0;
  });
  const issue: RankedIssue = {
    instance: `issue-${number}`,
    repo: 'someone/toy',
    family: 'someone/toy',
    names: ['title'],
    values: [title],
    columns: [title],
    labels: Int8Array.from(values, (_, i) => Number(i === edited)),
    missed: 0,
    considered: 100,
  };
  return { issue, values };
}

test('the weight of a model does not depend on the confidence of the initial ranking', () => {
  const next = uniform();
  const toys = Array.from({ length: 400 }, (_, number) => toy(number, next));
  const read = Object.fromEntries(toys.map(({ issue, values }) => [issue.instance, values]));
  const deviation = computeDeviation(Object.values(read));
  assert.ok(Math.abs(deviation - 0.49) < 0.03, `deviation ${deviation}, seed ${SEED}`);
  const issues = toys.map(({ issue }) => addModelColumn(issue, 'coret', read, deviation));
  const [sure, modest] = [10, 0.1].map((weight) => {
    const [first, added] = addModelWeights(issues, Float64Array.of(weight, 0), 1);
    assert.equal(first, weight);
    return added! / weight / deviation;
  });
  for (const ratio of [sure!, modest!]) {
    assert.ok(Math.abs(ratio - 2) < 0.4, `read weighs ${ratio} times the title, seed ${SEED}`);
  }
});

test('a model has a column like any signal', () => {
  const { issue } = toy(1, uniform());
  const values = issue.values[0]!.map((_, i) => (i % 2 ? 0.3 : 0.1));
  const made = addModelColumn(issue, 'coret', { 'issue-1': [...values, 0.9] }, 0.1);
  assert.deepEqual(made.names, ['title', 'coret']);
  assert.deepEqual([...made.values[1]!], [...values]);
  assert.ok(made.columns[1]!.every((value, i) => Math.abs(value - (i % 2 ? 1 : -1)) < 1e-9));
  assert.throws(() => addModelColumn(issue, 'coret', {}, 0.1), /what was read of issue-1/);
});

test('a partly reranked list has a new order only in that part, by the given value', () => {
  const list = (order: string[], rows: [string, number, number][]): MeasuredList => ({
    system: '',
    ranks: { chunk: [], class: [], file: [] },
    read: rows.length,
    milliseconds: { search: 0, reading: 0 },
    confidence: null,
    order,
    rows: rows.map(([address, score, value], i) => ({
      rank: i + 1,
      address,
      edited: false,
      read: true,
      score,
      evidence: { coret: { value, contribution: value, sentence: null } },
    })),
  });
  const lists = {
    first: list(['a', 'b', 'c', 'd', 'e'], []),
    reranked: list(
      ['d', 'c', 'b', 'a', 'e'],
      [
        ['d', 4, 0.1],
        ['c', 3, 0.2],
        ['b', 2, 0.3],
        ['a', 1, 0.4],
      ],
    ),
  };
  assert.deepEqual(orderPartlyReranked(lists, 0), lists.first.order);
  assert.deepEqual(orderPartlyReranked(lists, 3), ['c', 'b', 'a', 'd', 'e']);
  assert.deepEqual(orderPartlyReranked(lists, 50), lists.reranked.order);
  assert.deepEqual(
    orderPartlyReranked(lists, 50, ({ evidence }) => evidence.coret!.value),
    ['a', 'b', 'c', 'd', 'e'],
  );
});

test('an address determines which class and file count as found', () => {
  const { path, qualifiedName } = parseIdentity('a/b.py::Cart.total#2');
  assert.deepEqual([path, qualifiedName], ['a/b.py', 'Cart.total']);
});
