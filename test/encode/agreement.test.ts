/*
 * The default model is trained in Python and runs in the engine. Both must make the same tokens of a text, and the same
 * embedding of tokens. lab/encoder/export.py --fixture writes the embeddings.
 */
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { createEncoder } from '../../src/engine/encode/encoder.ts';
import { createInputs } from '../../src/engine/encode/inputs.ts';
import { loadManifest } from '../../src/engine/encode/manifest.ts';
import type { EncoderDocument, EncoderRow } from '../../src/engine/encode/types.ts';
import { createTextQuery } from '../../src/engine/issue/queries.ts';

const BAG = {
  folder: process.env.LOCUS_TEST_MODEL ?? join(import.meta.dirname, '../../models/bag-1'),
  fixture: process.env.LOCUS_TEST_FIXTURE ?? join(import.meta.dirname, 'fixtures/bag-1.json'),
};
/** Has the texts of test/lab/awkward-texts.ts, except the longest. */
const CORET = {
  folder: join(import.meta.dirname, '../../models/coret-1'),
  fixture: join(import.meta.dirname, 'fixtures/coret-1.json'),
};
/** Maximum of 1 - cosine, between int8 here and float in Python. */
const TOLERANCE = { bag: 3e-4, coret: 3e-3 };

interface Embedded {
  embedding: number[];
}

interface Fixture<Made> {
  documents: (Made & Embedded & { document: EncoderDocument })[];
  issues: (Made & Embedded & { issue: string })[];
}

/** Returns sorted triples (id, type, count). */
type Counted = { tokens: number[][] };
/** Returns them in order. */
type Sequence = { tokens: number[]; types: number[] };

async function fixture<Made>({ fixture }: typeof BAG): Promise<Fixture<Made>> {
  return JSON.parse(await readFile(fixture, 'utf8'));
}

function counted(row: EncoderRow): Counted {
  const tokens = Array.from(row.inputIds, (id, i) => [
    id,
    row.tokenTypeIds[i],
    Math.round(Math.expm1(row.tokenWeights![i])),
  ]).sort(([a, b, c], [d, e, f]) => a - d || b - e || c - f);
  return { tokens };
}

const sequence = (row: EncoderRow): Sequence => ({
  tokens: Array.from(row.inputIds),
  types: Array.from(row.tokenTypeIds),
});

/** Returns 1 - cosine of two unit vectors. */
function distance(a: ArrayLike<number>, b: ArrayLike<number>): number {
  return 1 - Array.from(a).reduce((sum, value, i) => sum + value * b[i], 0);
}

async function agreesInTokens<Made extends object>(
  model: typeof BAG,
  made: (row: EncoderRow) => Made,
): Promise<void> {
  const inputs = await createInputs(model.folder, await loadManifest(model.folder));
  const { documents, issues } = await fixture<Made>(model);
  assert.ok(documents.length > 0 && issues.length > 0);
  for (const { document, embedding: _, ...tokens } of documents)
    assert.deepEqual(made(inputs.buildDocument(document)), tokens, document.path);
  for (const { issue, embedding: _, ...tokens } of issues)
    assert.deepEqual(made(inputs.buildQuery(createTextQuery(issue))), tokens, issue);
}

/** Returns the largest 1 - cosine of all texts. */
async function farthest(model: typeof BAG): Promise<number> {
  const encoder = await createEncoder({ modelFolder: model.folder, device: 'cpu' });
  try {
    const { documents, issues } = await fixture(model);
    const { keys, vectors } = await encoder.encode(
      documents.map(({ document }) => document),
      (asked) => asked.map(() => false),
    );
    const distances = documents.map((made, i) => distance(vectors.get(keys[i])!, made.embedding));
    for (const made of issues) {
      distances.push(
        distance(await encoder.encodeQuery(createTextQuery(made.issue)), made.embedding),
      );
    }
    return Math.max(...distances);
  } finally {
    await encoder.close();
  }
}

test('the engine makes the same tokens as training', async () => {
  await agreesInTokens<Counted>(BAG, counted);
  await agreesInTokens<Sequence>(CORET, sequence);
});

test('int8 on the CPU gives the same embeddings as PyTorch', async (t) => {
  for (const [model, tolerance] of [
    [BAG, TOLERANCE.bag],
    [CORET, TOLERANCE.coret],
  ] as const) {
    const largest = await farthest(model);
    t.diagnostic(`${model.folder}: largest 1 - cosine ${largest.toExponential(1)}`);
    assert.ok(largest < tolerance, `${model.folder}: 1 - cosine is ${largest}`);
  }
});
