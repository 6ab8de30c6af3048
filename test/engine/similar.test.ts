import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { findSimilarChunks } from '../../src/engine/inspect/similar.ts';
import { MemoryIndex } from '../search/support.ts';

const index = () =>
  new MemoryIndex({
    'a.py': [
      { name: 'one', vector: [1, 0, 0] },
      { name: 'far', vector: [0, 1, 0] },
      { name: 'Cart', kind: 'class', lines: [10, 20], vector: [1, 0.1, 0] },
      { name: 'Cart.total', kind: 'method', lines: [12, 14], vector: [1, 0.2, 0] },
      { name: 'unread' },
    ],
    'tests/test_a.py': [{ name: 'test_one', vector: [1, 0.05, 0] }],
  });

const slotOf = (all: MemoryIndex, name: string) =>
  all.chunks.findIndex((chunk) => chunk?.qualifiedName === name);
const like = (name: string, options = {}) => {
  const all = index();
  const { chunks, ...rest } = findSimilarChunks(all, slotOf(all, name), {
    limit: 20,
    sourceOnly: false,
    ...options,
  });
  return { names: chunks.map(({ qualifiedName }) => qualifiedName), chunks, ...rest };
};

describe('similar functions', () => {
  it('are the nearest, best first, with their similarities', () => {
    const { names, chunks, center, compared } = like('one');
    assert.deepEqual(names, ['test_one', 'Cart', 'Cart.total', 'far']);
    assert.equal(center.qualifiedName, 'one');
    assert.equal(compared, 4);
    assert.ok(Math.abs(chunks[0].similarity - 0.99875) < 1e-3);
    assert.ok(chunks.every(({ similarity }) => similarity <= 1));
  });

  it('leave out the class of a method, and the members of a class', () => {
    assert.deepEqual(like('Cart.total').names, ['test_one', 'one', 'far']);
    assert.deepEqual(like('Cart').names, ['test_one', 'one', 'far']);
  });

  it('respect the source filter and the limit', () => {
    assert.deepEqual(like('one', { sourceOnly: true, limit: 2 }).names, ['Cart', 'Cart.total']);
  });

  it('include the number of functions without an embedding', () => {
    assert.throws(() => like('unread'), { name: 'LocusError', code: 'busy' });
    assert.ok(like('one').pending > 0);
  });

  describe('with a base index', () => {
    const near = (at: number) => [1, at / 100, 0];
    const many = new MemoryIndex({
      'a.py': Array.from({ length: 300 }, (_, i) => ({ name: `f${i}`, vector: near(i + 200) })),
      'tests/test_a.py': Array.from({ length: 300 }, (_, i) => ({
        name: `test${i}`,
        vector: near(i),
      })),
    });
    const center = slotOf(many, 'f0');
    const ask = (options: object) =>
      findSimilarChunks(many, center, { limit: 10, sourceOnly: false, ...options });
    /** Finds the nearest, and records the requested numbers. */
    const indexOf = (rows: number, asked: number[]) => ({
      rows,
      candidates: (query: Float32Array, count: number) => {
        asked.push(count);
        return many.vectors.findNearest(query, count).slots.sort();
      },
    });

    it('equal those found by comparing all, with the same counts', () => {
      const asked: number[] = [];
      assert.deepEqual(ask({ nearest: indexOf(100_000, asked) }), ask({}));
      assert.deepEqual(asked, [80]);
    });

    it('request more if too few candidates pass the filter', () => {
      const asked: number[] = [];
      const options = { sourceOnly: true, limit: 20 };
      assert.deepEqual(ask({ ...options, nearest: indexOf(100_000, asked) }), ask(options));
      assert.deepEqual(asked, [160, 160 * 4]);
    });

    it('compare all if the index would have to find too many', () => {
      const asked: number[] = [];
      assert.deepEqual(ask({ nearest: indexOf(1_000, asked) }), ask({}));
      assert.deepEqual(asked, []);
    });
  });
});
