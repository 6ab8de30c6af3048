/*
 * Tests training a small bag encoder, from mined data to a model folder that the engine loads. `scripts/python.ts` finds or
 * installs the Python that it needs.
 */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { promisify } from 'node:util';
import { openStart } from '../../lab/encoder/start.ts';
import { findPython } from '../../scripts/python.ts';
import { createEncoder } from '../../src/engine/encode/encoder.ts';
import { createInputs } from '../../src/engine/encode/inputs.ts';
import { verifyModel } from '../../src/engine/encode/manifest.ts';
import type { EncoderRow } from '../../src/engine/encode/types.ts';
import { createTextQuery } from '../../src/engine/issue/queries.ts';
import { AWKWARD_DOCUMENTS, AWKWARD_ISSUES } from './awkward-texts.ts';
import { writeMined, writeRows } from './toy-data.ts';

const SCRIPTS = join(import.meta.dirname, '../../lab/encoder');

/** Returns a Python that can train, and a folder that is removed after the test. */
async function trainingPlace(t: TestContext): Promise<{ python: string; folder: string }> {
  const folder = await mkdtemp(join(tmpdir(), 'locus-training-'));
  t.after(() => rm(folder, { recursive: true, force: true }));
  return { python: findPython(), folder };
}

test('an encoder is trained, resumed, measured, exported and loaded', async (t) => {
  const place = await trainingPlace(t);
  const { folder } = place;
  const at = (name: string) => join(folder, name);
  const python = async (script: string, ...args: string[]) => {
    const { stdout } = await promisify(execFile)(place.python, [join(SCRIPTS, script), ...args]);
    return stdout;
  };
  await writeMined(at('data'));
  await mkdir(at('copies'));
  const size = ['--words', '120', '--word-buckets', '64', '--pair-buckets', '64'];
  await writeRows('--data', at('data'), '--copies', at('copies'), '--out', at('rows'), ...size);

  const settings = ['--dimensions', '32', '--spread', '2', '--commits', '16', '--rate', '0.02'];
  const train = (steps: number) =>
    python(
      'train.py',
      '--rows',
      at('rows'),
      '--run',
      at('run'),
      '--steps',
      String(steps),
      ...settings,
    );
  const mrr = async (of = ['--run', at('run')]) => {
    const printed = await python('evaluate.py', ...of, '--rows', at('rows'));
    return Number(/^all commits.*'MRR': ([\d.]+)/m.exec(printed)?.[1]);
  };
  await train(1);
  const before = await mrr();
  assert.match(await train(200), /continues after step 1\n/);
  const after = await mrr();
  t.diagnostic(`MRR on a repository that was held out: ${before} before, ${after} after`);
  assert.ok(after > before + 0.1 && after > 0.4, `MRR ${before}, then ${after}`);

  const model = at('toy');
  const made = await openStart(at('rows')).inputs();
  const tokensOf = ({ inputIds, tokenTypeIds, tokenWeights }: EncoderRow) => ({
    tokens: Array.from(inputIds, (id, i) => [
      ...[id, tokenTypeIds[i], Math.round(Math.expm1(tokenWeights![i]))],
    ]),
  });
  const texts = {
    documents: AWKWARD_DOCUMENTS.map((document) => tokensOf(made.buildDocument(document))),
    issues: AWKWARD_ISSUES.map((issue) => tokensOf(made.buildQuery(createTextQuery(issue)))),
  };
  await writeFile(at('fixture.json'), JSON.stringify(texts));
  await python(
    'export.py',
    '--run',
    at('run'),
    '--out',
    model,
    '--id',
    'toy',
    '--version',
    '1.0.0',
    '--fixture',
    at('fixture.json'),
  );
  // The exported model has other random vectors for buckets, and a vocabulary of 120 words has many buckets.
  const exported = await mrr(['--model', model]);
  assert.ok(exported > before + 0.1, `MRR ${before} untrained, ${exported} as exported`);
  const manifest = await verifyModel(model);
  const { documents, issues } = JSON.parse(await readFile(at('fixture.json'), 'utf8'));
  const inputs = await createInputs(model, manifest);
  for (const [i, issue] of AWKWARD_ISSUES.entries())
    assert.deepEqual(tokensOf(inputs.buildQuery(createTextQuery(issue))).tokens, issues[i].tokens);
  const encoder = await createEncoder({ modelFolder: model, device: 'cpu' });
  try {
    const { keys, vectors } = await encoder.encode([...AWKWARD_DOCUMENTS], (asked) =>
      asked.map(() => false),
    );
    for (const [i, key] of keys.entries()) {
      const vector = vectors.get(key)!;
      const cosine = vector.reduce((sum, x, k) => sum + x * documents[i].embedding[k], 0);
      // A text without a word has no direction.
      if (documents[i].tokens.length > 1) assert.ok(cosine > 0.999, `${i}: cosine ${cosine}`);
    }
  } finally {
    await encoder.close();
  }
});
