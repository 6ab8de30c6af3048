/*
 * Tests the lists that a cross-encoder learns from: which candidates they have, and how they are stored.
 */
import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { chooseReranked, chooseSome } from '../../lab/encoder/gpu/choose-list.ts';
import { Random } from '../../lab/encoder/random.ts';
import { readIssues, readMined } from '../../lab/encoder/sources.ts';
import { copyStart, openStart } from '../../lab/encoder/start.ts';
import { readTensor, writeTensors } from '../../lab/encoder/tensors.ts';
import { thinOut, writeSource } from '../../lab/encoder/write-source.ts';
import { removeFolder, temporaryFolder } from '../support/repository.ts';
import { mined } from './toy-data.ts';

const MODEL = join(import.meta.dirname, '../../models/coret-1');
const SIZE = 6;

const ranking = Array.from({ length: 80 }, (_, i) => ({ number: 100 + i, score: 80 - i }));

test('a list has the candidates that a search reranks, with standardized scores', () => {
  const list = chooseReranked(false)([103, 170], ranking);
  assert.equal(list?.candidates.length, 50);
  assert.deepEqual(list.edited, [103]);
  const scores = list.candidates.map(({ score }) => score);
  const squares = scores.reduce((sum, score) => sum + score ** 2, 0);
  assert.ok(Math.abs(scores.reduce((a, b) => a + b)) < 1e-9 && Math.abs(squares - 50) < 1e-9);
  assert.equal(chooseReranked(false)([170], ranking), null);
  assert.deepEqual(chooseReranked(true)([170], ranking)?.edited, []);
  assert.equal(chooseReranked(true)([], []), null);
});

test('a short list has edited, hard and random candidates of the long one', () => {
  const edited = [103, 149, 170];
  const lists = Array.from({ length: 50 }, (_, i) =>
    chooseSome(16, new Random(`${i}`))(edited, ranking),
  );
  const whole = chooseReranked(false)(edited, ranking);
  const drawn = new Set<number>();
  for (const list of lists) {
    assert.equal(list?.candidates.length, 16);
    assert.deepEqual(list.edited.toSorted(), [103, 149]);
    const numbers = list.candidates.map(({ number }) => number);
    assert.deepEqual(numbers.slice(0, 8), [100, 101, 102, 103, 104, 105, 106, 107]);
    assert.deepEqual(numbers, numbers.toSorted());
    for (const one of list.candidates)
      assert.ok(whole?.candidates.some((of) => of.score === one.score));
    for (const number of numbers) drawn.add(number);
  }
  assert.ok(drawn.size > 40 && !drawn.has(150), `${drawn.size} candidates in fifty lists`);
  assert.equal(chooseSome(16, new Random(''))([100], ranking.slice(0, 15)), null);
});

/** Returns the arrays of a file of rows. */
async function readArrays(file: string) {
  const content = await readFile(file);
  const start = 8 + Number(content.readBigUInt64LE());
  const header = JSON.parse(content.toString('utf8', 8, start));
  return (name: string): number[] => {
    const { dtype, data_offsets: offsets } = header[name];
    const [from, to] = offsets.map((offset: number) => start + offset);
    const bytes = Uint8Array.from(content.subarray(from, to)).buffer;
    const Numbers = { U8: Uint8Array, U16: Uint16Array, I32: Int32Array, F32: Float32Array };
    return [...new Numbers[dtype as 'U8'](bytes)];
  };
}

test('rows have the lists of commits and of issues', async (t) => {
  const folder = temporaryFolder();
  t.after(() => removeFolder(folder));
  const at = (name: string) => join(folder, name);
  copyStart(MODEL, folder);
  const start = openStart(folder);
  await writeFile(at('a+one.zst'), mined('a+one', 0));
  const chooseList = chooseSome(SIZE, new Random('a+one'));
  const commits = await readMined(at('a+one.zst'), new Set(), 1, { commits: 20, chooseList });
  assert.ok(commits.commits.length > 0 && commits.commits.length <= 20);
  await writeSource(thinOut(commits, 0), at('commits'), start, { maxQueryTokens: 8 });
  const ofCommits = await readArrays(at('commits'));
  const sizes = ofCommits('candidates_sizes');
  assert.deepEqual(
    sizes,
    commits.commits.map(() => SIZE),
  );
  assert.equal(ofCommits('scores').length, ofCommits('candidates').length);
  assert.equal(ofCommits('queries_sizes').length / 4, 2 * sizes.length);
  const named = new Set([...ofCommits('candidates')]);
  assert.equal(named.size, ofCommits('keys').length);
  assert.ok([...ofCommits('pos'), ...ofCommits('neg')].every((number) => named.has(number)));
  assert.equal(ofCommits('pos').length + ofCommits('neg').length, SIZE * sizes.length);
  const lengths = ofCommits('queries_sizes');
  for (let i = 0; i < lengths.length; i += 4)
    assert.ok(lengths.slice(i, i + 4).reduce((a, b) => a + b) <= 8);

  const candidates = ['cost', 'session', 'palette'].map((name, i) => ({
    ...{ path: `lib/${name}.py`, text: `def ${name}(value): pass`, signatureEnd: 10, doc: null },
    ...{ callees: [], isEdited: i === 1, score: 3 - i },
  }));
  const issue = { instance: 'toy-1', repo: 'toy/toy', issue: 'Wrong login', edited: 4, candidates };
  await writeFile(at('toy__toy.jsonl'), `${JSON.stringify(issue)}\n`);
  const issues = readIssues(at('toy__toy.jsonl'), new Set(), chooseReranked(false));
  await writeSource(issues, at('issues'), start);
  const ofIssues = await readArrays(at('issues'));
  assert.deepEqual([ofIssues('pos'), ofIssues('neg')], [[1], [0, 2]]);
  assert.deepEqual([ofIssues('edited'), ofIssues('candidates')], [[4], [0, 1, 2]]);
  assert.ok(Math.abs(ofIssues('scores')[0] - Math.sqrt(1.5)) < 1e-6);
});

test('floats of a file are read', (t) => {
  const folder = temporaryFolder();
  t.after(() => removeFolder(folder));
  const [file, numbers] = [join(folder, 'floats'), Float32Array.from([1, 0.5, -2, 3])];
  writeTensors(
    file,
    {},
    { other: { numbers: Uint8Array.of(1, 2, 3, 4) }, some: { numbers, width: 2 } },
  );
  assert.deepEqual(readTensor(file, 'some'), numbers);
  assert.throws(() => readTensor(file, 'other'), /no floats other/);
});
