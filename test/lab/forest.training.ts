/*
 * Learns rankers of toy lists, with LightGBM.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ranksIn } from '../../lab/forest/compare.ts';
import { outOfFold } from '../../lab/forest/folds.ts';
import { grow, grownScores } from '../../lab/forest/grow.ts';
import type { RankedIssue } from '../../lab/forest/issue.ts';
import { LEARNERS, learnedBy } from '../../lab/forest/models.ts';
import { GROWN } from '../../lab/forest/settings.ts';
import { type Feature, forestFile, forestOf } from '../../src/engine/search/forest.ts';
import { partsOf } from '../../src/engine/search/shapley.ts';
import { SEED } from '../support/effort.ts';
import { CANDIDATES, NAMES, toyIssues } from './toy-issues.ts';

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
  const learned = Object.keys(LEARNERS).filter((name) => name.includes('trees'));
  for (const name of learned) assert.ok(found(name) > weights + 0.05, `${name}, seed ${SEED}`);
});
