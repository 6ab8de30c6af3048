import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { createInputs } from '../../src/engine/encode/inputs.ts';
import { loadManifest } from '../../src/engine/encode/manifest.ts';
import type { EncoderDocument, EncoderRow } from '../../src/engine/encode/types.ts';
import { fnv1a32, hashPair } from '../../src/engine/encode/words.ts';
import { createTextQuery } from '../../src/engine/issue/queries.ts';
import { bagManifest, folderWith } from './model-folder.ts';

const WORDS = ['def', 'read', 'lines', 'return', 'io', 'path', 'bug'];
const [DEF, READ, LINES, RETURN, IO, PATH, BUG] = WORDS.keys();

async function tinyInputs(t: TestContext, changes: object = {}) {
  const folder = await folderWith(t, {
    'model.json': bagManifest(changes),
    'vocab.txt': `${WORDS.join('\n')}\n`,
    'model.onnx': '',
  });
  return createInputs(folder, await loadManifest(folder));
}

/** Returns a row as (id, type, count) triples. */
function tokens(row: EncoderRow): number[][] {
  const counts = Array.from(row.tokenWeights!, (weight) => Math.round(Math.expm1(weight)));
  return Array.from(row.inputIds, (id, i) => [id, row.tokenTypeIds[i], counts[i]]);
}

function document(changes: Partial<EncoderDocument>): EncoderDocument {
  return { path: 'io', text: '', signatureEnd: 0, doc: null, callees: [], ...changes };
}

test('a chunk has one token for each distinct word of each field', async (t) => {
  const inputs = await tinyInputs(t);
  const signature = 'def read(path):';
  const row = inputs.buildDocument(
    document({
      path: 'io/path.io',
      text: `${signature}\n  return read(path), read`,
      signatureEnd: signature.length,
      callees: [{ path: 'x.py', text: 'def lines' }],
    }),
  );
  assert.deepEqual(tokens(row), [
    [IO, 0, 2],
    [PATH, 0, 1],
    [DEF, 1, 1],
    [READ, 1, 1],
    [PATH, 1, 1],
    [RETURN, 2, 1],
    [READ, 2, 2],
    [PATH, 2, 1],
    [DEF, 3, 1],
    [LINES, 3, 1],
  ]);
  assert.equal(row.tokenWeights![0], Math.fround(Math.log(3)));
});

test('a word outside the vocabulary has the id of its bucket', async (t) => {
  const inputs = await tinyInputs(t);
  const row = inputs.buildDocument(document({ path: 'zebra/Zebra' }));
  assert.deepEqual(tokens(row), [[WORDS.length + (fnv1a32('zebra') % 16), 0, 2]]);
});

test('a field counts its first words only', async (t) => {
  const inputs = await tinyInputs(t);
  const row = inputs.buildDocument(document({ path: '', text: `${'read '.repeat(6)} lines` }));
  assert.deepEqual(tokens(row), [[READ, 2, 6]]);
});

test('three lines and 200 characters of four callees are used', async (t) => {
  const inputs = await tinyInputs(t);
  const text = `def\nread\n${' '.repeat(2)}\nlines`;
  const long = `${' '.repeat(200)}lines`;
  const callees = [text, long, 'io', 'path', 'bug'].map((text) => ({ path: 'bug', text }));
  const row = inputs.buildDocument(document({ path: '', callees }));
  assert.deepEqual(tokens(row), [
    [DEF, 3, 1],
    [READ, 3, 1],
    [IO, 3, 1],
    [PATH, 3, 1],
  ]);
});

test("an issue's first line is its title, and its words are limited together", async (t) => {
  const inputs = await tinyInputs(t);
  const row = inputs.buildQuery(createTextQuery(`bug bug\n${'read '.repeat(6)}lines`));
  assert.deepEqual(tokens(row), [
    [BUG, 4, 2],
    [READ, 5, 6],
  ]);
  assert.deepEqual(tokens(inputs.buildQuery(createTextQuery(''))), []);
});

