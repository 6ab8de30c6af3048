/*
 * Tests training a small transformer, from mined data to a model folder that the engine loads, and a bag encoder that learns
 * from it.
 */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { appendFile, cp, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { promisify } from 'node:util';
import { chooseReranked } from '../../lab/encoder/gpu/choose-list.ts';
import { readIssues } from '../../lab/encoder/sources.ts';
import { openStart } from '../../lab/encoder/start.ts';
import { writeTensors } from '../../lab/encoder/tensors.ts';
import { writeSource } from '../../lab/encoder/write-source.ts';
import { findPython } from '../../scripts/python.ts';
import { createEncoder } from '../../src/engine/encode/encoder.ts';
import { createInputs } from '../../src/engine/encode/inputs.ts';
import { verifyModel } from '../../src/engine/encode/manifest.ts';
import type { EncoderRow } from '../../src/engine/encode/types.ts';
import { createTextQuery } from '../../src/engine/issue/queries.ts';
import { embedOn, largestDistance, softwareVulkan } from '../encode/on-device.ts';
import { AWKWARD_DOCUMENTS, AWKWARD_ISSUES } from './awkward-texts.ts';
import { REPOSITORIES, writeMined, writeRows } from './toy-data.ts';

const SCRIPTS = join(import.meta.dirname, '../../lab/encoder');
const SHAPE = ['--layers', '2', '--dimensions', '32', '--heads', '2', '--rate', '5e-3'];
/** Options with so few tokens in a batch that a step has several batches. */
const STEP = ['--batch-tokens', '600', '--texts', '40', '--queries', '12', '--plain', '0.9'];
const SCHEDULE = ['--warm-up', '10', '--average', '0.9', '--float32'];

/** Maximum of 1 - cosine to PyTorch's embeddings of the fixture's texts, whose numbers are rounded. */
const TOLERANCES = { int8: 3e-4, float16: 1e-5, float32: 5e-6 };

/** Number of documents that a software device embeds. */
const DOCUMENTS = 3;

interface Made {
  tokens: number[];
  types: number[];
  embedding: number[];
}

interface Fixture {
  documents: Made[];
  issues: Made[];
}

const interpreter = findPython();
let folder = '';
const at = (...names: string[]) => join(folder, ...names);

async function python(...args: string[]): Promise<string> {
  const { stdout } = await promisify(execFile)(interpreter, args);
  return stdout;
}

const transformer = (...args: string[]) => python(join(SCRIPTS, 'transformer'), ...args);
const bag = (script: string, ...args: string[]) => python(join(SCRIPTS, script), ...args);

const TOPICS = ['cost', 'session', 'palette', 'directory'];
const documents = TOPICS.map((name, i) => ({
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
}));
const jsonLines = (lines: object[]) => lines.map((line) => `${JSON.stringify(line)}\n`).join('');

/** Makes an issue about each topic of the toy data, with the chunks of a repository. */
const issues = () =>
  jsonLines([
    ...documents,
    ...about.map((issue, i) => ({ ...issue, candidates: [0, 1, 2, 3], edited: [i] })),
  ]);

/** Makes the same issues as lists of a ranker. */
const lists = () =>
  jsonLines(
    about.map((issue, i) => ({
      ...{ ...issue, edited: 1 },
      candidates: documents.map((document, k) => ({ ...document, score: -k, isEdited: k === i })),
    })),
  );

/** Makes a vocabulary: rows for the marks, then letters, their continuations, and words of the toy data. */
function vocabulary(): string {
  const letters = [...'abcdefghijklmnopqrstuvwxyz0123456789'];
  const words = ['def', 'return', 'value', 'values', 'wrong', 'for', 'get', 'lib', 'py', 'price'];
  words.push('login', 'colour', 'folder', 'crash', 'slow', 'picture', 'letter', 'cost', 'session');
  words.push('palette', 'directory', 'abort', 'latency', 'image', 'mail', 'other', 'part');
  const marks = Array.from({ length: 104 }, (_, i) =>
    i === 0 ? '[PAD]' : i === 100 ? '[UNK]' : `[unused${i}]`,
  );
  const tokens = [...marks, ...letters, ...letters.map((letter) => `##${letter}`), ...words];
  return tokens.map((token) => `${token}\n`).join('');
}

/** Writes rows for a small bag encoder. */
const writeBagRows = (name: string) =>
  writeRows(
    ...['--data', at('data'), '--copies', at('copies'), '--out', at(name)],
    ...['--words', '120', '--word-buckets', '64', '--pair-buckets', '64'],
  );

const train = (run: string, ...more: string[]) =>
  transformer(
    ...['train', '--rows', at('rows'), '--run', at(run)],
    ...[...SHAPE, ...STEP, ...SCHEDULE, ...more],
  );

/** Returns the MRR of a run on held-out data. */
async function mrr(run: string): Promise<number> {
  const where = ['--run', at(run), '--rows', at('rows')];
  return Number(/^commits .*"MRR": ([\d.]+)/m.exec(await transformer('evaluate', ...where))?.[1]);
}

/** Runs Python code that finds the trainer's options in `options`. Returns its output. */
const trainer = (script: string, ...more: string[]) =>
  python(
    '-c',
    `
import argparse, json, sys
sys.path.insert(0, sys.argv[1])
import numpy as np
import torch
from transformer import train
parser = argparse.ArgumentParser()
train.add_options(parser.add_argument)
options = parser.parse_args(sys.argv[2:])
${script}`,
    ...[SCRIPTS, '--rows', at('rows')],
    ...[...SHAPE, ...STEP, ...SCHEDULE, ...more],
  );

async function readFixture(): Promise<Fixture> {
  return JSON.parse(await readFile(at('fixture.json'), 'utf8'));
}

/** Returns 1 - cosine of two unit vectors. */
function distance(a: ArrayLike<number>, b: ArrayLike<number>): number {
  return 1 - Array.from(a).reduce((sum, value, i) => sum + value * b[i], 0);
}

/** Makes a model folder in which every device uses the file of one precision. */
async function modelWith(precision: string): Promise<string> {
  const copy = at(precision);
  await cp(at(precision === 'float32' ? 'wide' : 'toy'), copy, { recursive: true });
  const manifest = JSON.parse(await readFile(join(copy, 'model.json'), 'utf8'));
  const files = { cpu: `model.${precision}.onnx` };
  await writeFile(join(copy, 'model.json'), JSON.stringify({ ...manifest, files }));
  return copy;
}

/** MRR before and after the training, and the output of its second part. */
let [first, last, resumed] = [Number.NaN, Number.NaN, ''];

before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'locus-transformer-'));
  await writeMined(at('data'));
  await Promise.all(['copies', 'issues', 'learn'].map((name) => mkdir(at(name))));
  await writeFile(at('issues', 'toy__toy.jsonl'), issues());
  await writeFile(at('vocab.txt'), vocabulary());
  await writeFile(at('learn', 'a__six.jsonl'), lists());
  const given = ['--bert', at('vocab.txt'), '--copies', at('copies')];
  await writeRows('--data', at('data'), '--issues', at('issues'), ...given, '--out', at('rows'));
  await writeRows('--learn', at('learn'), ...given, '--out', at('learned'));
  await train('run', '--steps', '1');
  first = await mrr('run');
  await cp(at('run'), at('begun'), { recursive: true });
  resumed = await train('run', '--steps', '60');
  const stage = ['--rows', at('rows'), at('learned'), '--rate', '1e-3'];
  await train('run', '--steps', '64', ...stage);
  await transformer('cool', '--run', at('run'), '--out', at('cooled'), '--steps', '20');
  await train('cooled');
  last = await mrr('cooled');
  const model = ['export', '--run', at('cooled'), '--id', 'toy', '--version', '1.0.0'];
  const card = ['--rows', at('rows'), '--trained-on', 'Toy data.'];
  await writeFile(at('fixture.json'), JSON.stringify(await tokensOfTexts()));
  await transformer(...model, ...card, '--out', at('toy'), '--fixture', at('fixture.json'));
  await transformer(...model, '--gpu', 'float32', '--out', at('wide'));
});

