/** Small models of other publishers' kinds, which can be computed by hand: the output of a token is its row of a table. */
import { onnxModel } from './onnx.ts';

export const SPECIAL = ['[PAD]', '[UNK]', '[CLS]', '[SEP]', '<think>'];
const WORDS = ['a', 'b', 'py', '.', ':', 'query', 'yes', 'no', '[', ']', '<', '>', 'sep', 'think'];
const VOCABULARY = [...SPECIAL, ...WORDS];
export const DIMENSIONS = 3;

export const idOf = (token: string): number => VOCABULARY.indexOf(token);
export const idsOf = (tokens: string): number[] => tokens.split(' ').map(idOf);

/** A tokenizer of words, which puts `[CLS]` and `[SEP]` around texts. */
export const TOKENIZER = {
  version: '1.0',
  truncation: null,
  padding: null,
  added_tokens: SPECIAL.map((content, id) => ({
    id,
    content,
    single_word: false,
    lstrip: false,
    rstrip: false,
    normalized: false,
    // As in tokenizers of Qwen, not all are marked as special.
    special: content !== '<think>',
  })),
  normalizer: { type: 'Lowercase' },
  pre_tokenizer: { type: 'BertPreTokenizer' },
  post_processor: {
    type: 'TemplateProcessing',
    single: [
      { SpecialToken: { id: '[CLS]', type_id: 0 } },
      { Sequence: { id: 'A', type_id: 0 } },
      { SpecialToken: { id: '[SEP]', type_id: 0 } },
    ],
    pair: [
      { SpecialToken: { id: '[CLS]', type_id: 0 } },
      { Sequence: { id: 'A', type_id: 0 } },
      { SpecialToken: { id: '[SEP]', type_id: 0 } },
      { Sequence: { id: 'B', type_id: 1 } },
      { SpecialToken: { id: '[SEP]', type_id: 1 } },
    ],
    special_tokens: Object.fromEntries(
      ['[CLS]', '[SEP]'].map((token) => [
        token,
        { id: token, ids: [VOCABULARY.indexOf(token)], tokens: [token] },
      ]),
    ),
  },
  decoder: null,
  model: {
    type: 'WordPiece',
    unk_token: '[UNK]',
    continuing_subword_prefix: '##',
    max_input_chars_per_word: 100,
    vocab: Object.fromEntries(VOCABULARY.map((token, id) => [token, id])),
  },
};

/** Returns a table with a row for each token. */
const makeTable = (width: number) =>
  Float32Array.from({ length: VOCABULARY.length * width }, (_, i) => Math.sin(i * i));

export const TABLE = makeTable(DIMENSIONS);
/** Logits of each word after each token. */
const LOGITS = makeTable(VOCABULARY.length);

/** Returns the score after a last token. */
export const scoreAfter = (token: string): number => {
  const row = LOGITS.subarray(idOf(token) * VOCABULARY.length);
  return (row[idOf('yes')] ?? 0) - (row[idOf('no')] ?? 0);
};

/** Writes a model whose output for a token is its row. */
const lookUp = (output: string, width: number, data: Float32Array<ArrayBuffer>) =>
  onnxModel({
    inputs: ['input_ids', 'attention_mask'],
    output,
    dimensions: width,
    byToken: true,
    constants: [{ name: 'table', dims: [VOCABULARY.length, width], data }],
    nodes: [{ op: 'Gather', inputs: ['table', 'input_ids'], output }],
  });

export const ENCODER = lookUp('last_hidden_state', DIMENSIONS, TABLE);
export const DECODER = lookUp('logits', VOCABULARY.length, LOGITS);

const COMMON = {
  version: '1',
  tokenizer: { type: 'huggingface', file: 'tokenizer.json' },
  files: { cpu: 'model.onnx' },
};

/** Files of an encoder, for `folderWith`. */
export const textModel = (changes: object = {}) => ({
  'model.json': {
    ...COMMON,
    id: 'tiny-text',
    kind: 'text',
    dimensions: DIMENSIONS,
    output: 'last_hidden_state',
    pooling: 'mean',
    templates: { chunk: '{path} {code}', issue: 'query: {issue}' },
    maxTokens: 8,
    maxQueryTokens: 6,
    ...changes,
  },
  'tokenizer.json': TOKENIZER,
  'model.onnx': ENCODER,
});

/** Files of a reranker that answers yes or no. */
export const pairModel = (changes: object = {}) => ({
  'model.json': {
    ...COMMON,
    tokenizer: { ...COMMON.tokenizer, addSpecial: false },
    id: 'tiny-pair',
    kind: 'pair',
    output: 'logits',
    prompt: '[CLS] query : {issue} [SEP] {code} <think> a',
    score: { yes: 'yes', no: 'no' },
    maxTokens: 12,
    maxQueryTokens: 3,
    ...changes,
  },
  'tokenizer.json': TOKENIZER,
  'model.onnx': DECODER,
});
