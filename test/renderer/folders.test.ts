import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  buildTreeRows,
  createIsOpen,
  listAncestors,
  sortLikeTree,
} from '../../src/renderer/features/results/folders.ts';
import { ranking } from './support.ts';

const RESULTS = ranking(
  'src/shop/cart.py::Cart.total',
  'tests/test_cart.py::test_total',
  'src/shop/money/round.py::rounded',
  'src/shop/cart.py::Cart',
  'setup.py::<module>',
);
const ROWS = RESULTS.map((chunk) => ({ key: chunk.address, chunk }));

/** Writes rows as `rank name count`, indented by level; collapsed ones have a +. */
const drawn = (isOpen: (key: string) => boolean) =>
  buildTreeRows(ROWS, isOpen).map(
    ({ best, name, count, level, open }) =>
      `${'  '.repeat(level - 1)}${best} ${name}${open === null ? '' : ` ${count}`}${open === false ? ' +' : ''}`,
  );

describe('the tree of results', () => {
  it('has folders and files in the order of their best results, with best rank and count', () => {
    assert.deepEqual(
      drawn(() => true),
      [
        '1 src/shop/ 3',
        '  1 cart.py 2',
        '    1 Cart.total',
        '    4 Cart',
        '  3 money/ 1',
        '    3 round.py 1',
        '      3 rounded',
        '2 tests/ 1',
        '  2 test_cart.py 1',
        '    2 test_total',
        '5 setup.py 1',
        '  5 <module>',
      ],
    );
  });

  it('is expanded down to the first result, and where the user expanded it', () => {
    const first = RESULTS[0]?.path;
    assert.deepEqual(drawn(createIsOpen(new Map(), first)), [
      '1 src/shop/ 3',
      '  1 cart.py 2',
      '    1 Cart.total',
      '    4 Cart',
      '  3 money/ 1 +',
      '2 tests/ 1 +',
      '5 setup.py 1 +',
    ]);
    const folds = new Map([
      ['src/shop/', false],
      ['tests/', true],
    ]);
    assert.deepEqual(drawn(createIsOpen(folds, first)), [
      '1 src/shop/ 3 +',
      '2 tests/ 1',
      '  2 test_cart.py 1 +',
      '5 setup.py 1 +',
    ]);
  });

  it('numbers rows among their siblings', () => {
    const places = buildTreeRows(ROWS, () => true).map(
      ({ at, of, parent }) => `${at}/${of} ${parent}`,
    );
    assert.deepEqual(places.slice(0, 5), [
      '1/3 null',
      '1/2 src/shop/',
      '1/2 src/shop/cart.py',
      '2/2 src/shop/cart.py',
      '2/2 src/shop/',
    ]);
  });

  it('orders all results, and lists the ancestors of each', () => {
    assert.deepEqual(
      sortLikeTree(RESULTS).map(({ rank }) => rank),
      [1, 4, 3, 2, 5],
    );
    assert.deepEqual(listAncestors('src/shop/cart.py'), ['src/', 'src/shop/', 'src/shop/cart.py']);
    assert.deepEqual(
      buildTreeRows([], () => true),
      [],
    );
  });
});
