import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type ForestFile, forestFile, forestOf, scoresBy } from '../../src/engine/search/forest.ts';
import { checkRanker } from '../../src/engine/search/rank.ts';
import { search } from '../../src/engine/search/search.ts';
import { partsOf } from '../../src/engine/search/shapley.ts';
import { SIGNALS } from '../../src/engine/search/signals/index.ts';
import { rounds, SEED, uniform } from '../support/effort.ts';
import { MemoryIndex, queryVectors, unit } from './support.ts';

type Tree = ForestFile['trees'][number];

const FEATURES: ForestFile['features'] = ['bm25', 'length', 'title', 'file'].map((signal) => ({
  signal,
  as: 'measured',
}));

/** bm25 ≤ 2 ? (length ≤ 5 ? -1 : 1) : 3, of 8 rows 4, 2 and 2. */
const SMALL: Tree = {
  asks: [0, 1, -1, -1, -1],
  numbers: [2, 5, -1, 1, 3],
  rows: [8, 6, 4, 2, 2],
};
const MEAN = (4 * -1 + 2 * 1 + 2 * 3) / 8;

const rankerWith = (forest: unknown, more = {}) => ({
  id: 'grown',
  version: '1',
  kind: 'trees',
  origin: 'by hand',
  weights: { bm25: 1 },
  forest,
  ...more,
});

function columnsOf(...rows: number[][]): Float64Array[] {
  return FEATURES.map((_, f) => Float64Array.from(rows, (row) => row[f] ?? 0));
}

test('a tree adds what its leaf says, measured from the mean', () => {
  const forest = forestOf({ features: FEATURES, trees: [SMALL] });
  const scores = scoresBy(forest, columnsOf([2, 5], [2, 6], [2.1, 5]));
  assert.deepEqual(
    [...scores],
    [-1, 1, 3].map((leaf) => leaf - MEAN),
  );
});

test('what is missing goes both ways and adds nothing', () => {
  const forest = forestOf({ features: FEATURES, trees: [SMALL] });
  const [known, neither] = [
    [Number.NaN, 5],
    [Number.NaN, Number.NaN],
  ];
  const scores = scoresBy(forest, columnsOf(known, neither));
  assert.deepEqual([...scores], [(6 * -1 + 2 * 3) / 8 - MEAN, 0]);
  const parts = partsOf(forest, (f) => known[f]!);
  assert.deepEqual([...parts], [0, scores[0], 0, 0]);
});

test('parts are Shapley values, and add up to what the trees add', () => {
  const next = uniform();
  for (let round = 0; round < rounds(60); round++) {
    const trees = Array.from({ length: 3 }, () => grown(next, 6));
    const forest = forestOf(forestFile.parse({ features: FEATURES, trees }));
    const row = FEATURES.map(() => (next() < 0.1 ? Number.NaN : Math.floor(next() * 5)));
    const parts = partsOf(forest, (f) => row[f]!);
    for (const [f, part] of parts.entries()) {
      assert.ok(
        Math.abs(part - shapley(trees, row, f)) < 1e-12,
        `round ${round} of seed ${SEED}, feature ${f}`,
      );
    }
    const [score] = scoresBy(forest, columnsOf(row));
    assert.ok(Math.abs(parts.reduce((sum, part) => sum + part, 0) - score!) < 1e-12);
  }
});

test('evidence has the parts of the trees, and of marks, and adds up to the score', () => {
  const files = {
    'shop/cart.py': [
      { name: 'total', text: 'def total(): cart sum', vector: [1, 0, 0] },
      { name: 'other', text: 'def other(): sum of a longer text', vector: [0, 1, 0] },
      { name: 'third', text: 'def third(): cart', vector: [1, 1, 0] },
    ],
  };
  const features = [...FEATURES, { signal: 'bm25', as: 'standardised' }];
  const trees = [SMALL, { asks: [4, -1, -1], numbers: [0, -0.5, 0.5], rows: [3, 1, 2] }];
  const ranker = checkRanker(
    rankerWith({ features, trees }, { weights: { bm25: 0.5, likeMarked: 1 } }),
    SIGNALS,
  );
  const vectors = queryVectors(unit([1, 0, 0]));
  const feedback = { edit: ['shop/cart.py::third'] };
  for (const request of [{ issue: 'cart sum' }, { issue: 'cart sum', feedback }]) {
    const { results } = search(new MemoryIndex(files), vectors, request, { ranker });
    for (const { evidence, score } of results) {
      const sum = Object.values(evidence).reduce((all, { contribution }) => all + contribution, 0);
      assert.ok(Math.abs(sum - score) < 1e-9);
    }
    const total = results.find(({ name }) => name === 'total')!;
    assert.ok(total.evidence.length!.contribution !== 0, 'only trees weigh the length');
    assert.equal('likeMarked' in total.evidence, 'feedback' in request);
  }
});

