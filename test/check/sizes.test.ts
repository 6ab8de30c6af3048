import assert from 'node:assert/strict';
import { test } from 'node:test';
import { chooseSizes } from '../../src/services/check/sizes.ts';

const DEFAULTS = { candidates: 20, characters: 300, context: 8_000 };

test('sizes are those of the settings where they fit', () => {
  const { issue, lengths } = chooseSizes(1_000, 100, DEFAULTS);
  assert.equal(issue, 1_000);
  assert.deepEqual(lengths, [...Array(5).fill(600), ...Array(15).fill(300)]);
  assert.equal(chooseSizes(1_000, 7, DEFAULTS).lengths.length, 7);
});

test('a small context shortens the issue and the code, then leaves out candidates', () => {
  const small = chooseSizes(20_000, 100, { ...DEFAULTS, context: 4_000 });
  assert.ok(small.issue < 4_000);
  assert.equal(small.lengths.length, 20);
  assert.ok((small.lengths.at(-1) ?? 0) < 300);
  const tiny = chooseSizes(20_000, 100, { ...DEFAULTS, context: 2_000 });
  assert.ok(tiny.lengths.length < 20);
  assert.ok(tiny.lengths.length > 1);
});

test('a large context sends no more than the settings say', () => {
  assert.deepEqual(
    chooseSizes(1_000, 100, { ...DEFAULTS, context: 1_000_000 }),
    chooseSizes(1_000, 100, DEFAULTS),
  );
});