const tokensOf = ({ inputIds, tokenTypeIds }: EncoderRow) => ({
  tokens: [...inputIds],
  types: [...tokenTypeIds],
});

/** Returns the texts whose embeddings are compared. */
async function tokensOfTexts() {
  const inputs = await openStart(at('rows')).inputs();
  return {
    documents: AWKWARD_DOCUMENTS.map((document) => tokensOf(inputs.buildDocument(document))),
    issues: AWKWARD_ISSUES.map((issue) => tokensOf(inputs.buildQuery(createTextQuery(issue)))),
  };
}

after(() => rm(folder, { recursive: true, force: true }));

test('training continues, cools, and learns', async (t) => {
  assert.match(resumed, /continues after step 1\n/);
  t.diagnostic(`MRR on a repository that was held out: ${first} before, ${last} after`);
  assert.ok(last > first + 0.2 && last > 0.5, `MRR ${first}, then ${last}`);
  const card = await readFile(at('toy', 'README.md'), 'utf8');
  assert.match(card, /\| commits \| 32 \|/);
  for (const step of [0, 60, 64]) assert.match(card, new RegExp(`From step ${step}:\n`));
  assert.match(card, /\| `rate` \| 0\.005 \|/);
  const { quality } = JSON.parse(await readFile(at('toy', 'model.json'), 'utf8'));
  assert.ok(quality.mrr > 0.5, `MRR ${quality.mrr} among four chunks`);
});

