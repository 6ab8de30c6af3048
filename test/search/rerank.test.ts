import assert from 'node:assert/strict';
import { join } from 'node:path';
import { describe, type TestContext, test } from 'node:test';
import type { Encoder, EncoderDocument } from '../../src/engine/encode/types.ts';
import { readIssue } from '../../src/engine/issue/issue.ts';
import { getIssueSyntaxes } from '../../src/engine/languages/index.ts';
import { explain } from '../../src/engine/search/explain/explain.ts';
import { type LinearModel, LinearRanker } from '../../src/engine/search/rank/linear.ts';
import { CORET, DualEncoder } from '../../src/engine/search/rerank/dual-encoder.ts';
import { RerankStep, rerank } from '../../src/engine/search/rerank/rerank.ts';
import { type Reranker, scoreInOrder } from '../../src/engine/search/rerank/reranker.ts';
import { rankChunks } from '../../src/engine/search/search.ts';
import { RERANKER_FOLDER } from '../../src/engine/store/row-generations.ts';
import { LocusError } from '../../src/shared/errors.ts';
import type { Feedback, SearchRequest } from '../../src/shared/search.ts';
import { removeFolder, temporaryFolder } from '../support/repository.ts';
import { quickEncoder } from '../support/small-index.ts';
import { readStoredVectors } from '../support/stored-vectors.ts';
import { type FileSpecs, MemoryIndex } from './support.ts';

const ISSUE = 'The total of a cart is wrong';
const MOST = 50;
const NO_DEADLINE = { deadlineMs: null };

/** Functions with fewer and fewer of the issue's words, so that the initial ranking has the order of their numbers. */
function shelves(count: number): FileSpecs {
  const chunks = Array.from({ length: count }, (_, i) => ({
    name: `shelf${String(i).padStart(2, '0')}`,
    lines: [10 * i + 2, 10 * i + 9] as [number, number],
    text: `def shelf(): ${'cart total '.repeat(count - i)} ${'box '.repeat(i)}`,
  }));
  return { 'shop/shelves.py': chunks };
}

const found = (index: MemoryIndex, request: Partial<SearchRequest> = {}) =>
  rankChunks(index, null, { issue: ISSUE, limit: 1000, ...request });
const named = (list: { results: { name: string }[] }) => list.results.map(({ name }) => name);
const documents = (count: number): EncoderDocument[] =>
  Array.from({ length: count }, (_, i) => ({
    path: `file${i}.py`,
    text: `text ${i}`,
    signatureEnd: 0,
    doc: null,
    callees: [],
  }));
const issue = readIssue(ISSUE, getIssueSyntaxes());

/** A scorer whose values are the indices of documents, in batches. `each` runs before a batch. */
function counting(size: number, each: (begun: number) => void | Promise<void> = () => {}) {
  const seen = { begun: 0, ended: 0, loaded: 0 };
  const scorer: Reranker = {
    signal: CORET,
    model: 'counting 1',
    async load() {
      seen.loaded++;
    },
    async *score(_issue, given) {
      try {
        for (let at = 0; at < given.length; at += size) {
          await each(++seen.begun);
          yield given.slice(at, at + size).map((_, i) => at + i);
        }
      } finally {
        seen.ended++;
      }
    },
    async close() {},
  };
  return { scorer, seen };
}

/** Returns work that takes some milliseconds of a clock that nothing else moves. */
function takesTime({ mock }: TestContext, milliseconds: number): () => void {
  let now = 0;
  mock.method(performance, 'now', () => now);
  return () => {
    now += milliseconds;
  };
}

