/** A model from somebody else reads no other files, has bounded time and memory, and is named when it is refused. */
import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cpSync, mkdirSync, rmSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, type TestContext, test } from 'node:test';
import '../../src/base/no-telemetry.ts';
import { createEncoder } from '../../src/engine/encode/encoder.ts';
import { loadManifest } from '../../src/engine/encode/manifest.ts';
import { createTextQuery } from '../../src/engine/issue/queries.ts';
import { BAG_1, bagManifest, folderWith } from '../encode/model-folder.ts';
import { bytes, message, number, onnxModel, text } from '../encode/onnx.ts';
import { SEQUENCE_MODEL, tokenVectors } from '../encode/sequence-model.ts';
import { removeFolder, temporaryFolder } from '../support/repository.ts';

type Files = Record<string, string | Uint8Array | object>;

/** Loads a model and embeds an issue with it. */
async function embed(
  t: TestContext,
  files: Files,
  { issue = 'def a', ...options }: { issue?: string; maxStepSeconds?: number } = {},
) {
  const modelFolder = await folderWith(t, files);
  const encoder = await createEncoder({ modelFolder, device: 'cpu', ...options });
  try {
    return await encoder.encodeQuery(createTextQuery(issue));
  } finally {
    await encoder.close();
  }
}

const badModel = (message: RegExp) => ({ code: 'bad-model', message, remedy: /\.$/ });

const withModel = (model: Uint8Array, changes: object = {}): Files => ({
  ...SEQUENCE_MODEL,
  'model.onnx': model,
  'model.json': { ...SEQUENCE_MODEL['model.json'], ...changes },
});

const TOKENS = tokenVectors.length / 3;
const FLOAT = 1;
const ONE = { name: 'one', dims: [1], data: BigInt64Array.of(1n) };
const GATHER = { op: 'Gather', inputs: ['tokens', 'input_ids'], output: 'each' };
const SUM = { op: 'ReduceSum', inputs: ['each', 'one'], output: 'sum' };
const NORMALIZE = {
  op: 'LpNormalization',
  inputs: ['sum'],
  output: 'embedding',
  attributes: [{ name: 'p', int: 2 }],
};
const TOKEN_VECTORS = { name: 'tokens', dims: [TOKENS, 3], data: tokenVectors };

/** Makes a model that sums the vectors of an issue's tokens, with additional nodes. */
function sumModel(tokens: Uint8Array | typeof TOKEN_VECTORS, nodes: object[] = []): Uint8Array {
  return onnxModel({
    inputs: ['input_ids', 'attention_mask', 'token_type_ids'],
    output: 'embedding',
    dimensions: 3,
    constants: [tokens, ONE],
    nodes: [
      ...(nodes as (typeof GATHER)[]),
      GATHER,
      { ...SUM, attributes: [{ name: 'keepdims', int: 0 }] },
      NORMALIZE,
    ],
  });
}

/** Returns the vectors as a tensor with external data. */
const external = (...entries: [string, string][]) =>
  bytes(
    number(1, TOKENS),
    number(1, 3),
    number(2, FLOAT),
    text(8, 'tokens'),
    ...entries.map(([key, value]) => message(13, bytes(text(1, key), text(2, value)))),
    number(14, 1),
  );

test('a valid model from somebody else works', async (t) => {
  const vector = await embed(t, withModel(sumModel(TOKEN_VECTORS)));
  assert.ok(Math.abs(Math.hypot(...vector) - 1) < 1e-4);
});

describe('a file that a model names', () => {
  const numbers = Buffer.from(tokenVectors.buffer);
  for (const [what, location] of [
    ['beside it', 'weights.bin'],
    ['above it', '../../etc/passwd'],
    ['by an absolute path', '/etc/passwd'],
    ['at an address in memory', '*/_ORT_MEM_ADDR_/*'],
  ] as const)
    test(`${what} is not read`, async (t) => {
      const model = sumModel(external(['location', location], ['length', String(numbers.length)]));
      const files = { ...withModel(model), 'weights.bin': numbers };
      const refused = badModel(/model\.onnx cannot be used: it reads the file /);
      await assert.rejects(embed(t, files), refused);
    });
  test('is not read if it is hidden in an attribute or behind a second name', async (t) => {
    const hidden = { op: 'Constant', inputs: [], output: 'other' };
    const tensor = external(['location', 'weights.bin']);
    const attributes = [{ name: 'value', content: bytes(message(5, tensor), number(20, 4)) }];
    const inAttribute = sumModel(TOKEN_VECTORS, [{ ...hidden, attributes }]);
    const twice = sumModel(external(['location', 'made'], ['location', 'weights.bin']));
    for (const model of [inAttribute, twice])
      await assert.rejects(embed(t, withModel(model)), badModel(/it reads the file /));
    const nameless = sumModel(external(['offset', '0']));
    await assert.rejects(embed(t, withModel(nameless)), badModel(/a file without a name/));
  });
  test('is read by ONNX Runtime itself (control)', async (t) => {
    const { InferenceSession } = await import('../../src/engine/encode/onnxruntime.ts');
    const model = sumModel(external(['location', 'weights.bin']));
    const folder = await folderWith(t, { 'model.onnx': model, 'weights.bin': numbers });
    const session = await InferenceSession.create(join(folder, 'model.onnx'));
    await session.release();
  });
});