test('a stopped and continued run has the weights of an uninterrupted one', async () => {
  await train('whole', '--steps', '6');
  await train('parts', '--steps', '2');
  await train('parts', '--steps', '6');
  const printed = await python(
    '-c',
    `
import sys, torch
whole, parts = (torch.load(file) for file in sys.argv[1:])
print(all(torch.equal(whole[kind][name], parts[kind][name]) for kind in ("encoder", "averaged") for name in whole[kind]))
print(whole["queries"] == parts["queries"] == 72)`,
    at('whole', 'checkpoint.pt'),
    at('parts', 'checkpoint.pt'),
  );
  assert.equal(printed, 'True\nTrue\n');
});

test('training continues from an exported model', async () => {
  const printed = await trainer(
    `
cooled = torch.load(${JSON.stringify(at('cooled', 'checkpoint.pt'))})["averaged"]
taken = train.Trainer(options).averaged
of = [name for name in cooled if name != "log_temperature"]
print(len(of) > 20 and all(torch.equal(cooled[name].half(), taken[name].half()) for name in of))`,
    ...['--run', at('from-shipped'), '--start', at('toy')],
  );
  assert.match(printed, /\nTrue\n$/);
});

test('a step has edited chunks as positives, and no other versions of them as negatives', async () => {
  const printed = await trainer(
    `
found = train.Trainer(options).draws
for number in range(20):
    queries, documents, step = found.step(number)
    assert len(queries) + len(documents) <= options.texts, "too many texts"
    keys = step.repository.documents_keys()
    for commit, positives, allowed in zip(step.commits, step.positives, step.allowed):
        assert set(step.documents[positives]) <= set(commit["pos"]) and positives.any(), "positives"
        edited = set(keys[commit["pos"]])
        assert all((keys[d] in edited) != bool(a) for d, a in zip(step.documents, allowed)), "allowed"
        assert not (positives & allowed).any(), "both"
options.others = True
queries, documents, step = found.step(3)
assert len(queries) + len(documents) <= options.texts and step.positives.shape == (len(queries), len(documents)), "mixed"
assert step.positives.any(1).all() and (step.positives.sum(0) <= 1).all() and (step.positives != step.allowed).all(), "mixed"
# Equation 2 by hand: two queries, three documents.
scores = torch.tensor([[2.0, 1.0, 0.5], [0.0, 3.0, 1.0]])
positives = torch.tensor([[1, 1, 0], [0, 0, 1]], dtype=torch.bool)
allowed = torch.tensor([[0, 0, 1], [1, 1, 0]], dtype=torch.bool)
e = np.exp
by_hand = np.mean([
    -np.mean([np.log(e(2) / (e(2) + e(0.5))), np.log(e(1) / (e(1) + e(0.5)))]),
    -np.log(e(1) / (e(1) + e(0) + e(3))),
])
assert abs(train.likelihood_loss(scores, positives, allowed).item() - by_hand) < 1e-6, "loss"
print("as it should be")`,
    ...['--run', at('draws')],
  );
  assert.match(printed, /as it should be/);
});

