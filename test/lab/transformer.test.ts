/*
 * Trains a small transformer from mined data through all its stages to a model folder that the engine loads, and a bag
 * encoder that learns from it. Needs what encoder.test.ts needs; without it, it is skipped, and says so.
 */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { appendFile, cp, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { promisify } from 'node:util';
import { createEncoder } from '../../src/engine/encode/encoder.ts';
import { createInputs } from '../../src/engine/encode/inputs.ts';
import { verifyModel } from '../../src/engine/encode/manifest.ts';
import type { EncoderDocument } from '../../src/engine/encode/types.ts';
import { queryOf } from '../../src/engine/issue/queries.ts';
import { embedOn, largestDistance, softwareVulkan } from '../encode/on-device.ts';
import { findPython, mined, REPOSITORIES } from './toy-data.ts';

const SCRIPTS = join(import.meta.dirname, '../../lab/encoder');
const SHAPE = ['--layers', '2', '--dimensions', '32', '--heads', '2', '--rates', '5e-3,5e-3,5e-3'];
/** Few enough tokens in a batch that a step has several. */
const STEP = ['--batch-tokens', '1200', '--step-tokens', '1000', '--pairs', '32', '--plain', '0.9'];
const REPOSITORY_STEP = ['--commits', '12', '--negatives', '12', '--docstrings', '4'];

/** Largest 1 - cosine to PyTorch's embeddings, of the fixture's texts, whose numbers are rounded. */
const TOLERANCES = { int8: 3e-4, float16: 1e-5, float32: 5e-6 };

/** That a software device embeds. */
const DOCUMENTS = 3;

interface Made {
  tokens: number[];
  types: number[];
  embedding: number[];
}

interface Fixture {
  documents: (Made & { document: EncoderDocument })[];
  issues: (Made & { issue: string })[];
}

const found = findPython();
const skip = 'reason' in found ? found.reason : false;
let folder = '';
const at = (...names: string[]) => join(folder, ...names);

async function python(...args: string[]): Promise<string> {
  assert.ok('python' in found);
  const { stdout } = await promisify(execFile)(found.python, args);
  return stdout;
}

const transformer = (...args: string[]) => python(join(SCRIPTS, 'transformer'), ...args);
const bag = (script: string, ...args: string[]) => python(join(SCRIPTS, script), ...args);

/** An issue about each topic of the toy data, against the chunks of a repository. */
function issues(): string {
  const names = ['cost', 'session', 'palette', 'directory'];
  const documents = names.map((name, i) => ({
    path: `lib/${name}.py`,
    text: `def ${name}_a9(value):\n    return ${name}.get(value)`,
    signatureEnd: 0,
    doc: null,
    callees: i ? [{ path: 'lib/cost.py', text: 'def cost_a9(value):' }] : [],
  }));
  const about = ['price', 'login', 'colour', 'folder'].map((word, i) => ({
    instance: `toy-${i}`,
    repo: 'toy/toy',
    issue: `Wrong ${word} for a9 values`,
    candidates: [0, 1, 2, 3],
    edited: [i],
  }));
  return [...documents, ...about].map((line) => `${JSON.stringify(line)}\n`).join('');
}

const train = (run: string, ...until: string[]) =>
  transformer(
    ...['train', '--prepared', at('prepared'), '--run', at(run), ...until],
    ...[...SHAPE, ...STEP, ...REPOSITORY_STEP],
  );

/** Of what is held out. */
async function mrr(checkpoint: string): Promise<number> {
  const where = ['--run', at('run'), '--prepared', at('prepared'), '--checkpoint', checkpoint];
  return Number(/^commits .*"MRR": ([\d.]+)/m.exec(await transformer('evaluate', ...where))?.[1]);
}

async function readFixture(): Promise<Fixture> {
  return JSON.parse(await readFile(at('fixture.json'), 'utf8'));
}

/** 1 - cosine of two unit vectors. */
function distance(a: ArrayLike<number>, b: ArrayLike<number>): number {
  return 1 - Array.from(a).reduce((sum, value, i) => sum + value * b[i], 0);
}

/** A model folder in which every device takes the file of one precision. */
async function modelWith(precision: string): Promise<string> {
  const copy = at(precision);
  await cp(at(precision === 'float32' ? 'wide' : 'toy'), copy, { recursive: true });
  const manifest = JSON.parse(await readFile(join(copy, 'model.json'), 'utf8'));
  const files = { cpu: `model.${precision}.onnx` };
  await writeFile(join(copy, 'model.json'), JSON.stringify({ ...manifest, files }));
  return copy;
}

/** MRR before and after the training, and what its second part printed. */
let [first, last, resumed] = [Number.NaN, Number.NaN, ''];

before(async () => {
  if (skip) return;
  folder = await mkdtemp(join(tmpdir(), 'locus-transformer-'));
  await mkdir(at('data'));
  for (const [i, repo] of REPOSITORIES.entries()) {
    await writeFile(at('data', `${repo}.zst`), mined(repo, i));
  }
  await mkdir(at('issues'));
  await writeFile(at('issues', 'toy__toy.jsonl'), issues());
  const data = ['--data', at('data'), '--issues', at('issues')];
  await transformer('prepare', ...data, '--out', at('prepared'), '--vocabulary', '400');
  await train('run', '--steps', '3,0,0');
  first = await mrr('checkpoint.pt');
  resumed = await train('run', '--steps', '8,40,10');
  last = await mrr('best.pt');
  const model = ['export', '--run', at('run'), '--id', 'toy', '--version', '1.0.0'];
  const card = ['--prepared', at('prepared'), '--trained-on', 'Toy data.'];
  await transformer(...model, ...card, '--out', at('toy'), '--fixture', at('fixture.json'));
  await transformer(...model, '--gpu', 'float32', '--out', at('wide'));
});

after(() => rm(folder, { recursive: true, force: true }));

test('training resumes, goes through its stages, and learns', { skip }, async (t) => {
  assert.match(resumed, /goes on after \[3, 0, 0\] steps\n/);
  assert.match(resumed, /"stage": "repository", "steps": \[8, 40, 10\]/);
  t.diagnostic(`MRR on a repository that was held out: ${first} before, ${last} after`);
  assert.ok(last > first + 0.2 && last > 0.5, `MRR ${first}, then ${last}`);
  assert.match(await readFile(at('toy', 'README.md'), 'utf8'), /\| commits \| 32 \|/);
  const { quality } = JSON.parse(await readFile(at('toy', 'model.json'), 'utf8'));
  assert.ok(quality.mrr > 0.5, `MRR ${quality.mrr} among four chunks`);
});

test('the stages share the minutes', { skip }, async () => {
  const printed = await train('clock', '--minutes', '0.04');
  for (const stage of ['masked', 'pairs', 'repository']) {
    assert.match(printed, new RegExp(`"stage": "${stage}".*"loss"`));
  }
});

test('gradients in pieces are those of the whole', { skip }, async () => {
  const script = `
import sys, argparse
sys.path.insert(0, sys.argv[1])
from transformer import train
parser = argparse.ArgumentParser()
train.add_options(parser.add_argument)
trainer = train.Trainer(parser.parse_args(sys.argv[2:]))
step, gradients = trainer.draws.step(), []
trainer.draws.step = lambda: step
for budget in (200, 1_000_000):
    trainer.options.batch_tokens = budget
    trainer.optimizer.zero_grad(set_to_none=True)
    trainer.repository_step()
    gradients.append([p.grad for p in trainer.encoder.parameters() if p.grad is not None])
largest = max(g.abs().max().item() for g in gradients[1])
apart = max((a - b).abs().max().item() for a, b in zip(*gradients))
print(len(gradients[0]) == len(gradients[1]) and apart / largest)`;
  const args = [
    '--prepared',
    at('prepared'),
    '--run',
    at('gradients'),
    ...SHAPE,
    ...REPOSITORY_STEP,
  ];
  const printed = (await python('-c', script, SCRIPTS, ...args)).trim().split('\n').at(-1);
  assert.ok(Number(printed) < 1e-4, `apart by ${printed} of the largest`);
});

test('the engine makes the tokens that training makes', { skip }, async () => {
  const inputs = await createInputs(at('toy'), await verifyModel(at('toy')));
  const { documents, issues } = await readFixture();
  assert.ok(documents.length > 5 && issues.length > 3);
  for (const { document, tokens, types } of documents) {
    const row = inputs.document(document);
    assert.deepEqual([...row.inputIds], tokens, document.path);
    assert.deepEqual([...row.tokenTypeIds], types, document.path);
  }
  for (const { issue, tokens } of issues) {
    assert.deepEqual([...inputs.query(queryOf(issue)).inputIds], tokens, issue.slice(0, 40));
  }
});

for (const precision of ['int8', 'float16', 'float32'] as const) {
  test(`${precision} on the CPU embeds as PyTorch does`, { skip }, async (t) => {
    const modelFolder = await modelWith(precision);
    const encoder = await createEncoder({ modelFolder, device: 'cpu' });
    t.after(() => encoder.close());
    const { documents, issues } = await readFixture();
    const given = documents.map(({ document }) => document);
    const { keys, vectors } = await encoder.encode(given, (asked) => asked.map(() => false));
    const distances = documents.map((made, i) => distance(vectors.get(keys[i])!, made.embedding));
    for (const { issue, embedding } of issues) {
      distances.push(distance(await encoder.encodeQuery(queryOf(issue)), embedding));
    }
    const largest = Math.max(...distances);
    t.diagnostic(`largest 1 - cosine: ${largest.toExponential(1)}`);
    assert.ok(largest < TOLERANCES[precision], `1 - cosine is ${largest}`);
  });
}

test('WebGPU embeds as the CPU does', { skip }, async (t) => {
  const env = softwareVulkan();
  const wide = await modelWith('float32');
  const webgpu = await embedOn(wide, 'webgpu', env, DOCUMENTS);
  if (webgpu.device !== 'webgpu') {
    t.skip(`NOT TESTED: ${webgpu.fallback}`);
    return;
  }
  const cpu = await embedOn(wide, 'cpu', {}, DOCUMENTS);
  const distances = { float32: largestDistance(webgpu, cpu) };
  t.diagnostic(`float32, largest 1 - cosine: ${distances.float32.toExponential(1)}`);
  assert.ok(distances.float32 < 1e-5, `1 - cosine is ${distances.float32}`);
  const half = await embedOn(await modelWith('float16'), 'webgpu', env, DOCUMENTS);
  if (half.device === 'webgpu') {
    assert.ok(largestDistance(half, cpu) < 1e-4);
  } else {
    // A device without half precision is told, and the CPU takes over.
    assert.match(half.fallback!, /f16/);
    t.diagnostic(`NOT TESTED in half precision: ${half.fallback}`);
  }
});

test('a bag encoder learns from the transformer alone', { skip }, async (t) => {
  const run = ['--run', at('run'), '--prepared', at('prepared'), '--dimensions', '16'];
  await transformer('teach', ...run, '--out', at('taught'));
  await bag('prepare.py', '--data', at('data'), '--out', at('bags'));
  const settings = ['--dimensions', '32', '--words', '120', '--word-buckets', '64'];
  settings.push('--pair-buckets', '64', '--spread', '2', '--commits', '16', '--rate', '0.02');
  settings.push('--teacher', at('taught'), '--soft', '1');
  const measured: number[] = [];
  for (const steps of ['1', '200']) {
    const where = ['--prepared', at('bags'), '--run', at('bag')];
    await bag('train.py', ...where, '--steps', steps, ...settings);
    const printed = await bag('evaluate.py', '--run', at('bag'), '--prepared', at('bags'));
    measured.push(Number(/^all commits.*'MRR': ([\d.]+)/m.exec(printed)?.[1]));
  }
  const [first, last] = measured;
  t.diagnostic(`MRR on a repository that was held out: ${first} before, ${last} after`);
  assert.ok(last > first + 0.1 && last > 0.4, `MRR ${first}, then ${last}`);
});

test('what was split is joined again, unless a piece is damaged', { skip }, async () => {
  const pieces = at('pieces');
  await transformer('split', at('run'), at('data'), '--out', pieces, '--megabytes', '0.05');
  assert.ok((await readdir(pieces)).length > 5);
  await transformer('join', pieces, '--out', at('joined'));
  for (const name of ['run/best.pt', 'run/log.jsonl', `data/${REPOSITORIES[0]}.zst`]) {
    assert.deepEqual(await readFile(at('joined', name)), await readFile(at(name)));
  }
  await appendFile(join(pieces, '00001'), 'x');
  await assert.rejects(transformer('join', pieces, '--out', at('again')), /piece 00001 .*damaged/);
});