test('a ranker whose trees are none is refused, with what is wrong', () => {
  const refused = (changes: object, message: RegExp) =>
    assert.throws(
      () => checkRanker(rankerWith({ features: FEATURES, trees: [SMALL], ...changes }), SIGNALS),
      { name: 'LocusError', code: 'bad-model', message },
    );
  const tree = (changes: Partial<Tree>) => ({ trees: [SMALL, { ...SMALL, ...changes }] });
  refused({ trees: [] }, /grown has no sound trees: trees /);
  refused({ features: [{ signal: 'taste', as: 'measured' }, ...FEATURES] }, /unknown.*: taste/);
  refused({ features: [{ signal: 'bm25', as: 'felt' }] }, /features.0.as/);
  refused(tree({ rows: [8, 6] }), /trees.1 has arrays of different lengths/);
  refused(tree({ rows: [8, 6, 4, 0, 2] }), /trees.1.rows.3/);
  refused(tree({ numbers: [2, 5, Number.NaN, 1, 3] }), /trees.1.numbers.2/);
  refused(tree({ asks: [0, 4, -1, -1, -1] }), /trees.1 asks for a feature that is not listed/);
  refused(tree({ asks: [0, 1, -1, -1, 2] }), /trees.1 lacks leaves/);
  refused(tree({ asks: [0, -1, -1, -1, -1] }), /trees.1 goes on after its last leaf/);
  assert.throws(() => checkRanker(rankerWith(undefined), SIGNALS), /no sound trees/);
});

/** A tree that asks at random, with thresholds among 0 to 4. */
function grown(next: () => number, leaves: number): Tree {
  if (leaves === 1) {
    return { asks: [-1], numbers: [next() * 2 - 1], rows: [1 + Math.floor(next() * 20)] };
  }
  const ofLeft = 1 + Math.floor(next() * (leaves - 1));
  const [left, right] = [grown(next, ofLeft), grown(next, leaves - ofLeft)];
  return {
    asks: [Math.floor(next() * FEATURES.length), ...left.asks, ...right.asks],
    numbers: [Math.floor(next() * 5), ...left.numbers, ...right.numbers],
    rows: [left.rows[0]! + right.rows[0]!, ...left.rows, ...right.rows],
  };
}

/** By the definition: what a feature adds to each set of the others that is known, weighted by how often it comes then. */
function shapley(trees: readonly Tree[], row: readonly number[], own: number): number {
  const others = FEATURES.keys()
    .filter((f) => f !== own)
    .toArray();
  let sum = 0;
  for (let set = 0; set < 1 << others.length; set++) {
    const known = others.filter((_, bit) => set & (1 << bit));
    const n = FEATURES.length;
    const weight = (factorial(known.length) * factorial(n - 1 - known.length)) / factorial(n);
    for (const tree of trees) {
      sum += weight * (expected(tree, row, [...known, own]) - expected(tree, row, known));
    }
  }
  return sum;
}

function expected({ asks, numbers, rows }: Tree, row: readonly number[], known: number[]): number {
  let node = 0;
  return visit();

  /** What the next node is worth; goes on to behind it. */
  function visit(): number {
    const own = node++;
    const asked = asks[own]!;
    if (asked < 0) return numbers[own]!;
    const leftRows = rows[node]!;
    const [left, right] = [visit(), visit()];
    const value = row[asked]!;
    if (known.includes(asked) && !Number.isNaN(value)) return value <= numbers[own]! ? left : right;
    const share = leftRows / rows[own]!;
    return share * left + (1 - share) * right;
  }
}

function factorial(n: number): number {
  return n < 2 ? 1 : n * factorial(n - 1);
}