test('real issues are used unchanged for training', async () => {
  const printed = await trainer(
    `
found = train.Trainer(options).draws
queries, documents, step = found.step(0)
ids_of = json.load(open(f"{options.run}/tokenizer.json"))["model"]["vocab"]
vocabulary = sorted(ids_of, key=ids_of.get)
said = {" ".join(vocabulary[i] for i in ids[1:]) for ids, _ in queries}
print(sorted(said)[0], "|", sorted(len(commit["neg"]) for commit in step.commits), len(documents), step.positives.sum())`,
    ...['--run', at('real'), '--rows', at('learned'), '--gaps', '0'],
  );
  assert.match(printed, /\nwrong colour for a ##9 values \| \[3, 3, 3, 3\] 4 4\n/);
});

test('real issues have the given share of steps', async () => {
  const printed = await trainer(
    `
draws = train.Trainer(options).draws
real = [weight for of, weight in zip(draws.repositories, draws.weights) if of.real]
print(len(real), round(sum(real) / sum(draws.weights), 3))`,
    ...['--run', at('share'), '--rows', at('rows'), at('learned'), '--issues', '0.7'],
  );
  assert.match(printed, /\n1 0\.7\n/);
});

test('training with several repositories per step learns', async (t) => {
  const step = [
    '--repositories-per-step',
    '2',
    '--texts',
    '40',
    '--queries',
    '12',
    '--plain',
    '0.9',
  ];
  const schedule = ['--rate', '5e-3', '--warm-up', '10', '--average', '0.9', '--processes', '2'];
  const run = (name: string, ...more: string[]) =>
    transformer(
      ...['train_gpu', '--rows', at('rows'), at('learned'), '--run', at(name)],
      ...['--start', at('begun'), ...step, ...schedule, ...more],
    );
  await run('together', '--steps', '60', '--device', 'cpu');
  const reached = await mrr('together');
  t.diagnostic(`MRR on a repository that was held out: ${first} before, ${reached} after`);
  assert.ok(reached > first + 0.2 && reached > 0.5, `MRR ${first}, then ${reached}`);
  await assert.rejects(run('endless'), /Give --seconds or --steps/);
});

test('concatenated texts have the same embeddings and gradients as padded ones', async () => {
  const script = `
import sys
sys.path.insert(0, sys.argv[1])
import torch
from transformer.embed import embed_texts
from transformer.model import Encoder
from transformer.unpadded import Unpadded, concatenate
torch.manual_seed(0)
encoder = Encoder({"vocabulary": 200, "dimensions": 32, "layers": 2, "heads": 2, "positions": 80})
texts = [(torch.randint(1, 200, (n,)).numpy(), torch.randint(0, 8, (n,)).numpy()) for n in (5, 80, 1, 17, 80, 33)]
row, cpu = concatenate(texts), torch.device("cpu")
towards = torch.randn(len(texts), 32)
def vectors_and_gradients(made):
    encoder.zero_grad()
    (made * towards).sum().backward()
    return made.detach(), {name: of.grad.clone() for name, of in encoder.named_parameters() if of.grad is not None}
padded, wanted = vectors_and_gradients(embed_texts(encoder, texts, 600, cpu))
made, given = vectors_and_gradients(Unpadded(encoder, cpu).embed(row))
print((1 - (made * padded).sum(1)).max().item())
print(max((1 - torch.cosine_similarity(given[name].flatten(), of.flatten(), dim=0)).item() for name, of in wanted.items()))
print((Unpadded(encoder, cpu).embed(row, 0.5) - made).abs().max().item())`;
  const [vectors, gradients, dropped] = (await python('-c', script, SCRIPTS))
    .split('\n')
    .map(Number);
  assert.ok(vectors! < 1e-3 && gradients! < 1e-2, `apart by ${vectors}, gradients by ${gradients}`);
  assert.ok(dropped! > 1e-3, `with dropout apart by ${dropped}`);
});

test('training continues from a model in int8', async () => {
  const script = `
import sys
sys.path.insert(0, sys.argv[1])
import torch
from transformer.graph import read_exported
taken, given = (read_exported(sys.argv[2], 2, device).state_dict() for device in ("cpu", "gpu"))
print(max((taken[name] - value).abs().max().item() / value.abs().max().clamp(min=1e-6).item() for name, value in given.items()))`;
  const apart = Number(await python('-c', script, SCRIPTS, at('toy')));
  assert.ok(apart > 0 && apart < 0.01, `apart by ${apart} of the largest weight`);
});

test('a cross-encoder learns a handful of lists by heart, and an encoder learns from it', async (t) => {
  const file = at('learn', 'a__six.jsonl');
  const start = openStart(at('rows'));
  await Promise.all(['listed', 'gpu'].map((name) => mkdir(at(name))));
  const positions = { numbers: new Float32Array(192 * 32), width: 32 };
  writeTensors(at('gpu', 'positions.safetensors'), {}, { positions });
  const source = readIssues(file, new Set(), chooseReranked(false));
  await writeSource(source, at('listed', 'a+six.safetensors'), start);
  const script = `
import argparse, os, sys
sys.path.insert(0, sys.argv[1])
import torch
from gpu.checkpoints import read_pieces
from gpu.cross import CrossEncoder, CrossTrainer, lengthen, read_lists
from gpu.distill import Distiller
from gpu.lists import Measured, PairDraws, TargetDraws, cosines
from rows import TRAIN, load_rows
from transformer import train_gpu
from transformer.graph import read_exported
from transformer.unpadded import Unpadded
_, toy, rows, out = sys.argv[1:]
lists = load_rows([rows], TRAIN)
class Cross(CrossTrainer):
    def open(self, options):
        torch.manual_seed(1)
        return CrossEncoder(lengthen(read_exported(toy, 2, "cpu"), options.positions)), [], 0
class Student(Distiller):
    def open(self, options):
        encoder = read_exported(toy, 2, "cpu")
        encoder.tokens.weight.requires_grad_(False)
        return encoder, [], 0
def train(kind, draws, name, **more):
    parser = argparse.ArgumentParser()
    train_gpu.add_options(parser.add_argument)
    options = parser.parse_args(["--rows", "", "--run", out, "--start", "", "--device", "cpu", "--dropout", "0"])
    vars(options).update(more, name=name, out=out, warm_up=5, average=0.8, processes=1, gaps=0, checkpoint_seconds=1e9, seed=3)
    options.positions = os.path.join(out, "positions.safetensors")
    trainer = kind(options)
    with train_gpu.StepQueue(draws(lists, [1], options), 1) as steps:
        trainer.train(steps)
    trainer.module.load_state_dict(trainer.averaged)
    return trainer.module.eval()
measured = Measured(lists)
def mrr(scores, name="model alone"):
    return measured.measure({"model": scores})["issues"][name]["MRR"]
cross = train(Cross, PairDraws, "cross", lists=4, candidates=4, unscored=0.3, steps=80, rate=3e-3)
alone, scored = (read_lists(cross, lists, 4000, given) for given in (False, True))
for commit in lists[0].commits:
    commit["teacher"] = alone[lists[0].name, True, commit["row"]]
def similar(encoder):
    return cosines(Unpadded(encoder, torch.device("cpu")), lists, 4000)
student = train(Student, TargetDraws, "distilled", queries=4, repositories_per_step=1, soft=0.5, steps=80, rate=3e-3)
kept = read_pieces(out, "distilled")["weights"]
state = student.state_dict()
same = all(torch.equal(kept[name], state[name].half()) for name in kept) and "tokens.weight" not in kept
print(mrr(scored, "initial ranking"), mrr(alone), mrr(scored), mrr(similar(student)), same)`;
  const printed = await python('-c', script, SCRIPTS, at('toy'), at('listed'), at('gpu'));
  const [initial, alone, scored, distilled, isKept] = printed.trim().split('\n').at(-1)!.split(' ');
  t.diagnostic(
    `MRR of four lists: ${initial} at first, ${alone} alone, ${scored} with scores, ${distilled} distilled`,
  );
  assert.ok(Number(initial) < 0.6, `MRR ${initial} at first`);
  assert.deepEqual([alone, scored, isKept].map(String), ['1.0', '1.0', 'True']);
  assert.ok(Number(distilled) > 0.9, `MRR ${distilled} distilled`);
  const run = ['--run', at('distilled'), '--model', at('toy'), '--checkpoints', at('gpu')];
  await python(join(SCRIPTS, 'gpu'), 'restore', '--heads', '2', ...run);
  const model = ['--id', 'toy', '--version', '1.1.0', '--out', at('distilled-model')];
  await cp(at('fixture.json'), at('distilled.json'));
  await transformer(
    'export',
    '--run',
    at('distilled'),
    ...model,
    '--fixture',
    at('distilled.json'),
  );
  const fixture: Fixture = JSON.parse(await readFile(at('distilled.json'), 'utf8'));
  const encoder = await createEncoder({ modelFolder: at('distilled-model'), device: 'cpu' });
  try {
    for (const [i, issue] of AWKWARD_ISSUES.entries()) {
      const embedding = await encoder.encodeQuery(createTextQuery(issue));
      const apart = distance(embedding, fixture.issues[i]!.embedding);
      assert.ok(apart < TOLERANCES.int8, `apart by ${apart}: ${issue.slice(0, 40)}`);
    }
  } finally {
    await encoder.close();
  }
});

test('weights of a BERT are loaded unchanged', async () => {
  // Compares with PyTorch's own layer with the same weights.
  const script = `
import json, struct, sys, os
sys.path.insert(0, sys.argv[1])
import numpy as np
import torch
from transformer.model import pretrained
torch.manual_seed(0)
d, layer = 8, "encoder.layer.0."
shapes = {"embeddings.word_embeddings.weight": (110, d), "embeddings.token_type_embeddings.weight": (2, d)}
shapes.update({"embeddings.position_embeddings.weight": (400, d)})
linear = {"attention.self.query": d, "attention.self.key": d, "attention.self.value": d, "attention.output.dense": d}
for name, rows in {**linear, "intermediate.dense": 4 * d, "output.dense": d}.items():
    shapes[f"{layer}{name}.weight"] = (rows, 4 * d if name == "output.dense" else d)
    shapes[f"{layer}{name}.bias"] = (rows,)
for name in ("embeddings.", f"{layer}attention.output.", f"{layer}output."):
    shapes.update({f"{name}LayerNorm.weight": (d,), f"{name}LayerNorm.bias": (d,)})
given = {name: torch.randn(shape) for name, shape in shapes.items()}
header, at = {}, 0
for name, value in given.items():
    header[name] = {"dtype": "F32", "shape": list(value.shape), "data_offsets": [at, at + 4 * value.numel()]}
    at += 4 * value.numel()
text = json.dumps(header).encode()
with open(os.path.join(sys.argv[2], "model.safetensors"), "wb") as stream:
    stream.write(struct.pack("<Q", len(text)) + text + b"".join(value.numpy().tobytes() for value in given.values()))
with open(os.path.join(sys.argv[2], "config.json"), "w") as stream:
    json.dump({"num_hidden_layers": 1, "num_attention_heads": 2}, stream)
made = pretrained(sys.argv[2]).eval()
theirs = torch.nn.TransformerEncoderLayer(d, 2, 4 * d, activation="gelu", batch_first=True, layer_norm_eps=1e-12).eval()
of = lambda name, kind: given[f"{layer}{name}.{kind}"]
parts = {"linear1": "intermediate.dense", "linear2": "output.dense", "norm1": "attention.output.LayerNorm"}
parts.update({"norm2": "output.LayerNorm", "self_attn.out_proj": "attention.output.dense"})
state = {f"{mine}.{kind}": of(name, kind) for mine, name in parts.items() for kind in ("weight", "bias")}
for kind in ("weight", "bias"):
    state[f"self_attn.in_proj_{kind}"] = torch.cat([of(f"attention.self.{part}", kind) for part in ("query", "key", "value")])
theirs.load_state_dict(state)
ids = torch.tensor([[1, 105, 107, 2, 109]])
rows = given["embeddings.word_embeddings.weight"][torch.tensor([[101, 105, 107, 102, 109]])]
x = rows + given["embeddings.token_type_embeddings.weight"][0] + given["embeddings.position_embeddings.weight"][:5]
x = torch.nn.functional.layer_norm(x, (d,), *(given[f"embeddings.LayerNorm.{kind}"] for kind in ("weight", "bias")), 1e-12)
with torch.no_grad():
    wanted = torch.nn.functional.normalize(theirs(x).mean(1), dim=1)
    print((made(ids, torch.full_like(ids, 3), torch.ones_like(ids)) - wanted).abs().max().item())`;
  await mkdir(at('bert'));
  const apart = Number(await python('-c', script, SCRIPTS, at('bert')));
  assert.ok(apart < 1e-5, `apart by ${apart}`);
});

test('the exported model has the tokens of its rows', async () => {
  const inputs = await createInputs(at('toy'), await verifyModel(at('toy')));
  const { documents, issues } = await readFixture();
  assert.ok(documents.length > 5 && issues.length > 3);
  for (const [i, document] of AWKWARD_DOCUMENTS.entries()) {
    const { tokens, types } = documents[i];
    assert.deepEqual(tokensOf(inputs.buildDocument(document)), { tokens, types }, document.path);
  }
  for (const [i, issue] of AWKWARD_ISSUES.entries()) {
    const { tokens, types } = issues[i];
    const made = tokensOf(inputs.buildQuery(createTextQuery(issue)));
    assert.deepEqual(made, { tokens, types }, issue.slice(0, 40));
  }
});

for (const precision of ['int8', 'float16', 'float32'] as const) {
  test(`${precision} on the CPU embeds as PyTorch does`, async (t) => {
    const modelFolder = await modelWith(precision);
    const encoder = await createEncoder({ modelFolder, device: 'cpu' });
    t.after(() => encoder.close());
    const { documents, issues } = await readFixture();
    const { keys, vectors } = await encoder.encode([...AWKWARD_DOCUMENTS], (asked) =>
      asked.map(() => false),
    );
    const distances = documents.map((made, i) => distance(vectors.get(keys[i])!, made.embedding));
    for (const [i, issue] of AWKWARD_ISSUES.entries()) {
      distances.push(
        distance(await encoder.encodeQuery(createTextQuery(issue)), issues[i].embedding),
      );
    }
    const largest = Math.max(...distances);
    t.diagnostic(`largest 1 - cosine: ${largest.toExponential(1)}`);
    assert.ok(largest < TOLERANCES[precision], `1 - cosine is ${largest}`);
  });
}

test('WebGPU embeds as the CPU does', async (t) => {
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
    // A device without half precision is reported, and the CPU takes over.
    assert.match(half.fallback!, /f16/);
    t.diagnostic(`NOT TESTED in half precision: ${half.fallback}`);
  }
});

