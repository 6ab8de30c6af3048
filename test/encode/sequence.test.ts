import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { createEncoder } from '../../src/engine/encode/encoder.ts';
import { createInputs } from '../../src/engine/encode/inputs.ts';
import { loadManifest } from '../../src/engine/encode/manifest.ts';
import type { EncoderDocument } from '../../src/engine/encode/types.ts';
import { createTextQuery } from '../../src/engine/issue/queries.ts';
import { folderWith } from './model-folder.ts';
import { id, SEQUENCE_MODEL, tokenVectors, typeVectors } from './sequence-model.ts';

const ids = (tokens: string) => tokens.split(' ').map(id);

function expected(tokens: number[], types: number[]): number[] {
  const sum = [0, 1, 2].map((d) =>
    tokens.reduce(
      (s, token, i) => s + tokenVectors[3 * token + d] + typeVectors[3 * types[i] + d],
      0,
    ),
  );
  return sum.map((value) => value / Math.hypot(...sum));
}

function assertClose(actual: Float32Array, wanted: number[]): void {
  assert.equal(actual.length, wanted.length);
  wanted.forEach((value, i) => {
    assert.ok(Math.abs(actual[i] - value) < 1e-5, `${[...actual]} is not ${wanted}`);
  });
}

const modelFolder = (t: TestContext) => folderWith(t, SEQUENCE_MODEL);

const long: EncoderDocument = {
  path: 'a.py',
  text: 'def ab: b b',
  signatureEnd: 7,
  doc: null,
  callees: [
    { path: 'b.py', text: 'def a: a a a' },
    { path: 'a', text: 'b' },
    { path: 'a', text: 'third' },
  ],
};
const short: EncoderDocument = { path: 'a', text: 'b', signatureEnd: 0, doc: null, callees: [] };
const LONG_IDS = ids('[C] a . py def a ##b : b b [DOWN] b . py def [DOWN]');
const LONG_TYPES = [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1];

test('a chunk is its path and text, then its callees as context, cut to the limits', async (t) => {
  const folder = await modelFolder(t);
  const inputs = await createInputs(folder, await loadManifest(folder));
  const row = inputs.buildDocument(long);
  assert.deepEqual([...row.inputIds], LONG_IDS);
  assert.deepEqual([...row.tokenTypeIds], LONG_TYPES);
  assert.equal(row.tokenWeights, null);
});

test('an issue is cut to its own limit, and unknown words have the id for unknown words', async (t) => {
  const folder = await modelFolder(t);
  const inputs = await createInputs(folder, await loadManifest(folder));
  assert.deepEqual(
    [...inputs.buildQuery(createTextQuery('A zebra b b')).inputIds],
    ids('[Q] a [UNK] b'),
  );
});

test('an explanation counts the tokens of each part and those that were cut', async (t) => {
  const folder = await modelFolder(t);
  const inputs = await createInputs(folder, await loadManifest(folder));
  assert.deepEqual(inputs.explain(long), [
    { role: 'path', text: 'a.py', tokens: 4, cut: 0, cutText: '' },
    { role: 'signature', text: 'def ab:', tokens: 4, cut: 0, cutText: '' },
    { role: 'body', text: ' b b', tokens: 2, cut: 0, cutText: '' },
    { role: 'callee', text: 'b.py\ndef ', tokens: 5, cut: 5, cutText: 'a: a a a' },
    { role: 'callee', text: '', tokens: 1, cut: 2, cutText: 'a\nb' },
  ]);
});

test('a sequence model runs end to end, and padding changes nothing', async (t) => {
  const encoder = await createEncoder({ modelFolder: await modelFolder(t), device: 'cpu' });
  t.after(() => encoder.close());
  const { keys, vectors } = await encoder.encode([long, short], (asked) => asked.map(() => false));
  assertClose(vectors.get(keys[0])!, expected(LONG_IDS, LONG_TYPES));
  assertClose(vectors.get(keys[1])!, expected(ids('[C] a b'), [0, 0, 0]));
  assertClose(await encoder.encodeQuery(createTextQuery('a')), expected(ids('[Q] a'), [0, 0]));
});

test('auto chooses a device that works, with the reason for not using another', async (t) => {
  const encoder = await createEncoder({ modelFolder: await modelFolder(t) });
  t.after(() => encoder.close());
  assertClose(await encoder.encodeQuery(createTextQuery('a')), expected(ids('[Q] a'), [0, 0]));
  if (encoder.device === 'cpu') assert.match(encoder.fallback!, /does not work here|not faster/);
  else assert.equal(encoder.fallback, null);
});

test('an invalid tokenizer file is reported', async (t) => {
  const modelFolder = await folderWith(t, { ...SEQUENCE_MODEL, 'tokenizer.json': '[]' });
  await assert.rejects(createEncoder({ modelFolder }), /tokenizer\.json is not a valid tokenizer/);
});
