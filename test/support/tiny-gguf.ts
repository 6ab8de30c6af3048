/** Writes a language model with random weights in the format GGUF: a llama with two layers and a vocabulary of bytes. */
import { writeFileSync } from 'node:fs';

const ALIGNMENT = 32;
const WIDTH = 64;
const HEADS = 4;
const LAYERS = 2;
const HIDDEN = 128;
const VERSION = 3;

/** Memory for each token of its context: a key and a value of two bytes a number, in each layer. */
export const TINY_TOKEN_BYTES = LAYERS * WIDTH * 2 * 2;

/** Numbers of the types of values, and of the kinds of tokens. */
const TYPES = { uint32: 4, int32: 5, float32: 6, text: 8, array: 9 } as const;
const TOKENS = { normal: 1, unknown: 2, control: 3, byte: 6 } as const;

type Scalar = Exclude<keyof typeof TYPES, 'array'>;
type Value =
  | { type: Scalar; value: string | number }
  | { items: Scalar; values: (string | number)[] };

export interface TinyModelOptions {
  /** Seed of the weights; each gives another model. */
  seed?: number;
  /** Tokens that the model was trained to read at once. */
  context?: number;
}

/** Writes the model. Its size is about 700 KB. */
export function writeTinyModel(path: string, options: TinyModelOptions = {}): void {
  writeFileSync(path, createTinyModel(options));
}

export function createTinyModel({ seed = 1, context = 8192 }: TinyModelOptions = {}): Buffer {
  const vocabulary = listTokens();
  const metadata = listMetadata(vocabulary, context);
  const tensors = listTensors(vocabulary.length);
  const random = createRandom(seed);
  const infos: Buffer[] = [];
  const data: Buffer[] = [];
  let offset = 0;
  for (const [name, shape] of tensors) {
    const count = shape.reduce((product, size) => product * size, 1);
    const isNorm = shape.length === 1;
    const weights = Float32Array.from({ length: count }, () => (isNorm ? 1 : random()));
    infos.push(
      packText(name),
      pack32(shape.length),
      ...shape.map((size) => pack64(size)),
      pack32(0),
      pack64(offset),
    );
    data.push(Buffer.from(weights.buffer));
    offset += weights.byteLength;
  }
  const head = Buffer.concat([
    Buffer.from('GGUF'),
    pack32(VERSION),
    pack64(tensors.length),
    pack64(metadata.length),
    ...metadata.flatMap(([name, value]) => [packText(name), packValue(value)]),
    ...infos,
  ]);
  return Buffer.concat([head, Buffer.alloc(-head.length & (ALIGNMENT - 1)), ...data]);
}

function listTokens(): { text: string; kind: keyof typeof TOKENS }[] {
  const bytes = Array.from({ length: 256 }, (_, byte) => {
    const hex = byte.toString(16).toUpperCase().padStart(2, '0');
    return { text: `<0x${hex}>`, kind: 'byte' as const };
  });
  const letters = Array.from({ length: 95 }, (_, at) => String.fromCharCode(32 + at));
  return [
    { text: '<unk>', kind: 'unknown' },
    { text: '<s>', kind: 'control' },
    { text: '</s>', kind: 'control' },
    ...bytes,
    // The format writes a space as this character.
    ...letters.map((text) => ({ text: text === ' ' ? '▁' : text, kind: 'normal' as const })),
  ];
}

function listMetadata(
  vocabulary: ReturnType<typeof listTokens>,
  context: number,
): [string, Value][] {
  const uint = (value: number): Value => ({ type: 'uint32', value });
  const text = (value: string): Value => ({ type: 'text', value });
  return [
    ['general.architecture', text('llama')],
    ['general.name', text('tiny')],
    ['llama.context_length', uint(context)],
    ['llama.embedding_length', uint(WIDTH)],
    ['llama.block_count', uint(LAYERS)],
    ['llama.feed_forward_length', uint(HIDDEN)],
    ['llama.attention.head_count', uint(HEADS)],
    ['llama.attention.head_count_kv', uint(HEADS)],
    ['llama.rope.dimension_count', uint(WIDTH / HEADS)],
    ['llama.attention.layer_norm_rms_epsilon', { type: 'float32', value: 1e-5 }],
    ['llama.vocab_size', uint(vocabulary.length)],
    ['general.file_type', uint(0)],
    ['tokenizer.ggml.model', text('llama')],
    ['tokenizer.ggml.tokens', { items: 'text', values: vocabulary.map(({ text }) => text) }],
    ['tokenizer.ggml.scores', { items: 'float32', values: vocabulary.map((_, at) => -at) }],
    [
      'tokenizer.ggml.token_type',
      { items: 'int32', values: vocabulary.map(({ kind }) => TOKENS[kind]) },
    ],
    ['tokenizer.ggml.unknown_token_id', uint(0)],
    ['tokenizer.ggml.bos_token_id', uint(1)],
    ['tokenizer.ggml.eos_token_id', uint(2)],
  ];
}

function listTensors(tokens: number): [name: string, shape: number[]][] {
  const layers = Array.from({ length: LAYERS }, (_, at): [string, number[]][] => [
    [`blk.${at}.attn_norm.weight`, [WIDTH]],
    ...['q', 'k', 'v', 'output'].map((part): [string, number[]] => [
      `blk.${at}.attn_${part}.weight`,
      [WIDTH, WIDTH],
    ]),
    [`blk.${at}.ffn_norm.weight`, [WIDTH]],
    [`blk.${at}.ffn_gate.weight`, [WIDTH, HIDDEN]],
    [`blk.${at}.ffn_up.weight`, [WIDTH, HIDDEN]],
    [`blk.${at}.ffn_down.weight`, [HIDDEN, WIDTH]],
  ]);
  return [
    ['token_embd.weight', [WIDTH, tokens]],
    ...layers.flat(),
    ['output_norm.weight', [WIDTH]],
    ['output.weight', [WIDTH, tokens]],
  ];
}

/** Returns numbers from -0.5 to 0.5 that depend on the seed alone. */
function createRandom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32 - 0.5;
  };
}

const packValue = (value: Value): Buffer =>
  'items' in value
    ? Buffer.concat([
        pack32(TYPES.array),
        pack32(TYPES[value.items]),
        pack64(value.values.length),
        ...value.values.map((item) => packScalar(value.items, item)),
      ])
    : Buffer.concat([pack32(TYPES[value.type]), packScalar(value.type, value.value)]);

function packScalar(type: Scalar, value: string | number): Buffer {
  if (type === 'text') return packText(String(value));
  const bytes = Buffer.alloc(4);
  if (type === 'float32') bytes.writeFloatLE(Number(value));
  else bytes.writeInt32LE(Number(value));
  return bytes;
}

function packText(text: string): Buffer {
  const bytes = Buffer.from(text);
  return Buffer.concat([pack64(bytes.length), bytes]);
}

function pack32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(value);
  return bytes;
}

function pack64(value: number): Buffer {
  const bytes = Buffer.alloc(8);
  bytes.writeBigUInt64LE(BigInt(value));
  return bytes;
}