test('a bag encoder learns from the transformer alone', async (t) => {
  const run = ['--run', at('cooled'), '--rows', at('rows')];
  await transformer('teach', ...run, '--out', at('taught'));
  await writeBagRows('bags');
  const settings = ['--dimensions', '32', '--spread', '2', '--commits', '16', '--rate', '0.02'];
  settings.push('--teacher', at('taught'), '--soft', '1', '--docstrings', '0');
  const measured: number[] = [];
  for (const steps of ['1', '200']) {
    const where = ['--rows', at('bags'), '--run', at('bag')];
    await bag('train.py', ...where, '--steps', steps, ...settings);
    const printed = await bag('evaluate.py', '--run', at('bag'), '--rows', at('bags'));
    measured.push(Number(/^all commits.*'MRR': ([\d.]+)/m.exec(printed)?.[1]));
  }
  const [first, last] = measured;
  t.diagnostic(`MRR on a repository that was held out: ${first} before, ${last} after`);
  assert.ok(last > first + 0.1 && last > 0.4, `MRR ${first}, then ${last}`);
});

test('with --beside, it learns what a bag encoder and BM25 miss', async (t) => {
  await writeBagRows('beside-bags');
  const small = ['--dimensions', '32', '--spread', '2', '--commits', '16', '--steps', '20'];
  await bag('train.py', '--rows', at('beside-bags'), '--run', at('beside-bag'), ...small);
  const names = ['--id', 'toy-bag', '--version', '1.0.0'];
  await bag('export.py', '--run', at('beside-bag'), '--out', at('toy-bag'), ...names);
  const model = ['--model', at('toy-bag')];
  await transformer('beside', '--rows', at('beside-bags'), ...model, '--out', at('beside'));
  assert.deepEqual(
    (await readdir(at('beside'))).sort(),
    REPOSITORIES.slice(0, -1)
      .map((name) => `${name}.npz`)
      .sort(),
    'of what is trained on',
  );
  const told = await train('beside-run', '--steps', '30', '--beside', at('beside'));
  const [, cosine, words] = /weights of --beside: (-?[\d.]+) for the bag's cosine, (-?[\d.]+)/.exec(
    told,
  )!;
  t.diagnostic(`${cosine} of the cosine, ${words} of BM25`);
  const log = (await readFile(at('beside-run', 'log.jsonl'), 'utf8')).trim().split('\n');
  const losses = log.map((line) => JSON.parse(line).loss).filter(Number.isFinite);
  assert.ok(losses.at(-1) < losses[0], `${losses}`);

  const printed = await trainer(
    `
made = train.Trainer(options)
step = made.draws.step(3)[2]
scores = made.beside.scores(step)
vectors = np.load(f"{options.beside}/{step.repository.name}.npz")
cosines = vectors["queries"][[c["row"] for c in step.commits]].astype("float32") @ vectors["documents"][step.documents].astype("float32").T
words = (scores.numpy() - float(made.beside.weights[0]) * cosines) / float(made.beside.weights[1])
named = [step.documents.tolist().index(c["pos"][0]) for c in step.commits]
print(tuple(scores.shape) == step.positives.shape, np.mean([words[i, n] for i, n in enumerate(named)]) > words.mean())`,
    ...['--run', at('beside-run'), '--beside', at('beside')],
  );
  assert.match(printed, /\nTrue True\n$/);
});

test('split files can be joined, unless a piece is damaged', async () => {
  const pieces = at('pieces');
  await transformer('split', at('run'), at('data'), '--out', pieces, '--megabytes', '0.05');
  assert.ok((await readdir(pieces)).length > 5);
  await transformer('join', pieces, '--out', at('joined'));
  for (const name of ['run/checkpoint.pt', 'run/log.jsonl', `data/${REPOSITORIES[0]}.zst`]) {
    assert.deepEqual(await readFile(at('joined', name)), await readFile(at(name)));
  }
  await appendFile(join(pieces, '00001'), 'x');
  await assert.rejects(transformer('join', pieces, '--out', at('again')), /Piece 00001 .*damaged/);
});
