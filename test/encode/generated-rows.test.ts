import assert from 'node:assert/strict';
import { test } from 'node:test';
import { generateRows } from '../../src/engine/encode/generated-rows.ts';

test('generated rows are the same as in Python, and all different', () => {
  const dimensions = 512;
  const rows = generateRows(200, dimensions, 33);
  assert.equal(rows.length, 200 * dimensions);
  // 33 × made_rows(1, 512) of lab/encoder/runs.py.
  assert.deepEqual(Array.from(rows.slice(0, 12)), FIRST);
  const row = (i: number) => rows.subarray(i * dimensions, (i + 1) * dimensions);
  let largest = 0;
  for (let i = 0; i < 200; i++) {
    for (let j = 0; j < i; j++) {
      const cosine =
        row(i).reduce((sum, value, k) => sum + value * (row(j)[k] ?? 0), 0) /
        (33 * 33 * dimensions);
      largest = Math.max(largest, Math.abs(cosine));
    }
  }
  // Among 19,900 pairs, the largest normal deviate is about 4.3 times 1 / √512.
  assert.ok(largest > 0.1 && largest < 0.25, `${largest}`);
});

const FIRST = [-33, -33, -33, -33, -33, -33, 33, 33, -33, -33, -33, -33];
