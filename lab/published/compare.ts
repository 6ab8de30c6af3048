/**
 * Compares Locus with the code of published models' authors, on small models with random weights:
 * `npm run -s lab -- compare-published --python <python> --out <folder>`
 *
 * `--python` has the packages of `lab/published/requirements.txt`. Each model is added as a user adds it, by its recipe. Fails if a cosine
 * similarity is below 1 − 10⁻³, or a score differs by more than 10⁻³ of their deviation.
 */
import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { createEncoder, createTextQuery } from '../../src/engine/lab.ts';
import { addPublishedModel } from '../../src/services/published-models/add.ts';
import { assertPresent } from '../../src/shared/assert-present.ts';
import { TEXTS } from './texts.ts';

/** Largest difference to the authors' code. */
const TOLERANCE = 1e-3;

/** Manifest of the cross-encoder, which no recipe describes. */
const CROSS_ENCODER = {
  id: 'cross-encoder',
  version: '1',
  kind: 'pair',
  output: 'logits',
  score: 'logit',
  tokenizer: { type: 'huggingface', file: 'tokenizer.json' },
  maxTokens: 512,
  maxQueryTokens: 256,
  files: { cpu: 'model.onnx' },
};

interface Expected {
  documents?: number[][];
  issues?: number[][];
  scores?: number[][];
}

const { values } = parseArgs({
  options: { python: { type: 'string' }, out: { type: 'string' } },
});
if (!values.python || !values.out) {
  console.error('usage: npm run -s lab -- compare-published --python <python> --out <folder>');
  process.exit(2);
}
const out = resolve(values.out);
const made = join(out, 'made');
rmSync(out, { recursive: true, force: true });
mkdirSync(made, { recursive: true });
writeFileSync(join(out, 'texts.json'), JSON.stringify(TEXTS));
const script = join(import.meta.dirname, 'make.py');
const { status } = spawnSync(values.python, [script, made, join(out, 'texts.json')], {
  stdio: 'inherit',
});
if (status !== 0) throw new Error('make.py failed.');

const differences: [string, number][] = [
  ['CodeRankEmbed', await compareEncoder('CodeRankEmbed')],
  ['SweRankEmbed-Small', await compareEncoder('SweRankEmbed-Small')],
  ['Qwen3-Embedding-0.6B', await compareEncoder('Qwen3-Embedding-0.6B')],
  ['jina-code-embeddings-0.5b', await compareEncoder('jina-code-embeddings-0.5b')],
  [
    'Qwen3-Reranker-0.6B',
    await compareReranker(await add('Qwen3-Reranker-0.6B'), 'Qwen3-Reranker-0.6B'),
  ],
  ['cross-encoder', await compareCrossEncoder()],
];
for (const [name, difference] of differences)
  console.log(
    `${name}: ${difference.toExponential(1)} ${difference < TOLERANCE ? 'ok' : 'FAILED'}`,
  );
process.exitCode = differences.every(([, difference]) => difference < TOLERANCE) ? 0 : 1;

async function add(name: string): Promise<string> {
  const { folder } = await addPublishedModel({
    dataDir: join(out, 'data'),
    source: join(made, name),
    ...{ sha256: null, name: null, recipe: null, file: null },
    signal: AbortSignal.timeout(600_000),
    confirm: async () => {},
  });
  return folder;
}

function readExpected(name: string): Expected {
  return JSON.parse(readFileSync(join(made, name, 'expected.json'), 'utf8'));
}

function toDocuments() {
  return TEXTS.documents.map(([path, text]) => ({
    path,
    text,
    signatureEnd: 0,
    doc: null,
    callees: [],
  }));
}

/** Returns the largest of 1 − cosine. */
async function compareEncoder(name: string): Promise<number> {
  const encoder = await createEncoder({ modelFolder: await add(name), device: 'cpu' });
  try {
    const { documents = [], issues = [] } = readExpected(name);
    using prepared = await encoder.prepare(toDocuments());
    const own = await prepared.embed([...documents.keys()]);
    for (const issue of TEXTS.issues) own.push(await encoder.encodeQuery(createTextQuery(issue)));
    const expected = [...documents, ...issues];
    const apart = expected.map((vector, i) => 1 - dot(vector, own[(i + 1) % own.length]));
    console.log(
      `${name}: ${own.length} texts, other texts differ by ${Math.min(...apart).toFixed(3)} and more`,
    );
    return Math.max(...expected.map((vector, i) => 1 - dot(vector, own[i])));
  } finally {
    await encoder.close();
  }
}

function dot(a: readonly number[], b: Float32Array | undefined): number {
  return a.reduce((sum, value, i) => sum + value * assertPresent(b?.[i], 'a dimension'), 0);
}

/** Returns the largest difference of scores, divided by the deviation of all. */
async function compareReranker(modelFolder: string, name: string): Promise<number> {
  const scorer = await createEncoder({ modelFolder, device: 'cpu' });
  try {
    const expected = (readExpected(name).scores ?? []).flat();
    const own: number[] = [];
    for (const issue of TEXTS['short issues'])
      for (const document of toDocuments())
        own.push(await scorer.score(createTextQuery(issue), document));
    const mean = expected.reduce((sum, score) => sum + score, 0) / expected.length;
    const deviation = Math.sqrt(
      expected.reduce((sum, score) => sum + (score - mean) ** 2, 0) / expected.length,
    );
    console.log(`${name}: ${own.length} pairs, deviation ${deviation.toFixed(3)}`);
    return Math.max(
      ...expected.map((score, i) => Math.abs(score - assertPresent(own[i], 'a score')) / deviation),
    );
  } finally {
    await scorer.close();
  }
}

function compareCrossEncoder(): Promise<number> {
  const folder = join(made, 'cross-encoder');
  writeFileSync(join(folder, 'model.json'), JSON.stringify(CROSS_ENCODER));
  return compareReranker(folder, 'cross-encoder');
}
