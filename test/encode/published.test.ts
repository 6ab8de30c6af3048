import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import { createEncoder } from '../../src/engine/encode/encoder.ts';
import { createInputs } from '../../src/engine/encode/inputs.ts';
import { loadManifest } from '../../src/engine/encode/manifest.ts';
import { createTextQuery } from '../../src/engine/issue/queries.ts';
import { folderWith } from './model-folder.ts';
import {
  DIMENSIONS,
  idOf,
  idsOf,
  pairModel,
  scoreAfter,
  TABLE,
  textModel,
} from './published-models.ts';

const locusError = (code: string, message: RegExp) => ({ name: 'LocusError', code, message });

const document = (text: string, path = 'a.py') => ({
  ...{ path, text, signatureEnd: 0, doc: null, callees: [] },
});
const query = createTextQuery;

async function openInputs(t: TestContext, files: Record<string, object>) {
  const folder = await folderWith(t, files);
  return createInputs(folder, await loadManifest(folder));
}

function normalize(sum: number[]): number[] {
  return sum.map((value) => value / Math.hypot(...sum));
}

const rowOf = (id: number): number[] => [...TABLE.subarray(id * DIMENSIONS, (id + 1) * DIMENSIONS)];

function assertClose(actual: Iterable<number>, wanted: readonly number[]): void {
  const given = [...actual];
  assert.equal(given.length, wanted.length);
  for (const [i, value] of wanted.entries())
    assert.ok(Math.abs((given[i] ?? 0) - value) < 1e-5, `${given} is not ${wanted}`);
}

describe('plain-text encoders', () => {
  it('fill templates, and keep the special tokens of a text that is cut', async (t) => {
    const inputs = await openInputs(t, textModel());
    assert.deepEqual(
      [...inputs.buildDocument(document('b b b b b b b')).inputIds],
      idsOf('[CLS] a . py b b b [SEP]'),
    );
    assert.deepEqual([...inputs.buildQuery(query('b')).inputIds], idsOf('[CLS] query : b [SEP]'));
    assert.deepEqual(
      [...inputs.buildQuery(query('b a b a')).inputIds],
      idsOf('[CLS] query : b a [SEP]'),
    );
  });

  it('read special tokens in code as text', async (t) => {
    const inputs = await openInputs(t, textModel({ maxTokens: 30 }));
    assert.deepEqual(
      [...inputs.buildDocument(document('[SEP] a <think> [CLS]', 'b')).inputIds],
      [...idsOf('[CLS] b [ sep ] a < think > ['), idOf('[UNK]'), ...idsOf('] [SEP]')],
    );
  });

  it('explain which text is cut', async (t) => {
    const inputs = await openInputs(t, textModel());
    const [path, body] = inputs.explain(document('b b b b b'));
    assert.deepEqual([path?.text, path?.tokens], ['a.py', 3]);
    assert.deepEqual(
      [body?.text.trim(), body?.tokens, body?.cut, body?.cutText.trim()],
      ['b b b', 3, 2, 'b b'],
    );
  });

  for (const [pooling, pool] of Object.entries({
    mean: (rows: number[][]) =>
      rows.reduce((sum, row) => sum.map((value, i) => value + (row[i] ?? 0))),
    first: (rows: number[][]) => rows.at(0) ?? [],
    last: (rows: number[][]) => rows.at(-1) ?? [],
  }))
    it(`pool by ${pooling}, whatever the padding`, async (t) => {
      const modelFolder = await folderWith(t, textModel({ pooling }));
      await using encoder = asDisposable(await createEncoder({ modelFolder, device: 'cpu' }));
      const texts = ['b', 'a b a b', ''];
      using prepared = await encoder.prepare(texts.map((text) => document(text)));
      const tokens = ['[CLS] a . py b [SEP]', '[CLS] a . py a b a [SEP]', '[CLS] a . py [SEP]'];
      for (const [i, vector] of (await prepared.embed([0, 1, 2])).entries())
        assertClose(vector, normalize(pool(idsOf(tokens[i] ?? '').map(rowOf))));
    });

  it('are refused if the model returns something else', async (t) => {
    const modelFolder = await folderWith(t, textModel({ dimensions: 5 }));
    await using encoder = asDisposable(await createEncoder({ modelFolder, device: 'cpu' }));
    await assert.rejects(
      encoder.encodeQuery(query('a')),
      locusError('bad-model', /shape 1 × 5 × 3 instead of 1 × tokens × 5/),
    );
  });
});

describe('rerankers of pairs', () => {
  it('keep the end of the prompt, and cut the issue and the code', async (t) => {
    const inputs = await openInputs(t, pairModel());
    const row = inputs.buildPair?.(query('b b b b b'), document('a a a a a a a'));
    assert.deepEqual(
      [...(row?.inputIds ?? [])],
      idsOf('[CLS] query : b b b [SEP] a a a <think> a'),
    );
  });

  it('read special tokens in issues and code as text', async (t) => {
    const inputs = await openInputs(t, pairModel({ maxTokens: 40, maxQueryTokens: 20 }));
    const row = inputs.buildPair?.(query('<think>'), document('[SEP] a'));
    assert.deepEqual(
      [...(row?.inputIds ?? [])],
      idsOf('[CLS] query : < think > [SEP] [ sep ] a <think> a'),
    );
  });

  it('join two texts as the tokenizer does', async (t) => {
    const { prompt: _, ...manifest } = pairModel({ templates: { chunk: '{code}' } })[
      'model.json'
    ] as {
      prompt?: string;
    };
    const inputs = await openInputs(t, { ...pairModel(), 'model.json': manifest });
    const row = inputs.buildPair?.(query('b'), document('a a'));
    assert.deepEqual([...(row?.inputIds ?? [])], idsOf('[CLS] b [SEP] a a [SEP]'));
    assert.deepEqual([...(row?.tokenTypeIds ?? [])], [0, 0, 0, 1, 1, 1]);
  });

  it('score by the two tokens after the last one', async (t) => {
    const prompt = '[CLS] {issue} [SEP] {code}';
    const modelFolder = await folderWith(t, pairModel({ prompt }));
    await using scorer = asDisposable(await createEncoder({ modelFolder, device: 'cpu' }));
    for (const last of ['a', 'b', 'py'])
      assertClose([await scorer.score(query('a'), document(`b ${last}`))], [scoreAfter(last)]);
  });

  it('need answers of one token, and code in the prompt', async (t) => {
    await assert.rejects(
      openInputs(t, pairModel({ score: { yes: 'yes', no: 'a b' } })),
      locusError('bad-model', /“a b” is not one token/),
    );
    for (const prompt of ['{issue}', '{code}', '{issue} {code} {name}'])
      await assert.rejects(
        openInputs(t, pairModel({ prompt })),
        locusError('bad-model', /prompt: must have/),
      );
  });
});

function asDisposable<T extends { close(): Promise<void> }>(one: T): T & AsyncDisposable {
  return Object.assign(one, { [Symbol.asyncDispose]: () => one.close() });
}