test('adjacent words are a pair if the model has buckets for pairs', async (t) => {
  const { tokenizer } = bagManifest();
  const inputs = await tinyInputs(t, { tokenizer: { ...tokenizer, pairBuckets: 8 } });
  const pair = (a: string, b: string) =>
    WORDS.length + tokenizer.hashBuckets + (hashPair(fnv1a32(a), fnv1a32(b)) % 8);
  const row = inputs.buildDocument(document({ path: '', text: 'io.path read_lines, io - bug' }));
  assert.deepEqual(tokens(row), [
    [IO, 2, 2],
    [PATH, 2, 1],
    [READ, 2, 1],
    [LINES, 2, 1],
    [BUG, 2, 1],
    [pair('io', 'path'), 2, 1],
    [pair('read', 'lines'), 2, 1],
  ]);
  // The last word of a title and the first of a text are not adjacent, and neither are words three characters apart.
  assert.deepEqual(tokens(inputs.buildQuery(createTextQuery('readLines io\n__path___bug'))), [
    [READ, 4, 1],
    [LINES, 4, 1],
    [IO, 4, 1],
    [pair('read', 'lines'), 4, 1],
    [PATH, 5, 1],
    [BUG, 5, 1],
  ]);
});

test('marks show that a text is an issue, and how long a chunk is', async (t) => {
  const marks = { issue: 90, lengths: 91, lengthCount: 3 };
  const inputs = await tinyInputs(t, { marks });
  const markOf = (row: EncoderRow) => tokens(row).at(-1);
  assert.deepEqual(markOf(inputs.buildQuery(createTextQuery('bug'))), [90, 4, 1]);
  const chunk = (text: string) => document({ path: 'io', text, signatureEnd: 4 });
  assert.deepEqual(markOf(inputs.buildDocument(chunk(''))), [91, 2, 1]);
  assert.deepEqual(markOf(inputs.buildDocument(chunk('read lines'))), [92, 2, 1]);
  assert.deepEqual(markOf(inputs.buildDocument(chunk('read lines io path bug'))), [93, 2, 1]);
});

test('a model may have separate types for code and tracebacks of an issue', async (t) => {
  const { fields } = bagManifest();
  const inputs = await tinyInputs(t, {
    fields: { ...fields, code: 6, trace: 7 },
    maxQueryWords: 20,
  });
  const issue = ['bug', 'lines', '```', 'return', 'File "io", line 3', '  path', '```', 'def'].join(
    '\n',
  );
  assert.deepEqual(
    tokens(inputs.buildQuery(createTextQuery(issue)))
      .map(([id, type]) => [id, type])
      .filter(([id]) => id < WORDS.length),
    [
      [BUG, 4],
      [LINES, 5],
      [DEF, 5],
      [RETURN, 6],
      [IO, 7],
      [PATH, 7],
    ],
  );
});

test('an explanation shows the parts, their words, and the text that was cut', async (t) => {
  const inputs = await tinyInputs(t);
  const signature = 'def read(path):';
  const parts = inputs.explain(
    document({
      text: `${signature} one two three four five six seven eight`,
      signatureEnd: signature.length,
      callees: [
        { path: 'a', text: 'def lines' },
        { path: 'b', text: '' },
      ],
    }),
  );
  assert.deepEqual(parts, [
    { role: 'path', text: 'io', tokens: 1, cut: 0, cutText: '' },
    { role: 'signature', text: signature, tokens: 3, cut: 0, cutText: '' },
    {
      role: 'body',
      text: ' one two three four five six',
      tokens: 6,
      cut: 2,
      cutText: ' seven eight',
    },
    { role: 'callee', text: 'def lines', tokens: 2, cut: 0, cutText: '' },
    { role: 'callee', text: '', tokens: 0, cut: 0, cutText: '' },
  ]);
});
