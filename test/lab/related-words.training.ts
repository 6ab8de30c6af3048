/*
 * Tests tables of related words of toy repositories.
 */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { promisify } from 'node:util';
import { zstdCompressSync } from 'node:zlib';
import { findPython } from '../../scripts/python.ts';
import { writeRows } from './toy-data.ts';

const SCRIPTS = join(import.meta.dirname, '../../lab/encoder');
/** Words with their vectors. Three groups are near each other: delete, remove, insert, 42 and x; query and sql; picture and image. */
const VECTORS = {
  delete: [100, 0, 0, 0],
  remove: [90, 36, 0, 0],
  insert: [90, -36, 0, 0],
  x: [100, 0, 0, 0],
  '42': [100, 0, 0, 0],
  log: [0, 100, 0, 0],
  query: [0, 0, 100, 0],
  sql: [0, 0, 100, 10],
  picture: [0, 0, 0, 100],
  image: [0, 0, 10, 100],
};
const EXPORT_MODEL = `
import json, os, sys
import numpy as np
from onnx_file import FLOAT, model
folder, vectors = sys.argv[1], json.loads(sys.argv[2])
with open(os.path.join(folder, "vocab.txt"), "w") as stream:
    stream.writelines(word + "\\n" for word in vectors)
rows = np.array([*vectors.values(), [0, 0, 0, 0]], np.int8)
nodes = [("Cast", ["vectors"], "out", {"to": 1})]
with open(os.path.join(folder, "model.int8.onnx"), "wb") as stream:
    stream.write(model(nodes, {"one": np.array([1], np.int64), "vectors": rows}, {}, ("out", ["n", 4])))
`;

type Commit = { title: string; code: string };

/** Commits about deletion whose code has remove, logs and numbers, and commits with the opposite, insert. */
const COMMITS: Commit[] = Array.from({ length: 12 }, (_, i) =>
  i % 2
    ? { title: `Cannot delete item ${i}`, code: 'remove(item, x, 42)\n    log(item) # delete' }
    : { title: `Items are new ${i}`, code: 'insert(item)' },
);
/** Commits of a repository about databases, with query in all titles and sql in all code. */
const OF_QUERIES = COMMITS.map(({ title, code }) => ({
  title: `${title} of query`,
  code: `${code}\n    sql()`,
}));
const OF_PICTURES = [
  ...COMMITS,
  ...COMMITS.map((_, i) => ({ title: `Blurred picture ${i}`, code: 'image.read()' })),
];
const REPOSITORIES = {
  'a+one': COMMITS,
  'a+two': OF_PICTURES,
  'a+three': OF_PICTURES,
  'a+four': OF_QUERIES,
  'a+five': OF_QUERIES,
  'a+six': OF_QUERIES,
  // Held out.
  'pallets+click': OF_PICTURES,
};