describe('the reranked list', () => {
  const index = new MemoryIndex(shelves(12));
  const first = found(index);
  const before = named(explain(first));

  test('orders the reranked results by their values, within the ranks that they had', () => {
    const values = [0.1, 0.9, 0.2, 0.8];
    const after = named(explain(rerank(first, [{ signal: CORET, values }])));
    assert.deepEqual(
      after.slice(0, 4),
      [1, 3, 2, 0].map((place) => before[place]),
    );
    assert.deepEqual(after.slice(4), before.slice(4));
  });

  test('moves no other result, however low or high the values are', () => {
    for (const values of [[-1, -0.9], [0.99, 1], [0, 0, 0], Array(11).fill(-1)]) {
      const after = named(explain(rerank(first, [{ signal: CORET, values }])));
      assert.deepEqual(after.slice(values.length), before.slice(values.length));
      assert.deepEqual(after.slice(0, values.length).sort(), before.slice(0, values.length).sort());
    }
  });

  test('has contributions that add up, and marks reranked results', () => {
    const { results } = explain(rerank(first, [{ signal: CORET, values: [0.1, 0.9, 0.2] }]));
    for (const { score, evidence, reranked } of results) {
      const sum = Object.values(evidence).reduce((all, { contribution }) => all + contribution, 0);
      assert.ok(Math.abs(sum - score) < 1e-9);
      assert.equal(reranked === true, evidence.coret !== undefined);
    }
    assert.deepEqual(
      results.filter(({ reranked }) => reranked).map(({ rank }) => rank),
      [1, 2, 3],
    );
    const { coret } = results[0]!.evidence;
    assert.deepEqual(
      [coret!.value, coret!.measured, coret!.sentence, coret!.family],
      [0.9, 'cosine 0.90', 'among the most similar in meaning', 'meaning'],
    );
    assert.ok(coret!.contribution > 0);
    // Other results keep their rank and evidence of the initial ranking.
    assert.deepEqual(results.slice(3), explain(first).results.slice(3));
  });

  test('divides differences by the deviation of the ranker, so that two close values do not count as far apart', () => {
    const gap = (values: number[]) => {
      const { results } = explain(rerank(first, [{ signal: CORET, values }]));
      return Math.max(...results.map(({ evidence }) => evidence.coret?.contribution ?? 0));
    };
    assert.ok(gap([0.5, 0.501]) < 0.01);
    assert.ok(gap([0.5, 0.9]) > 0.1);
  });

  test('has ranks without marks', () => {
    const feedback: Feedback = { edit: ['shop/shelves.py::shelf09'] };
    const values = [0.1, 0.9, 0.2, 0.8];
    const marked = found(index, { feedback });
    const { results } = explain(rerank(marked, [{ signal: CORET, values }]));
    const ranks = results.map(({ rankWithoutMarks }) => rankWithoutMarks);
    assert.deepEqual(
      ranks.toSorted((a, b) => (a ?? 0) - (b ?? 0)),
      results.map((_, i) => i + 1),
    );
  });

  test('has the confidence of its own ranker if that is calibrated, else of the initial ranking', () => {
    const large = new MemoryIndex(shelves(240));
    for (let slot = 0; slot < large.chunks.length; slot++)
      large.vectors.set(slot, Float32Array.of(1, 0, 0));
    const vector = Float32Array.of(1, 0, 0);
    const list = rankChunks(large, { issue: vector, prose: vector }, { issue: ISSUE });
    assert.notEqual(list.confidence, null);
    const model: LinearModel = {
      id: 'mine',
      version: '1',
      kind: 'linear',
      origin: 'by hand',
      weights: { bm25: 1, coret: 1 },
    };
    const columns = [{ signal: CORET, values: [0.1, 0.9] }];
    const without = rerank(list, columns, new LinearRanker(model));
    assert.deepEqual([without.confidence, without.ranker], [list.confidence, 'mine 1']);
    const calibrated = new LinearRanker({
      ...model,
      calibration: { places: 5, intercept: 0, weights: {} },
    });
    assert.equal(rerank(list, columns, calibrated).confidence, 0.5);
    const filtered = { ...list, request: { issue: ISSUE, kinds: ['method' as const] } };
    assert.equal(rerank(filtered, columns, calibrated).confidence, null);
  });
});

describe('scoring', () => {
  test('goes through the list in order until all results are scored', async () => {
    const { scorer, seen } = counting(3);
    const scored = await scoreInOrder([scorer], issue, documents(8), NO_DEADLINE);
    assert.deepEqual(scored, { count: 8, values: [[0, 1, 2, 3, 4, 5, 6, 7]] });
    assert.deepEqual(seen, { begun: 3, ended: 1, loaded: 1 });
  });

  test('reports how many results all rerankers have scored since the last report', async () => {
    const added: number[] = [];
    const scorers = [counting(1).scorer, counting(4).scorer];
    const onScored = (count: number) => added.push(count);
    await scoreInOrder(scorers, issue, documents(6), { ...NO_DEADLINE, onScored });
    assert.deepEqual(added, [0, 1, 1, 1, 1, 0, 1, 1]);
  });

  test('ends at the deadline, with the scores so far', async (t) => {
    const { scorer, seen } = counting(2, takesTime(t, 40));
    const { count, values } = await scoreInOrder([scorer], issue, documents(200), {
      deadlineMs: 100,
    });
    assert.deepEqual([count, values], [6, [[0, 1, 2, 3, 4, 5]]]);
    assert.equal(seen.ended, 1);
    assert.equal((await scoreInOrder([scorer], issue, documents(2), { deadlineMs: 0 })).count, 0);
  });

  test('ends between two batches when it is cancelled', async () => {
    const stop = new AbortController();
    const { scorer, seen } = counting(1, (begun) => (begun === 3 ? stop.abort() : undefined));
    await assert.rejects(
      scoreInOrder([scorer], issue, documents(9), { ...NO_DEADLINE, signal: stop.signal }),
      { code: 'cancelled' },
    );
    assert.deepEqual([seen.begun, seen.ended], [3, 1]);
  });

  test('keeps several scorers in step, and counts results that all of them have scored', async () => {
    const [fine, coarse] = [counting(1), counting(4)];
    const order: string[] = [];
    const told = (name: string, { scorer }: ReturnType<typeof counting>): Reranker => ({
      ...scorer,
      async *score(given, texts) {
        for await (const values of { [Symbol.asyncIterator]: () => scorer.score(given, texts) }) {
          order.push(name);
          yield values;
        }
      },
    });
    const scorers = [told('fine', fine), told('coarse', coarse)];
    const { count, values } = await scoreInOrder(scorers, issue, documents(6), NO_DEADLINE);
    assert.equal(count, 6);
    assert.deepEqual(values[0], values[1]);
    assert.deepEqual(order.slice(0, 6), ['fine', 'coarse', 'fine', 'fine', 'fine', 'fine']);
  });
});

