/*
 * Learns rankers of toy lists.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { comparison, ranksIn } from '../../lab/forest/compare.ts';
import { outOfFold } from '../../lab/forest/folds.ts';
import { grow, grownScores } from '../../lab/forest/grow.ts';
import { issueOf, type RankedIssue } from '../../lab/forest/issue.ts';
import { LEARNERS, learnedBy } from '../../lab/forest/models.ts';
import { GROWN } from '../../lab/forest/settings.ts';
import { type Feature, forestFile, forestOf } from '../../src/engine/search/forest.ts';
import { partsOf } from '../../src/engine/search/shapley.ts';
import { SEED, uniform } from '../support/effort.ts';

const NAMES = ['bm25', 'title', 'length'];
const CANDIDATES = 20;

/** What is edited has words of the title and is short, or has none and is long: no sum of weights says that. */
function toyIssue(number: number, next: () => number): RankedIssue {
  const draw = () => Float64Array.from({ length: CANDIDATES }, () => next() * 2 - 1);
  const columns = [draw(), draw(), draw()];
  const [words, title, length] = columns as [Float64Array, Float64Array, Float64Array];
  const worth = words.map((value, i) => 0.3 * value - Math.sign(title[i]! * length[i]!));
  const best = worth.indexOf(Math.max(...worth));
  return {
    instance: `issue-${number}`,
    repo: `someone/toy-${number % 7}`,
    family: `someone/toy-${number % 7}`,
    names: NAMES,
    values: columns,
    columns,
    labels: Int8Array.from(worth, (_, i) => Number(i === best)),
    missed: 0,
    considered: 100,
  };
}

function toyIssues(count: number): RankedIssue[] {
  const next = uniform();
  return Array.from({ length: count }, (_, number) => toyIssue(number, next));
}

test('trees are in the engine what they are in LightGBM, and so are the parts of their features', () => {
  const issues = toyIssues(60);
  const features: Feature[] = NAMES.map((signal) => ({ signal, as: 'standardised' }));
  const start = ({ columns }: RankedIssue) => columns[0]!.map((value) => 0.3 * value);
  const shown = 2 * CANDIDATES;
  const { trees, scores, parts } = grow(issues, features, start, GROWN, shown);
  assert.equal(trees.length, GROWN.trees);
  assert.ok(trees.some(({ asks }) => asks.length > 1));
  const forest = forestOf(forestFile.parse({ features, trees }));
  for (const [i, score] of scores.entries()) {
    const issue = issues[Math.floor(i / CANDIDATES)]!;
    const own = i % CANDIDATES;
    const [...theirs] = parts[i]!;
    const mean = theirs.pop()!;
    assert.ok(Math.abs(grownScores(issue, forest)[own]! + mean - score) < 1e-6, `row ${i}`);
    const ours = partsOf(forest, (f) => issue.columns[f]![own]!);
    for (const [f, part] of ours.entries()) assert.ok(Math.abs(part - theirs[f]!) < 1e-6);
  }
});

test('a missing value is not learned from', () => {
  const [issue] = toyIssues(1) as [RankedIssue];
  issue.values[1]![3] = Number.NaN;
  const features: Feature[] = [{ signal: 'title', as: 'measured' }];
  const start = () => new Float64Array(CANDIDATES);
  assert.throws(() => grow([issue], features, start, GROWN));
});

test('trees learn what weights cannot, of families that they were not grown on', () => {
  const issues = toyIssues(140);
  const base = new Float64Array(NAMES.length);
  const found = (name: string) => {
    const made = outOfFold(issues, 2, (others) => learnedBy(LEARNERS[name]!, others, base));
    const ranks = issues.map((issue) => ranksIn(issue, made(issue)(issue))[0]!);
    return ranks.filter((rank) => rank === 1).length / ranks.length;
  };
  const weights = found('weights');
  const learned = Object.keys(LEARNERS).filter((name) => name !== 'weights');
  for (const name of learned) assert.ok(found(name) > weights + 0.05, `${name}, seed ${SEED}`);
});

test('what ranks a family was made without it', () => {
  const issues = toyIssues(30);
  const made = outOfFold(issues, 3, (others) => new Set(others.map(({ family }) => family)));
  for (const issue of issues) {
    assert.ok(!made(issue).has(issue.family));
    assert.ok(made(issue).size >= 4);
  }
});

test('edited chunks behind the first of a list count as missed', () => {
  const candidate = (isEdited: boolean) => ({ isEdited, values: [1, null], columns: [0.5, 0] });
  const list = {
    instance: 'one',
    repo: 'someone/toy',
    issue: 'text',
    edited: 3,
    considered: 50,
    signals: ['bm25', 'dense'],
    candidates: [candidate(false), candidate(true), candidate(true)],
  };
  const issue = issueOf(list as never, 2);
  assert.deepEqual([...issue.labels], [0, 1]);
  assert.equal(issue.missed, 2);
  assert.ok(Number.isNaN(issue.values[1]![0]));
  assert.deepEqual(ranksIn(issue, Float64Array.of(2, 1)), [2, null, null]);
});

test('candidates of equal scores are in no order', () => {
  const issues = toyIssues(200);
  const ranks = issues.map((issue) => ranksIn(issue, new Float64Array(CANDIDATES))[0]!);
  const mean = ranks.reduce((sum, rank) => sum + rank, 0) / ranks.length;
  assert.ok(Math.abs(mean - (CANDIDATES + 1) / 2) < 2, String(mean));
});

test('rankers are compared issue by issue', () => {
  const issues = toyIssues(40);
  const right = ({ labels }: RankedIssue) => Float64Array.from(labels);
  const wrong = ({ labels }: RankedIssue) => Float64Array.from(labels, (label) => -label);
  const table = comparison(issues, [
    ['wrong', wrong],
    ['right', right],
  ]).split('\n');
  assert.match(table[2]!, /^\| wrong +\| +0\.000 \| +\| /);
  assert.match(table[3]!, /^\| right +\| +1\.000 \| \+1\.000 \[\+1\.000, \+1\.000\], p 0\.000 /);
});
