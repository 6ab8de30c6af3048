/** A sequence model with three dimensions, small enough to be computed by hand. */
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
export const id = (token: string) => VOCABULARY.indexOf(token);

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

// The embedding is the normalized sum of a vector for each token and one for each token's type, where the attention mask
// is 1. That is enough to check ids, types and padding.
export const tokenVectors = Float32Array.from(
  VOCABULARY.flatMap((_, i) => [Math.sin(i), Math.cos(i), 1 / (i + 1)]),
);
export const typeVectors = Float32Array.of(0.1, 0, 0, 0, 0.3, 0);

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

/** Returns the files of the model, for `folderWith`. */
export const SEQUENCE_MODEL = {
  'model.json': manifest,
  'tokenizer.json': tokenizer,
  'model.onnx': model,
};