test('a model cannot read beyond the end of the inputs from Locus', async (t) => {
  const made = { rows: 2, value: 3 };
  const tensor = bytes(
    number(1, 1000),
    number(1, 32),
    number(2, 3),
    text(8, 'made'),
    ...[
      ['location', 'made'],
      ['offset', '1099511627776'],
      ['length', '32000'],
    ].map(([key, value]) => message(13, bytes(text(1, key!), text(2, value!)))),
    number(14, 1),
  );
  const model = onnxModel({
    inputs: ['input_ids', 'token_type_ids'],
    output: 'embedding',
    dimensions: 32,
    constants: [tensor],
    nodes: [{ op: 'Gather', inputs: ['made', 'input_ids'], output: 'embedding' }],
  });
  const files = {
    'model.json': bagManifest({ made, dimensions: 32 }),
    'vocab.txt': 'a\n',
    'model.onnx': model,
  };
  await assert.rejects(embed(t, files), badModel(/model\.onnx cannot be loaded/));
});

const SOURCES = join(import.meta.dirname, '../../src');
const STOPPED = badModel(/was stopped because one step took more than 1 s\./);
/** Word for which a pattern of nested repetitions takes practically forever. */
const LONG_WORD = `${'a'.repeat(100)} ?`;

/** Makes a model that multiplies many large matrices. */
function arithmeticModel(): Uint8Array {
  const products = Array.from({ length: 200 }, (_, i) => ({
    op: 'MatMul',
    inputs: [i === 0 ? 'large' : `large${i - 1}`, 'large'],
    output: `large${i}`,
  }));
  const shape = { name: 'shape', dims: [2], data: BigInt64Array.of(4000n, 4000n) };
  return onnxModel({
    inputs: ['input_ids', 'attention_mask', 'token_type_ids'],
    output: 'embedding',
    dimensions: 3,
    constants: [shape, TOKEN_VECTORS, ONE],
    nodes: [
      { op: 'ConstantOfShape', inputs: ['shape'], output: 'large' },
      ...products,
      { op: 'ReduceSum', inputs: ['large199'], output: 'all' },
      GATHER,
      { ...SUM, attributes: [{ name: 'keepdims', int: 0 }] },
      { op: 'Add', inputs: ['sum', 'all'], output: 'embedding' },
    ],
  });
}

