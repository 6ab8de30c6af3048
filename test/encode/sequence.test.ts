import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { createEncoder } from '../../src/engine/encode/encoder.ts';
import { createInputs } from '../../src/engine/encode/inputs.ts';
import { loadManifest } from '../../src/engine/encode/manifest.ts';
import type { EncoderDocument } from '../../src/engine/encode/types.ts';
import { queryOf } from '../../src/engine/issue/queries.ts';
import { folderWith } from './model-folder.ts';
import { onnxModel } from './onnx.ts';

const VOCABULARY = [
  '[PAD]',
  '[UNK]',
  '[C]',
  '[DOWN]',
  '[Q]',
  'a',
  'b',
  '##b',
  'def',
  'py',
  '.',
  ':',
];
const id = (token: string) => VOCABULARY.indexOf(token);
const ids = (tokens: string) => tokens.split(' ').map(id);

const tokenizer = {
  version: '1.0',
  truncation: null,
  padding: null,
  added_tokens: VOCABULARY.slice(0, 5).map((content, id) => ({
    id,
    content,
    single_word: false,
    lstrip: false,
    rstrip: false,
    normalized: false,
    special: true,
  })),
  normalizer: { type: 'Lowercase' },
  pre_tokenizer: { type: 'BertPreTokenizer' },
  post_processor: null,
  decoder: null,
  model: {
    type: 'WordPiece',
    unk_token: '[UNK]',
    continuing_subword_prefix: '##',
    max_input_chars_per_word: 100,
    vocab: Object.fromEntries(VOCABULARY.map((token, id) => [token, id])),
  },
};

const manifest = {
  id: 'tiny-sequence',
  version: '1',
  kind: 'sequence',
  dimensions: 3,
  tokenizer: { type: 'huggingface', file: 'tokenizer.json' },
  special: { chunk: id('[C]'), down: id('[DOWN]'), query: id('[Q]'), unknown: id('[UNK]') },
  maxTokens: 16,
  maxQueryTokens: 4,
  maxCallees: 2,
  maxCalleeTokens: 5,
  files: { cpu: 'model.onnx' },
};

// The embedding is the normalised sum of a vector for each token and one for each token's type,
// wherever the attention mask is 1: enough to tell whether ids, types and padding are right.
const tokenVectors = Float32Array.from(
  VOCABULARY.flatMap((_, i) => [Math.sin(i), Math.cos(i), 1 / (i + 1)]),
);
const typeVectors = Float32Array.of(0.1, 0, 0, 0, 0.3, 0);

const model = onnxModel({
  inputs: ['input_ids', 'attention_mask', 'token_type_ids'],
  output: 'embedding',
  dimensions: 3,
  constants: [
    { name: 'tokens', dims: [VOCABULARY.length, 3], data: tokenVectors },
    { name: 'types', dims: [2, 3], data: typeVectors },
    { name: 'one', dims: [1], data: BigInt64Array.of(1n) },
  ],
  nodes: [
    { op: 'Gather', inputs: ['tokens', 'input_ids'], output: 'byToken' },
    { op: 'Gather', inputs: ['types', 'token_type_ids'], output: 'byType' },
    { op: 'Add', inputs: ['byToken', 'byType'], output: 'each' },
    {
      op: 'Cast',
      inputs: ['attention_mask'],
      output: 'mask',
      attributes: [{ name: 'to', int: 1 }],
    },
    { op: 'Unsqueeze', inputs: ['mask', 'one'], output: 'row' },
    { op: 'MatMul', inputs: ['row', 'each'], output: 'sums' },
    { op: 'Squeeze', inputs: ['sums', 'one'], output: 'sum' },
    {
      op: 'LpNormalization',
      inputs: ['sum'],
      output: 'embedding',
      attributes: [{ name: 'p', int: 2 }],
    },
  ],
});

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

const modelFolder = (t: TestContext) =>
  folderWith(t, { 'model.json': manifest, 'tokenizer.json': tokenizer, 'model.onnx': model });

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
  const row = inputs.document(long);
  assert.deepEqual([...row.inputIds], LONG_IDS);
  assert.deepEqual([...row.tokenTypeIds], LONG_TYPES);
  assert.equal(row.tokenWeights, null);
});

test('an issue is cut to its own limit; unknown words are told as such', async (t) => {
  const folder = await modelFolder(t);
  const inputs = await createInputs(folder, await loadManifest(folder));
  assert.deepEqual([...inputs.query(queryOf('A zebra b b')).inputIds], ids('[Q] a [UNK] b'));
});

test('an explanation counts the tokens of each part and those cut off', async (t) => {
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
  assertClose(await encoder.encodeQuery(queryOf('a')), expected(ids('[Q] a'), [0, 0]));
});

test('auto chooses a device that works, and says why not another', async (t) => {
  const encoder = await createEncoder({ modelFolder: await modelFolder(t) });
  t.after(() => encoder.close());
  assertClose(await encoder.encodeQuery(queryOf('a')), expected(ids('[Q] a'), [0, 0]));
  if (encoder.device === 'cpu') assert.match(encoder.fallback!, /does not work here|not faster/);
  else assert.equal(encoder.fallback, null);
});

test('a tokenizer file that is none is named', async (t) => {
  const modelFolder = await folderWith(t, {
    'model.json': manifest,
    'tokenizer.json': '[]',
    'model.onnx': model,
  });
  await assert.rejects(createEncoder({ modelFolder }), /tokenizer\.json is not a tokenizer/);
});