/** Makes a mined repository whose commits edit one function each. The body of a message is not read. */
function mined(repo: string, commits: Commit[]): Buffer {
  const lines = [
    { repo, n: commits.length, pairs: commits.length },
    ...commits.map(({ code }, i) => {
      const text = `def run_${i}(item):\n    ${code}`;
      return ['lib/part.py', `run_${i}`, 'f', text, null, [], [0]];
    }),
    ...commits.map(({ title }, i) => ({
      m: `${title}\n\nThis is about picture, query and delete.`,
      t: [],
      pos: [i],
      sib: [],
      snap: 0,
    })),
  ];
  return zstdCompressSync(lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
}

/** Tokenizer settings of the model. */
const START = {
  kind: 'bag',
  tokenizer: {
    ...{ type: 'words', file: 'vocab.txt', pattern: '[A-Z]?[a-z]+|[A-Z]+(?![a-z])|[0-9]+' },
    ...{ hashBuckets: 1, pairBuckets: 0, maxWordsPerField: 400 },
  },
  fields: { path: 0, signature: 1, body: 2, callees: 3, title: 4, text: 5, code: 6, trace: 7 },
  tokenWeight: 'log1p(count)',
  maxQueryWords: 1500,
};

/** Returns a folder with rows and a model, and functions that run the commands on them. */
async function place(t: TestContext, repositories: Record<string, Commit[]>) {
  const interpreter = findPython();
  const folder = await mkdtemp(join(tmpdir(), 'locus-words-'));
  t.after(() => rm(folder, { recursive: true, force: true }));
  const at = (name: string) => join(folder, name);
  const python = (...args: string[]) =>
    promisify(execFile)(interpreter, args, { env: { ...process.env, PYTHONPATH: SCRIPTS } });
  await mkdir(at('data'));
  for (const [repo, commits] of Object.entries(repositories)) {
    await writeFile(join(at('data'), `${repo}.zst`), mined(repo, commits));
  }
  await mkdir(at('model'));
  await python('-c', EXPORT_MODEL, at('model'), JSON.stringify(VECTORS));
  await writeFile(join(at('model'), 'model.json'), JSON.stringify(START));
  await mkdir(at('copies'));
  const from = ['--data', at('data'), '--copies', at('copies'), '--model', at('model')];
  const write = () => writeRows(...from, '--out', at('rows'));
  await write();
  const command = ['--rows', at('rows'), '--model', at('model'), '--out', at('words-1')];
  const run = (...options: string[]) =>
    python(join(SCRIPTS, 'related_words.py'), ...command, ...options);
  const table = () => readFile(join(at('words-1'), 'related-words.json'), 'utf8');
  return { at, write, run, table };
}

const fails = (running: Promise<unknown>, message: RegExp) =>
  assert.rejects(running, (error: { stderr: string }) => {
    assert.match(error.stderr, message);
    assert.equal(error.stderr.trim().split('\n').length, 1, error.stderr);
    return true;
  });

test('words are related if their vectors are near and commits have them together', async (t) => {
  const made = await place(t, REPOSITORIES);
  // Not log: its vector is far. Not insert: other commits have it. Not sql: it is the topic of a repository. Not x or 42. Not
  // image: its third repository is held out.
  await made.run('--least-repositories', '3', '--least-titles', '3');
  const origin =
    'Made by lab/encoder/related_words.py of the commits of 6 public repositories and the vectors of model.';
  const head = `{\n  "id": "words-1",\n  "version": "1.0.0",\n  "origin": "${origin}",\n  "words": {\n`;
  const related = '    "delete": [["remove", 0.928]]';
  assert.equal(await made.table(), `${head}${related}\n  }\n}\n`);

  await made.run('--least-repositories', '2', '--least-titles', '2');
  assert.equal(
    await made.table(),
    `${head}${related},\n    "picture": [["image", 0.995]]\n  }\n}\n`,
  );

  for (const option of ['--least-repositories', '--least-titles']) {
    await made.run('--least-repositories', '2', '--least-titles', '2', option, '3');
    assert.deepEqual(Object.keys(JSON.parse(await made.table()).words), ['delete'], option);
  }
});

test('evaluation repositories and data with nothing to learn are errors', async (t) => {
  const made = await place(t, { 'pallets+click': COMMITS });
  await fails(made.run(), /rows has no repositories to learn from/);
  await writeFile(join(made.at('data'), 'a+one.zst'), mined('a+one', COMMITS));
  await made.write();
  await fails(
    made.run(),
    /No words are related in 1 repositories\. Try a smaller --least-repositories/,
  );
  await writeFile(join(made.at('data'), 'psf+requests.zst'), mined('psf+requests', COMMITS));
  await assert.rejects(made.write(), /forbids training on.*psf\+requests \(never\)/);
  await assert.rejects(made.table(), { code: 'ENOENT' });
});

test('invalid data and other models than bag encoders are errors', async (t) => {
  const made = await place(t, { 'a+one': COMMITS });
  await fails(made.run('--model', made.at('none')), /none is not a bag encoder: .*vocab\.txt/);
  const onnx = join(made.at('model'), 'model.int8.onnx');
  const whole = await readFile(onnx);
  await writeFile(onnx, whole.subarray(0, whole.length - 9));
  await fails(made.run(), /model is not a bag encoder: the model is truncated/);
  await writeFile(onnx, 'version https://git-lfs.github.com/spec/v1\n');
  await fails(made.run(), /model is not a bag encoder: not a model that this module wrote/);
  await writeFile(onnx, whole);
  await writeFile(join(made.at('model'), 'vocab.txt'), 'word\n'.repeat(20));
  await fails(made.run(), /model has 11 vectors for 20 words/);
  await writeFile(join(made.at('model'), 'vocab.txt'), 'word\n');
  await fails(made.run(), /rows has no rows of .*model\. Run training-rows --model/);
});