describe('the rerank step', () => {
  const index = new MemoryIndex(shelves(12));
  const first = found(index);

  test('reranks the first results and reports how many', async () => {
    const { scorer } = counting(5);
    const step = new RerankStep([scorer]);
    const plan = step.plan(first, false, 7);
    assert.ok('slots' in plan);
    assert.equal(plan.slots.length, 7);
    assert.deepEqual([plan.pending.state, plan.pending.of], ['reranking', 7]);
    const done = await step.run(first, documents(7), NO_DEADLINE);
    assert.deepEqual(
      { ...done.reranking, milliseconds: 0 },
      { state: 'reranked', count: 7, of: 7, milliseconds: 0, models: ['counting 1'], note: null },
    );
    const names = named(explain(first));
    assert.deepEqual(named(explain(done.outcome)).slice(0, 7), names.slice(0, 7).reverse());
    assert.equal(done.outcome.ranker.startsWith('ranker-1-reranked '), true);
  });

  test('is skipped with a reason', () => {
    const { scorer } = counting(5);
    const stateOf = (step: RerankStep, ...args: Parameters<RerankStep['plan']>) => {
      const plan = step.plan(...args);
      return 'refused' in plan ? [plan.refused.state, plan.refused.note] : [];
    };
    const step = new RerankStep([scorer]);
    assert.deepEqual(stateOf(step, first, false, 0), ['off', null]);
    assert.deepEqual(stateOf(step, first, true, MOST), ['partial', 'indexing has not finished']);
    const nothing = found(index, { issue: 'zzz' });
    assert.deepEqual(stateOf(step, nothing, false, MOST), ['nothing', null]);
    assert.deepEqual(stateOf(new RerankStep([]), first, false, MOST), ['missing', null]);
    const broken = new RerankStep([], 'model.json is invalid');
    assert.deepEqual(stateOf(broken, first, false, MOST), ['failed', 'model.json is invalid']);
  });

  test('keeps the initial ranking if a model fails, with the reason', async () => {
    const { scorer } = counting(2, (begun) => {
      if (begun === 2) throw new LocusError('device', 'it ran out of memory', 'try again');
    });
    const step = new RerankStep([scorer]);
    const { outcome: list, reranking } = await step.run(first, documents(9), NO_DEADLINE);
    assert.equal(list, first);
    assert.deepEqual([reranking.state, reranking.note], ['failed', 'it ran out of memory']);
  });

  test('gives the same list however long scoring takes', async () => {
    const pause = () => new Promise<void>((turn) => setTimeout(turn, 5));
    const lists = [counting(1), counting(1, pause), counting(4)].map(({ scorer }) =>
      new RerankStep([scorer]).run(first, documents(12), NO_DEADLINE),
    );
    const [quick, ...others] = (await Promise.all(lists)).map(({ outcome }) => explain(outcome));
    for (const other of others) assert.deepEqual(other, quick);
  });

  test('says how many results a deadline left out', async (t) => {
    const { scorer } = counting(3, takesTime(t, 30));
    const { reranking } = await new RerankStep([scorer]).run(first, documents(12), {
      deadlineMs: 20,
    });
    assert.deepEqual(
      [reranking.state, reranking.count, reranking.note],
      ['reranked', 3, 'the deadline of 0.02 s left out 9 results'],
    );
  });

  test('keeps the initial ranking if there is no time, or if the code changes meanwhile', async () => {
    const { scorer } = counting(2);
    const late = await new RerankStep([scorer]).run(first, documents(9), { deadlineMs: 0 });
    assert.deepEqual([late.reranking.state, late.outcome], ['nothing', first]);
    const changing = new MemoryIndex(shelves(12));
    const list = found(changing);
    const { scorer: editor } = counting(2, (begun) => {
      if (begun === 2) changing.removeFile('shop/shelves.py');
    });
    const { reranking } = await new RerankStep([editor]).run(list, documents(9), NO_DEADLINE);
    assert.deepEqual([reranking.state, reranking.count], ['changed', 0]);
  });

  test('is cancelled with the search, and passes on unexpected errors', async () => {
    const { scorer } = counting(1);
    const cancelled = { ...NO_DEADLINE, signal: AbortSignal.abort() };
    await assert.rejects(new RerankStep([scorer]).run(first, documents(3), cancelled), {
      code: 'cancelled',
    });
    const { scorer: broken } = counting(1, () => {
      throw new TypeError('a defect');
    });
    await assert.rejects(new RerankStep([broken]).run(first, documents(3), NO_DEADLINE), TypeError);
  });
});

