/** The engine's own bag model gives the same embeddings as onnxruntime. */
import assert from 'node:assert/strict';
import { copyFileSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import '../../src/base/no-telemetry.ts';
import { openBagSum } from '../../src/engine/encode/kinds/bag-sum.ts';
import { loadManifest } from '../../src/engine/encode/manifest.ts';
import { loadInRuntime } from '../../src/engine/encode/model.ts';
import { ModelFiles } from '../../src/engine/encode/model-files.ts';
import { createSumKernel } from '../../src/engine/encode/sum-kernel.ts';
import type { EncoderRow } from '../../src/engine/encode/types.ts';
import { uniform } from '../support/effort.ts';
import { removeFolder, temporaryFolder } from '../support/repository.ts';

const MODEL = join(import.meta.dirname, '../../models/bag-1');
const manifest = await loadManifest(MODEL);
assert.ok(manifest.kind === 'bag' && manifest.marks);
const { dimensions, made, marks } = manifest;
const TOKENS = marks.lengths + marks.lengthCount;

/** Returns a row with tokens of all kinds: words, buckets and marks, in every field, once or more often. */
function rowOf(length: number, random: () => number): EncoderRow {
  const below = (most: number) => Math.floor(random() * most);
  return {
    inputIds: Int32Array.from({ length }, () => (random() < 0.05 ? marks!.issue : below(TOKENS))),
    tokenTypeIds: Int32Array.from({ length }, () => below(8)),
    tokenWeights: Float32Array.from({ length }, () => Math.log1p(1 + below(30))),
  };
}

/** Returns the embeddings of onnxruntime. */
async function byRuntime(rows: readonly EncoderRow[]): Promise<Float32Array> {
  const model = await loadInRuntime(MODEL, manifest, 'cpu');
  const embeddings = await model.run(rows);
  await model.release();
  return embeddings;
}

test('a bag has the same embedding as in onnxruntime', async () => {
  const embed = await openBagSum(
    new ModelFiles(MODEL, manifest),
    'model.int8.onnx',
    dimensions,
    made,
  );
  assert.ok(embed);
  const random = uniform();
  const rows = Array.from({ length: 40 }, (_, i) => rowOf(1 + i * 7, random));
  const expected = await byRuntime(rows);
  const largest = embed(rows).reduce(
    (most, value, i) => Math.max(most, Math.abs(value - expected[i]!)),
    0,
  );
  assert.ok(largest < 1e-6, `${largest}`);
});

test('a bag without words is 0, and bags do not affect each other', async () => {
  const embed = await openBagSum(
    new ModelFiles(MODEL, manifest),
    'model.int8.onnx',
    dimensions,
    made,
  );
  const row = rowOf(20, uniform());
  const [alone, after] = [embed!([row]), embed!([rowOf(0, uniform()), rowOf(9, uniform(7)), row])];
  assert.ok(after.subarray(0, dimensions).every((value) => value === 0));
  assert.deepEqual(after.subarray(2 * dimensions), alone);
});

test('vectors of buckets that were generated earlier do not change a bag', async () => {
  const files = new ModelFiles(MODEL, manifest);
  const open = async () => (await openBagSum(files, 'model.int8.onnx', dimensions, made))!;
  const firstBucket = marks.issue - made!.rows;
  const rowFrom = (start: number): EncoderRow => ({
    inputIds: Int32Array.from(
      { length: 700 },
      (_, i) => firstBucket + ((start + i * 11) % made!.rows),
    ),
    tokenTypeIds: new Int32Array(700),
    tokenWeights: new Float32Array(700).fill(1),
  });
  const rows = Array.from({ length: 8 }, (_, i) => rowFrom((i % 4) * 1357));
  const used = await open();
  for (const row of rows) assert.deepEqual(used([row]), (await open())([row]));
});

test('a truncated file, or one with another graph, is left to onnxruntime', async (t) => {
  const folder = folderOf(t);
  const files = new ModelFiles(folder, { sha256: {} });
  const whole = readFileSync(join(MODEL, 'model.int8.onnx'));
  const opened = (bytes: Uint8Array) => {
    writeFileSync(join(folder, 'model.onnx'), bytes);
    return openBagSum(files, 'model.onnx', dimensions, made);
  };
  for (const length of [0, 1, 1000, whole.length - 1])
    assert.equal(await opened(whole.subarray(0, length)), null, `${length} bytes`);
  const other = Buffer.from(whole);
  other.write('Div', other.indexOf('Mul'));
  assert.equal(await opened(other), null);
  copyFileSync(join(MODEL, 'model.int8.onnx'), join(folder, 'model.onnx'));
  assert.equal(await openBagSum(files, 'model.onnx', dimensions, undefined), null);
  await assert.rejects(openBagSum(files, 'none.onnx', dimensions, made), {
    code: 'bad-model',
    message: /none\.onnx cannot be read: it is missing\./,
  });
});

test('the kernel adds weighted rows of small integers', () => {
  const { memory, add } = createSumKernel();
  const row = new Int8Array(memory.buffer, 64, 24);
  const sum = new Float32Array(memory.buffer, 128, 24);
  row.set(Int8Array.from({ length: 24 }, (_, i) => [-128, 127, 0, -1][i % 4]! + (i % 3)));
  const before = Float32Array.from(sum.fill(1));
  add(64, 64 + 24, 128, 0.5);
  add(64, 64 + 24, 128, -2);
  assert.deepEqual(
    sum,
    before.map((value, i) => value - 1.5 * row[i]!),
  );
});

function folderOf(t: TestContext): string {
  const folder = temporaryFolder('locus-sum-');
  t.after(() => removeFolder(folder));
  return folder;
}
