/*
 * Trains a small reader from mined data and lists of issues to a folder that the engine loads, and compares what both see.
 */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { promisify } from 'node:util';
import { crc32 } from 'node:zlib';
import { findPython } from '../../scripts/python.ts';
import { queryOf } from '../../src/engine/issue/queries.ts';
import { featuresOf, frequenciesOf } from '../../src/engine/read/features.ts';
import { IssueWords } from '../../src/engine/read/issue-words.ts';
import { readLexicon } from '../../src/engine/read/lexicon.ts';
import { createReader } from '../../src/engine/read/reader.ts';
import { candidateWords, queryWords, type Readable } from '../../src/engine/read/tokens.ts';
import { mined, REPOSITORIES, TOPICS } from './toy-data.ts';

const LAB = join(import.meta.dirname, '../../lab');
const SMALL = ['--dimensions', '16', '--queries', '4', '--rate', '5e-3', '--warm-up', '5'];
const SCHEDULE = ['--average', '0.9', '--float32'];
/** Of scores, in single precision on both sides. */
const TOLERANCE = 1e-4;
const FOLDS = 5;
const never = new AbortController().signal;

interface Fixture {
  candidates: Readable[];
  issues: {
    issue: string;
    sizes: number[];
    kinds: number[];
    tokens: string;
    words: string;
    scores: number[];
  }[];
}

const interpreter = findPython();
let folder = '';
const at = (...names: string[]) => join(folder, ...names);

async function run(program: string, ...args: string[]): Promise<string> {
  const { stdout } = await promisify(execFile)(program, args);
  return stdout;
}

const reader = (...args: string[]) => run(interpreter, join(LAB, 'reader'), ...args);

/** What Python prints of code that knows the reader's modules. */
const python = (script: string, ...args: string[]) =>
  run(
    interpreter,
    '-c',
    `import sys\nsys.path[:0] = [sys.argv[1] + "/encoder", sys.argv[1]]\n${script}`,
    LAB,
    ...args,
  );

const where = () => ['--prepared', at('prepared'), '--lexicon', at('lexicon')];
const train = (name: string, ...more: string[]) =>
  reader('train', ...where(), '--run', at(name), ...SMALL, ...SCHEDULE, ...more);

/** The name of a repository whose issues are dealt to a fold. */
function repositoryOf(fold: number): string {
  const names = Array.from({ length: 50 }, (_, i) => `toy/${i}`);
  return names.find((name) => crc32(name) % FOLDS === fold) ?? '';
}

/** An issue about each topic, with a function about every topic among its candidates; the ranker has it the wrong way. */
function lists(repo: string): string {
  const candidates = TOPICS.map(([, meant], i) => ({
    path: `lib/part${i}.py`,
    name: `${meant}_x`,
    text: `def ${meant}_x(value):\n    """Of this."""\n    return ${meant}.get(value)`,
    signatureEnd: `def ${meant}_x(value):`.length,
    doc: null,
    callees: i ? [{ path: 'lib/part0.py', text: 'def other(value):' }] : [],
    score: i,
  }));
  const issues = TOPICS.map(([said], i) => ({
    instance: `${repo}-${i}`,
    repo,
    issue: `Wrong ${said} for values`,
    edited: 1,
    candidates: candidates.map((candidate, k) => ({ ...candidate, isEdited: i === k })),
  }));
  return issues.map((line) => `${JSON.stringify(line)}\n`).join('');
}

/** A bag encoder's vectors: words of one topic are near each other, no others are. */
const BAG = `
import os
import numpy as np
from onnx_file import FLOAT, model
topics = [pair.split(",") for pair in sys.argv[3].split(";")]
words = ["def", "value", "return", "wrong", "for", "values", *(word for pair in topics for word in pair)]
vectors = np.zeros((len(words), 40), np.int8)
vectors[range(len(words)), range(len(words))] = 80
for i, word in enumerate(words[6:]):
    vectors[6 + i, 30 + i // 2] = 100
os.makedirs(sys.argv[2])
open(sys.argv[2] + "/vocab.txt", "w").write("\\n".join(words) + "\\n")
constants = {"vectors": vectors}
open(sys.argv[2] + "/model.int8.onnx", "wb").write(model([], constants, {"x": (FLOAT, [1])}, ("x", [1])))`;

async function writeLists(to: string, repositories: string[]): Promise<void> {
  await mkdir(at(to));
  for (const repo of repositories) {
    await writeFile(at(to, `${repo.replace('/', '__')}.jsonl`), lists(repo));
  }
  await run(process.execPath, join(LAB, 'reader/queries.ts'), at(to), at(`${to}-queries`));
}

const prepare = (...more: string[]) =>
  reader('prepare', '--lexicon', at('lexicon'), '--out', at('prepared'), ...more);