describe('the dual encoder', () => {
  const ROWS = { key: 'quick@1', dimensions: quickEncoder.dimensions };
  const watched = () => {
    const embedded: number[] = [];
    const encoder: Encoder = {
      ...quickEncoder,
      async prepare(given) {
        const prepared = await quickEncoder.prepare(given);
        return {
          ...prepared,
          embed(places) {
            embedded.push(...places);
            return prepared.embed(places);
          },
        };
      },
    };
    return { embedded, open: async () => encoder };
  };
  const read = (scorer: Reranker, count: number) =>
    scoreInOrder([scorer], issue, documents(count), NO_DEADLINE);

  test('stores what a search embeds, so that no process embeds it again', async (t) => {
    const folder = temporaryFolder();
    t.after(() => removeFolder(folder));
    const values: number[][] = [];
    const counts = [];
    for (const count of [6, 8]) {
      const { embedded, open } = watched();
      const scorer = new DualEncoder('quick 1', ROWS, open);
      scorer.storeIn(folder, false);
      values.push(...(await read(scorer, count)).values);
      counts.push(embedded.length);
      await scorer.close();
    }
    assert.deepEqual(counts, [6, 2]);
    assert.deepEqual(values[1]!.slice(0, 6), values[0]);
  });

  test('computes the same vectors in batches of 1 and of 16', async (t) => {
    const stored = async (size: number) => {
      const folder = temporaryFolder();
      t.after(() => removeFolder(folder));
      const scorer = new DualEncoder('quick 1', ROWS, watched().open);
      scorer.storeIn(folder, false);
      const all = documents(32);
      await scorer.prepare(
        (async function* () {
          for (let at = 0; at < all.length; at += size) yield all.slice(at, at + size);
        })(),
        true,
        () => {},
      );
      await scorer.close();
      return readStoredVectors(join(folder, RERANKER_FOLDER));
    };
    assert.deepEqual(await stored(16), await stored(1));
  });

  test('scores each document by its cosine, and encodes no document twice', async () => {
    const { embedded, open } = watched();
    const scorer = new DualEncoder('quick 1', ROWS, open);
    const once = await read(scorer, 4);
    assert.equal(once.values[0]!.length, 4);
    assert.ok(once.values[0]!.every((value) => value > 0 && value <= 1 + 1e-6));
    assert.deepEqual(embedded, [0, 1, 2, 3]);
    const again = await read(scorer, 6);
    assert.deepEqual(again.values[0]!.slice(0, 4), once.values[0]);
    assert.deepEqual(embedded, [0, 1, 2, 3, 4, 5]);
  });

  test('uses embeddings made in advance, with the same values', async (t) => {
    const folder = temporaryFolder();
    t.after(() => removeFolder(folder));
    const { embedded, open } = watched();
    const scorer = new DualEncoder('quick 1', ROWS, open);
    scorer.storeIn(folder, false);
    const batches = async function* () {
      yield documents(4);
      yield documents(6).slice(2);
    };
    const told: number[][] = [];
    assert.equal(await scorer.prepare(batches(), true, (...batch) => told.push(batch)), true);
    assert.deepEqual(told, [
      [4, 4],
      [4, 2],
    ]);
    await scorer.close();
    const fresh = await read(new DualEncoder('quick 1', ROWS, watched().open), 6);
    embedded.length = 0;
    const later = new DualEncoder('quick 1', ROWS, open);
    later.storeIn(folder, true);
    assert.deepEqual(await read(later, 6), fresh);
    assert.deepEqual(embedded, []);
    assert.equal(await later.prepare(batches(), true, () => {}), false, 'nothing may be written');
    await later.close();
  });

  test('opens its model at the first use, and again after a failure', async () => {
    let opened = 0;
    const scorer = new DualEncoder('quick 1', ROWS, async () => {
      if (++opened === 1) throw new LocusError('device', 'no memory', 'try again');
      return quickEncoder;
    });
    assert.equal(opened, 0);
    await assert.rejects(read(scorer, 1), { code: 'device' });
    await read(scorer, 1);
    await read(scorer, 1);
    assert.equal(opened, 2);
  });
});