describe('a model that would run endlessly', () => {
  test('is refused if it has a loop', async (t) => {
    const body = message(6, bytes(text(2, 'body')));
    const loop = { op: 'Loop', inputs: ['one', ''], output: 'x' };
    const attributes = [{ name: 'body', content: bytes(body, number(20, 5)) }];
    const model = sumModel(TOKEN_VECTORS, [{ ...loop, attributes }]);
    await assert.rejects(embed(t, withModel(model)), badModel(/it has loops or branches/));
  });
  test('is refused if it defines functions or has another format', async (t) => {
    const model = sumModel(TOKEN_VECTORS);
    const functions = bytes(model, message(25, text(1, 'f')));
    await assert.rejects(embed(t, withModel(functions)), badModel(/functions of its own/));
    const format = bytes(Uint8Array.of(8, 0, 0, 0), Buffer.from('ORTM'), model);
    await assert.rejects(embed(t, withModel(format)), badModel(/format of ONNX Runtime/));
  });
  test('is stopped in the pattern of its words', async (t) => {
    const slow = { ...bagManifest().tokenizer, pattern: '(\\w+\\w+)+!' };
    const files = {
      'model.json': bagManifest({ tokenizer: slow, dimensions: 3, maxQueryWords: 100 }),
      'vocab.txt': 'a\n',
      'model.onnx': sumModel(TOKEN_VECTORS),
    };
    await assert.rejects(embed(t, files, { issue: LONG_WORD, maxStepSeconds: 1 }), STOPPED);
  });
  test('is stopped in a pattern of its tokenizer', async (t) => {
    const tokenizer = {
      ...SEQUENCE_MODEL['tokenizer.json'],
      pre_tokenizer: {
        type: 'Split',
        pattern: { Regex: '(\\w+\\w+)+!' },
        behavior: 'Removed',
        invert: false,
      },
    };
    const files = { ...withModel(sumModel(TOKEN_VECTORS)), 'tokenizer.json': tokenizer };
    await assert.rejects(embed(t, files, { issue: LONG_WORD, maxStepSeconds: 1 }), STOPPED);
  });
  test('is stopped in long arithmetic, and the process ends', async (t) => {
    const modelFolder = await folderWith(t, withModel(arithmeticModel()));
    const script = `
      import '${SOURCES}/base/no-telemetry.ts';
      import { createEncoder } from '${SOURCES}/engine/encode/encoder.ts';
      const loading = createEncoder({ modelFolder: process.argv[2], device: 'cpu', maxStepSeconds: 2 });
      await loading.catch(({ code, message }) => console.log(code, message));`;
    writeFileSync(join(modelFolder, 'load.mjs'), script);
    const args = [join(modelFolder, 'load.mjs'), modelFolder];
    const child = spawnSync(process.execPath, args, { encoding: 'utf8', timeout: 60_000 });
    assert.match(
      child.stdout,
      /^bad-model The model in .* was stopped because one step took more than 2 s\./,
    );
    assert.notEqual(child.signal, 'SIGTERM', 'it waited for the model');
  });
});

test('a model whose tensors take terabytes is refused', async (t) => {
  const shape = { name: 'shape', dims: [2], data: BigInt64Array.of(2n ** 22n, 2n ** 20n) };
  const model = onnxModel({
    inputs: ['input_ids', 'attention_mask', 'token_type_ids'],
    output: 'embedding',
    dimensions: 3,
    constants: [shape, TOKEN_VECTORS, ONE],
    nodes: [
      { op: 'ConstantOfShape', inputs: ['shape'], output: 'large' },
      GATHER,
      { ...SUM, attributes: [{ name: 'keepdims', int: 0 }] },
      { op: 'ReduceSum', inputs: ['large'], output: 'all' },
      { op: 'Add', inputs: ['sum', 'all'], output: 'embedding' },
    ],
  });
  const refused = {
    code: 'device',
    message: /There is not enough memory (to load |for the encoder)/,
  };
  await assert.rejects(embed(t, withModel(model)), refused);
  const dims = bytes(number(1, 2 ** 40), number(1, 3), number(2, FLOAT), text(8, 'tokens'));
  await assert.rejects(
    embed(t, withModel(sumModel(dims))),
    badModel(/model\.onnx cannot be loaded/),
  );
});

test('a lack of memory is reported, or does not matter', (t) => {
  const root = temporaryFolder();
  t.after(() => removeFolder(root));
  writeFileSync(join(root, 'shop.py'), 'def total(items):\n    return sum(items)\n');
  /** Runs a search with an address space of this many gigabytes. */
  const searchWith = (gigabytes: number) => {
    const dataDir = join(root, '.data', String(gigabytes));
    const locus = [process.execPath, join(SOURCES, 'cli/locus.ts')];
    const search = ['search', root, '--issue', 'total', '--data-dir', dataDir];
    // Each WebAssembly memory reserves about 10 GB of addresses.
    const limited = ['-c', `ulimit -v ${gigabytes}000000; exec "$@"`, 'sh', ...locus, ...search];
    const { stdout, stderr } = spawnSync('sh', limited, { encoding: 'utf8', timeout: 120_000 });
    const all = stdout + stderr;
    assert.doesNotMatch(all, /failed unexpectedly|defect/, `${gigabytes} GB`);
    if (/Fatal process out of memory|heap out of memory/.test(all)) return 'node';
    return /not enough memory|allow more memory/.test(all) ? 'memory' : 'works';
  };
  const outcomes = [12, 20, 30, 40].map(searchWith);
  // Where memory runs out depends on how many threads start at once.
  for (const gigabytes of [11, 18, 22, 24, 26, 28, 32, 35, 38])
    if (!outcomes.includes('memory')) outcomes.push(searchWith(gigabytes));
  assert.ok(outcomes.includes('memory'), outcomes.join());
});

