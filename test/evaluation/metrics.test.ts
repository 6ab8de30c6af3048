import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  type ChunkIdentity,
  computeRanks,
  METRICS,
  perfectRecall,
  recall,
  reciprocalRank,
} from '../../src/services/evaluation/metrics.ts';
import {
  computeBootstrapInterval,
  median,
  runRandomizationTest,
} from '../../src/services/evaluation/statistics.ts';

function place(address: string): ChunkIdentity {
  const [path, qualifiedName] = address.split('::');
  return { address, path, qualifiedName };
}

// The worked example of docs/explanation/evaluation.md.
const RANKING = [
  'shop/mail.py::send',
  'shop/cart.py::Cart.clear',
  'shop/cart.py::Cart.total',
  'shop/tax.py::rate',
  'shop/mail.py::receive',
  'shop/price.py::Price.net',
].map(place);

test('the worked example', () => {
  const edited = ['shop/cart.py::Cart.total', 'shop/price.py::Price.net'].map(place);
  const ranks = computeRanks(edited, RANKING);
  assert.deepEqual(ranks, { chunk: [3, 6], class: [2, 5], file: [2, 4] });
  const values = Object.fromEntries(METRICS.map(({ name, of }) => [name, of(ranks)]));
  assert.deepEqual(values, {
    'perfect recall@5': 0,
    'perfect recall@10': 1,
    'perfect recall@20': 1,
    'perfect recall@100': 1,
    'recall@5': 0.5,
    'recall@10': 1,
    'recall@20': 1,
    'recall@100': 1,
    MRR: 1 / 3,
    'function Acc@1': 0,
    'function Acc@5': 0,
    'function Acc@10': 1,
    'class Acc@1': 0,
    'class Acc@5': 1,
    'class Acc@10': 1,
    'file Acc@1': 0,
    'file Acc@3': 0,
    'file Acc@5': 1,
  });
});

test('an item that is not in the ranking is never found', () => {
  const ranks = computeRanks([place('shop/tax.py::rate'), place('shop/new.py::f')], RANKING);
  assert.deepEqual(ranks.chunk, [4, null]);
  assert.equal(perfectRecall(ranks.chunk, 100), 0);
  assert.equal(recall(ranks.chunk, 100), 0.5);
  assert.equal(reciprocalRank(ranks.chunk), 1 / 4);
  assert.equal(reciprocalRank([null]), 0);
});

test('two edited chunks of a file are one edited file', () => {
  const edited = ['shop/cart.py::Cart.clear', 'shop/cart.py::Cart.total'].map(place);
  assert.deepEqual(computeRanks(edited, RANKING), { chunk: [2, 3], class: [2], file: [2] });
});

test('the interval of a mean is about 1.96 standard errors to either side', () => {
  const values = Array.from({ length: 400 }, (_, i) => (i % 4 === 0 ? 1 : 0));
  const [low, high] = computeBootstrapInterval(values);
  const error = Math.sqrt((0.25 * 0.75) / 400);
  assert.ok(Math.abs(low - (0.25 - 1.96 * error)) < 0.005);
  assert.ok(Math.abs(high - (0.25 + 1.96 * error)) < 0.005);
  assert.deepEqual(computeBootstrapInterval(values), [low, high]);
});

test('the randomization test gives the exact p-value of few differences', () => {
  // Two of the 2^5 sign combinations of five equal differences are as extreme as all plus: p = 1/16.
  assert.ok(Math.abs(runRandomizationTest([1, 1, 1, 1, 1, 0, 0]) - 1 / 16) < 0.01);
  assert.equal(runRandomizationTest([0, 0, 0]), 1);
  assert.ok(runRandomizationTest([1, -1, 1, -1]) > 0.9);
});

test('the median of an even number of values is the mean of the middle two', () => {
  assert.equal(median([4, 1, 3, 2]), 2.5);
  assert.equal(median([3, 1, 2]), 2);
});
