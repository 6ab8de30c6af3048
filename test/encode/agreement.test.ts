/*
 * The default model is trained in Python and runs here: both must make the same tokens of a text, and the same
 * embedding of the tokens. lab/encoder/export.py writes what Python makes of some texts.
 */
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { createEncoder } from '../../src/engine/encode/encoder.ts';
import { createInputs } from '../../src/engine/encode/inputs.ts';
import { loadManifest } from '../../src/engine/encode/manifest.ts';
import type { EncoderDocument, EncoderRow } from '../../src/engine/encode/types.ts';
import { queryOf } from '../../src/engine/issue/queries.ts';

const MODEL = process.env.LOCUS_TEST_MODEL ?? join(import.meta.dirname, '../../models/bag-1');
const FIXTURE = process.env.LOCUS_TEST_FIXTURE ?? join(import.meta.dirname, 'fixtures/bag-1.json');
/** Of 1 - cosine: int8 here against float there. */
const TOLERANCE = 3e-4;

interface Made {
  /** (id, type, count), sorted. */
  tokens: number[][];
  embedding: number[];
}

interface Fixture {
  documents: (Made & { document: EncoderDocument })[];
  issues: (Made & { issue: string })[];
}

async function fixture(): Promise<Fixture> {
  return JSON.parse(await readFile(FIXTURE, 'utf8'));
}

function tokens(row: EncoderRow): number[][] {
  return Array.from(row.inputIds, (id, i) => [
    id,
    row.tokenTypeIds[i],
    Math.round(Math.expm1(row.tokenWeights![i])),
  ]).sort(([a, b, c], [d, e, f]) => a - d || b - e || c - f);
}

/** 1 - cosine of two unit vectors. */
function distance(a: ArrayLike<number>, b: ArrayLike<number>): number {
  return 1 - Array.from(a).reduce((sum, value, i) => sum + value * b[i], 0);
}

test('the engine makes the tokens that training made', async () => {
  const inputs = await createInputs(MODEL, await loadManifest(MODEL));
  const { documents, issues } = await fixture();
  assert.ok(documents.length > 0 && issues.length > 0);
  for (const made of documents) {
    assert.deepEqual(tokens(inputs.document(made.document)), made.tokens, made.document.path);
  }
  for (const made of issues)
    assert.deepEqual(tokens(inputs.query(queryOf(made.issue))), made.tokens, made.issue);
});

test('int8 on the CPU embeds as PyTorch does', async (t) => {
  const encoder = await createEncoder({ modelFolder: MODEL, device: 'cpu' });
  try {
    const { documents, issues } = await fixture();
    const { keys, vectors } = await encoder.encode(
      documents.map(({ document }) => document),
      (asked) => asked.map(() => false),
    );
    const distances = documents.map((made, i) => distance(vectors.get(keys[i])!, made.embedding));
    for (const made of issues) {
      distances.push(distance(await encoder.encodeQuery(queryOf(made.issue)), made.embedding));
    }
    const largest = Math.max(...distances);
    t.diagnostic(`largest 1 - cosine: ${largest.toExponential(1)}`);
    assert.ok(largest < TOLERANCE, `1 - cosine is ${largest}`);
  } finally {
    await encoder.close();
  }
});