test('a tokenizer with deeply nested JSON is refused', async (t) => {
  const files = withModel(sumModel(TOKEN_VECTORS));
  const deep = { ...files, 'tokenizer.json': `{"model": ${'['.repeat(100)}` };
  await assert.rejects(embed(t, deep), badModel(/nests more than 50 deep/));
});

describe('a manifest', () => {
  const files = { 'vocab.txt': 'a\n', 'model.onnx': 'x' };
  const { tokenizer } = bagManifest();
  for (const [what, changes] of [
    ['dimensions', { dimensions: 2 ** 31 }],
    ['prefixes', { prefixes: Array(100).fill(1) }],
    ['id', { id: 'bag\u001b[31m' }],
    ['id', { id: 'x'.repeat(1000) }],
    ['version', { version: '1\n2' }],
    ['output', { output: 'a\u202eb' }],
    ['license', { license: 'MIT\u0007' }],
    ['trainedOn', { trainedOn: 'x'.repeat(10_000) }],
    ['pattern', { tokenizer: { ...tokenizer, pattern: 'x'.repeat(10_000) } }],
    ['hashBuckets', { tokenizer: { ...tokenizer, hashBuckets: 2 ** 40 } }],
    ['maxWordsPerField', { tokenizer: { ...tokenizer, maxWordsPerField: 2 ** 40 } }],
    ['maxQueryWords', { maxQueryWords: 2 ** 40 }],
    ['rows', { made: { rows: 2 ** 40, value: 1 } }],
    ['lengthCount', { marks: { issue: 1, lengths: 1, lengthCount: 2 ** 30 } }],
  ] as const)
    test(`is refused if ${what} is out of bounds`, async (t) => {
      const folder = await folderWith(t, { ...files, 'model.json': bagManifest(changes) });
      await assert.rejects(loadManifest(folder), badModel(new RegExp(`${what}: `)));
    });
  test('with a million errors is refused with a few of them', async (t) => {
    const prefixes = Array(100_000).fill(0);
    const folder = await folderWith(t, { ...files, 'model.json': bagManifest({ prefixes }) });
    const isShort = ({ message }: Error) => message.length < 2_000;
    await assert.rejects(loadManifest(folder), isShort);
  });
});

describe('instead of a file of a model', () => {
  const kinds: Record<string, { put(path: string): unknown; message: RegExp }> = {
    'a pipe': { put: (path) => execFileSync('mkfifo', [path]), message: /is a pipe\./ },
    'a link': { put: (path) => symlinkSync('/dev/zero', path), message: /is a symbolic link\./ },
    'a folder': { put: (path) => mkdirSync(path), message: /is a folder\./ },
    'a file of terabytes': {
      put: (path) => {
        writeFileSync(path, '');
        truncateSync(path, 2 ** 40);
      },
      message: /is larger than /,
    },
  };
  const files = { ...withModel(sumModel(TOKEN_VECTORS)) };
  for (const [kind, { put, message }] of Object.entries(kinds))
    for (const name of Object.keys(files))
      test(`${kind} is refused (${name})`, async (t) => {
        const modelFolder = await folderWith(t, files);
        rmSync(join(modelFolder, name));
        put(join(modelFolder, name));
        const loading = createEncoder({ modelFolder, device: 'cpu' });
        await assert.rejects(loading, badModel(message));
      });
});

test('a file that differs from its digest is refused when the model is used', async (t) => {
  const model = sumModel(TOKEN_VECTORS);
  const tokenizer = JSON.stringify(SEQUENCE_MODEL['tokenizer.json']);
  const digest = (content: string | Uint8Array) =>
    createHash('sha256').update(content).digest('hex');
  const sha256 = { 'model.onnx': digest(model), 'tokenizer.json': digest(tokenizer) };
  const files = { ...withModel(model, { sha256 }), 'tokenizer.json': tokenizer };
  await embed(t, files);
  const other = { ...files, 'tokenizer.json': `${tokenizer}\n` };
  await assert.rejects(embed(t, other), badModel(/tokenizer\.json is damaged: its SHA-256/));
  const changed = { ...files, 'model.onnx': bytes(model, text(12, 'a comment')) };
  await assert.rejects(embed(t, changed), badModel(/model\.onnx is damaged: its SHA-256/));
  const bag = await folderWith(t, {});
  cpSync(BAG_1, bag, { recursive: true });
  truncateSync(join(bag, 'model.int8.onnx'), 20_000_000);
  const shipped = createEncoder({ modelFolder: bag });
  await assert.rejects(shipped, badModel(/model\.int8\.onnx is damaged/));
});
