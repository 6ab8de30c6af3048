/*
 * Tests the data that confidence is fitted on: lists of issues, and searches without an answer.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { calibrate, type Trial } from '../../lab/ranker/calibration.ts';
import { readRanker } from '../../lab/ranker/command.ts';
import { makeInitialSearch, makeRerankSearch } from '../../lab/ranker/searched.ts';
import { makeUnanswered } from '../../lab/ranker/unanswered.ts';
import {
  CONFIDENCE_NAMES,
  estimateConfidence,
  measureConfidenceEvidence,
} from '../../src/engine/search/rank/confidence.ts';
import { getSlot } from '../../src/engine/search/rank/ranking.ts';
import { CORET } from '../../src/engine/search/rerank/dual-encoder.ts';
import { RerankStep } from '../../src/engine/search/rerank/rerank.ts';
import type { Reranker } from '../../src/engine/search/rerank/reranker.ts';
import { Store } from '../../src/engine/store/store.ts';
import { LocusError } from '../../src/shared/errors.ts';
import { removeFolder, temporaryFolder } from '../support/repository.ts';
import { MemoryTree, quickEncoder, SmallProcess } from '../support/small-index.ts';

const COUNT = 60;
const ISSUE = 'The total of a cart is wrong';

async function shop() {
  const directory = temporaryFolder();
  const tree = new MemoryTree();
  const names = Array.from({ length: COUNT }, (_, i) => `cart_total_${i}`);
  const texts = names.map((name, i) => `def ${name}(cart):\n    return cart + ${i}\n`);
  tree.files.set('shop.py', texts.join('\n\n'));
  const process = new SmallProcess(directory, tree, () => 0);
  await process.run();
  const store = new Store(directory);
  const snapshot = { index: process.snapshot.index, encoder: quickEncoder, store };
  const close = async () => {
    store.close();
    await process.close();
    removeFolder(directory);
  };
  return { snapshot, close };
}

/** Makes a reranker that scores candidates by their rank. */
function scorer(value: (place: number) => number): Reranker {
  return {
    signal: CORET,
    model: 'toy 1',
    async load() {},
    async *score(_issue, documents) {
      yield documents.map((_document, place) => value(place));
    },
    async close() {},
  };
}

test('the reranked list is the initial ranking with the scored part in a new order', async (t) => {
  const { snapshot, close } = await shop();
  t.after(close);
  const first = await makeInitialSearch(readRanker())(snapshot, ISSUE);
  // Scores rise so fast with the rank that nothing else counts.
  const again = await makeRerankSearch(new RerankStep([scorer((place) => 1000 * place)]))(
    snapshot,
    ISSUE,
  );
  assert.ok(first && again);
  const slots = (ranking: typeof first) =>
    ranking.order.map((i) => getSlot(i, ranking.candidates)).slice(0, 50);
  assert.deepEqual(slots(again), slots(first).reverse());
  assert.equal(again.reranked?.indices.size, 50);
  const evidence = measureConfidenceEvidence(again, 5);
  for (const name of CONFIDENCE_NAMES) assert.ok(Number.isFinite(evidence[name]), name);
  assert.notEqual(evidence.massOfFirst, measureConfidenceEvidence(first, 5).massOfFirst);
});

test('a model that fails gives no list', async (t) => {
  const { snapshot, close } = await shop();
  t.after(close);
  const failing = scorer(() => {
    throw new LocusError('device', 'it ran out of memory', 'try again');
  });
  const search = makeRerankSearch(new RerankStep([failing]));
  await assert.rejects(search(snapshot, ISSUE), /was not reranked: it ran out of memory/);
});

test('searches without an answer alternate between the kinds, and are always the same', () => {
  const instances = ['one/a', 'two/b', 'three/c'].map((repo, i) => ({
    instance_id: `issue ${i}`,
    repo,
    base_commit: 'c0ffee',
    problem_statement: `what ${repo} has`,
    patch: '',
  }));
  const [instance] = instances;
  assert.ok(instance);
  const asked = Array.from({ length: 8 }, (_, n) => makeUnanswered(instance, n, instances));
  assert.deepEqual(
    asked,
    Array.from({ length: 8 }, (_, n) => makeUnanswered(instance, n, instances)),
  );
  const kinds = asked.map(([kind]) => kind);
  assert.equal(new Set(kinds).size, 4);
  assert.deepEqual(kinds.slice(0, 4), kinds.slice(4));
  assert.equal(asked[0]?.[1], 'https://github.com/one/a/issues/0');
  assert.match(asked[1]?.[1] ?? '', /^[a-z]{4}( [a-z]{4}){0,2}$/);
  assert.match(asked[2]?.[1] ?? '', /^what (two\/b|three\/c) has$/);
  assert.notEqual(asked[3]?.[1], asked[7]?.[1]);
});

test('a calibration separates searches with and without an answer', () => {
  const none = Object.fromEntries(CONFIDENCE_NAMES.map((name) => [name, 0]));
  const trials = Array.from({ length: 40 }, (_, i): Trial => {
    const hit = i % 2 === 0;
    const evidence = { ...none, likeness: hit ? 0.5 + i / 200 : 0.1 + i / 200 };
    return { repo: `a/${i % 4}`, evidence: evidence as Trial['evidence'], hit };
  });
  const calibration = calibrate(trials, 5);
  for (const { evidence, hit } of trials) {
    const confidence = estimateConfidence(calibration, evidence);
    assert.equal(confidence > 0.5, hit, `${evidence.likeness}`);
  }
});