interface Measured {
  commits: { MRR: number };
  issues: { MRR: number };
}

/** What was measured at the end of a run. */
async function lastMeasured(name: string): Promise<Measured> {
  const lines = (await readFile(at(name, 'log.jsonl'), 'utf8')).trimEnd().split('\n');
  return lines.map((line) => JSON.parse(line).measured).findLast((measured) => measured);
}

const floats = (base64: string) =>
  new Float32Array(Uint8Array.from(Buffer.from(base64, 'base64')).buffer);

const fixture = async (): Promise<Fixture> =>
  JSON.parse(await readFile(at('fixture.json'), 'utf8'));

before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'locus-reader-'));
  await mkdir(at('data'));
  for (const [i, repo] of REPOSITORIES.entries()) {
    await writeFile(at('data', `${repo}.zst`), mined(repo, i));
  }
  await python(BAG, at('bag'), TOPICS.map((pair) => pair.join()).join(';'));
  await python('import numpy\nnumpy.save(sys.argv[2], numpy.zeros(0, "uint64"))', at('copies.npy'));
  await reader('lexicon', '--model', at('bag'), '--out', at('lexicon'));
  await writeLists('lists', [repositoryOf(0), repositoryOf(2)]);
  await prepare('--data', at('data'), '--copies', at('copies.npy'));
  await prepare('--lists', at('lists'), at('lists-queries'));
});

after(() => rm(folder, { recursive: true, force: true }));

test('training goes on, learns from commits and issues, and is exported', async (t) => {
  await train('run', '--steps', '1');
  const first = await lastMeasured('run');
  assert.match(await train('run', '--steps', '60'), /goes on after step 1\n/);
  await train('run', '--steps', '80', '--issues', '0.5');
  const last = await lastMeasured('run');
  t.diagnostic(`MRR: ${JSON.stringify(first)} before, ${JSON.stringify(last)} after`);
  assert.ok(
    last.commits.MRR > first.commits.MRR + 0.2,
    'commits of a repository that was held out',
  );
  assert.ok(last.issues.MRR > 0.9, 'issues of a repository that was held out');
  const evaluated = await reader('evaluate', ...where(), '--run', at('run'), '--folds', '0');
  assert.match(
    evaluated,
    /^ranker +\{"issues": 8, .*"MRR": 0\.3397\}\nreader .*\nadded, out of fold/,
  );
  const model = ['--id', 'toy', '--version', '1.0.0', '--fixture', at('fixture.json')];
  const from = ['--run', at('run'), '--weights', 'checkpoint.pt', '--lexicon', at('lexicon')];
  await reader('export', ...from, '--out', at('toy'), ...model);
});

test('the engine sees what training saw, to the bit', async () => {
  const lexicon = await readLexicon(at('toy/words.txt'), at('toy/neighbours.bin'));
  const { candidates, issues } = await fixture();
  assert.ok(candidates.length > 0 && issues.length > 0);
  const words = candidates.map((candidate) => candidateWords(candidate, lexicon.vocabulary));
  for (const made of issues) {
    const asked = new IssueWords(queryWords(queryOf(made.issue), lexicon.vocabulary), lexicon);
    const frequencies = frequenciesOf(words);
    const features = words.map((own) => featuresOf(own, asked, frequencies, words.length));
    assert.deepEqual(
      words.map(({ length }) => length),
      made.sizes,
    );
    assert.deepEqual(
      features.flatMap(({ kinds }) => [...kinds]),
      made.kinds,
    );
    assert.deepEqual(
      features.flatMap(({ tokens }) => [...tokens]),
      [...floats(made.tokens)],
    );
    assert.deepEqual(
      features.flatMap(({ issue }) => [...issue]),
      [...floats(made.words)],
    );
  }
});

test('the engine scores as PyTorch does, and says what matched', async (t) => {
  const toy = await createReader(at('toy'));
  t.after(() => toy.close());
  const { candidates, issues } = await fixture();
  const differences: number[] = [];
  for (const { issue, scores } of issues) {
    const made = await toy.score(queryOf(issue), candidates, never);
    differences.push(...scores.map((score, i) => Math.abs(score - made[i])));
  }
  const largest = Math.max(...differences);
  t.diagnostic(`largest difference of scores: ${largest.toExponential(1)}`);
  assert.ok(largest < TOLERANCE, `scores differ by ${largest}`);

  const [first] = toy.matches(queryOf('Prices: total_price'), candidates.slice(-1));
  const exact = { how: 'exact', similarity: 1, frequency: 1 };
  assert.deepEqual(first, [
    { word: 'total', as: 'total', parts: ['name', 'body'], ...exact },
    { word: 'price', as: 'price', parts: ['body'], ...exact },
    { word: 'prices', as: 'prices', parts: ['body'], ...exact },
  ]);
});

test('reading stops between batches, and nothing is read of nothing', async (t) => {
  const toy = await createReader(at('toy'));
  t.after(() => toy.close());
  const { candidates } = await fixture();
  const many = Array.from({ length: 12 }, () => candidates).flat();
  const batches: number[] = [];
  for await (const { length } of toy.read(queryOf('total price'), many)) batches.push(length);
  assert.ok(batches.length > 1, 'several batches');
  assert.equal(
    batches.reduce((sum, length) => sum + length),
    many.length,
  );
  const stop = AbortSignal.abort();
  await assert.rejects(toy.score(queryOf('total price'), many, stop), { code: 'cancelled' });
  assert.deepEqual(await toy.score(queryOf('total price'), [], never), new Float32Array());
  assert.deepEqual(
    await toy.score(queryOf('…'), candidates.slice(0, 2), never),
    new Float32Array(2),
  );
});

test('a folder that is no reader is refused', async () => {
  await assert.rejects(createReader(at('lexicon')), { code: 'bad-model' });
  await mkdir(at('broken'));
  for (const name of ['reader.json', 'reader.onnx', 'words.txt']) {
    await writeFile(at('broken', name), await readFile(at('toy', name)));
  }
  await writeFile(at('broken', 'neighbours.bin'), new Uint8Array(3));
  await assert.rejects(createReader(at('broken')), /neighbours\.bin is not of the 22 words/);
});

test('a run that was stopped has the weights of one that was not', async () => {
  const more = ['--issues', '0.5', '--held', '4'];
  await train('whole', '--steps', '6', ...more);
  await train('parts', '--steps', '2', ...more);
  await train('parts', '--steps', '6', ...more);
  const printed = await python(
    `
import torch
whole, parts = (torch.load(file) for file in sys.argv[2:])
print(all(torch.equal(whole[kind][name], parts[kind][name]) for kind in ("reader", "current") for name in whole[kind]))`,
    at('whole', 'checkpoint.pt'),
    at('parts', 'checkpoint.pt'),
  );
  assert.equal(printed, 'True\n');
});

test('a training stops where held-out issues are no longer ordered better', async () => {
  const schedule = ['--rate', '0', '--patience', '2', '--measure-minutes', '0', '--steps', '50'];
  const log = await train('stopped', ...schedule);
  assert.equal(log.match(/"measured"/g)?.length, 4);
});

test('issues of repositories that must not be seen are refused', async () => {
  await writeLists('forbidden', ['adamchainz/django']);
  await assert.rejects(
    prepare('--lists', at('forbidden'), at('forbidden-queries')),
    /only for what is train or tune.*adamchainz\+django \(never\)/,
  );
});

test('measures and the loss, by hand', async () => {
  const printed = await python(`
import numpy as np
import torch
from reader.corpus import List
from reader.evaluate import added_scores, gain, ranks_of, summary
from reader.train import list_loss
def made(labels, edited, scores, family="a/b"):
    return List("", family, np.array(labels, bool), edited, np.array(scores, np.float32), [], {}, None, 0)
of = made([0, 1, 0, 1], 3, [4, 3, 2, 1])
assert ranks_of(of, [1, 2, 3, 4]).tolist() == [1, 3]
assert ranks_of(of, [0, 1]).tolist() == [1, 4], "what was not read stays behind"
ties = {tuple(ranks_of(made(np.eye(9)[i], 1, np.zeros(9)), np.zeros(9)).tolist())[0] for i in range(9)}
assert ties == set(range(1, 10)), "equal scores are not in the order of the list"
assert summary([of], [np.arange(4)]) == {"issues": 1, "perfect recall@5": 0, "perfect recall@20": 0, "MRR": 1}
scores, positives = torch.tensor([1.0, 2.0, 0.5]), torch.tensor([True, False, True])
e = np.exp
by_hand = -np.mean([np.log(e(1) / (e(1) + e(2))), np.log(e(0.5) / (e(0.5) + e(2)))])
assert abs(list_loss(scores, positives).item() - by_hand) < 1e-6
better, low, high = gain([of] * 9, [[1, 0, 1.5, 0]] * 9, [[0, 1, 0, 0]] * 9)
assert better == low == high == round(1 - 1 / 3, 4)
# A reader that knows is given all the weight there is, one that does not is given none.
lists = [made(np.eye(4)[i % 4], 1, [3, 2, 1, 0], f"{i % 3}/x") for i in range(24)]
knows, not_ = [of.labels.astype(float) for of in lists], [1.0 - of.labels for of in lists]
print([sorted({w for w, _ in added_scores(lists, s)["weights"].values()}) for s in (knows, not_)])`);
  assert.equal(printed, '[[4], [0]]\n');
});
