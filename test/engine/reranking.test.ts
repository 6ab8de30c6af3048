import assert from 'node:assert/strict';
import { cpSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, test } from 'node:test';
import { LexicalIndex } from '../../src/engine/lexical/lexical-index.ts';
import { DualEncoder } from '../../src/engine/search/rerank/dual-encoder.ts';
import { diagnose } from '../../src/services/doctor.ts';
import { openRepository } from '../../src/services/open-repository.ts';
import type { Repository, SearchOptions } from '../../src/shared/repository.ts';
import type { SearchResponse } from '../../src/shared/search.ts';
import { keepThreads } from '../support/keep-threads.ts';
import { pretendMusl } from '../support/musl.ts';
import {
  gitRepository,
  removeFolder,
  syntheticPackage,
  temporaryFolder,
} from '../support/repository.ts';
import { installSecondModel } from '../support/second-model.ts';

await keepThreads();

const ISSUE = 'def parse fails\n\nThe value that `parse` returns is wrong: a, b.';

let root: string;
let dataDir: string;
let repository: Repository | null = null;
beforeEach(() => {
  root = gitRepository(syntheticPackage(12));
  dataDir = temporaryFolder();
});
afterEach(async () => {
  await repository?.close();
  repository = null;
  removeFolder(root);
  removeFolder(dataDir);
});

async function open(modelsFolder?: string): Promise<Repository> {
  await repository?.close();
  repository = await openRepository(root, { dataDir, modelsFolder, device: 'cpu' });
  await repository.index();
  return repository;
}

const addresses = ({ results }: SearchResponse) => results.map(({ address }) => address);

test('the initial ranking is returned first, then the reranked list', async () => {
  installSecondModel(dataDir);
  const opened = await open();
  const told: SearchResponse[] = [];
  const request = { issue: ISSUE, limit: 1000, rerank: { count: 30 } };
  const list = await opened.search(request, { onInitial: (first) => told.push(first) });
  const [first] = told;
  assert.equal(told.length, 1);
  assert.deepEqual([first!.reranking.state, first!.reranking.of], ['reranking', 30]);
  assert.deepEqual(
    [list.reranking.state, list.reranking.count, list.reranking.of],
    ['reranked', 30, 30],
  );
  assert.deepEqual(list.reranking.models, ['coret-1 1']);
  assert.match(list.model.ranker, /^ranker-1-reranked /);
  assert.match(first!.model.ranker, /^ranker-1 /);
  assert.notDeepEqual(addresses(list), addresses(first!));
  assert.deepEqual(addresses(list).slice(0, 30).sort(), addresses(first!).slice(0, 30).sort());
  assert.deepEqual(addresses(list).slice(30), addresses(first!).slice(30));
  const read = list.results.slice(0, 30);
  for (const [i, { score, evidence }] of read.entries()) {
    assert.ok(evidence.coret);
    if (i > 0) assert.ok(score <= read[i - 1]!.score, 'best first');
  }
  // The same again, up to the reranked count, followed by the initial ranking.
  const again = await opened.search(request);
  assert.deepEqual(again.results, list.results);
  const fast = await opened.search({ ...request, rerank: { count: 0 } });
  assert.equal(fast.reranking.state, 'off');
  assert.deepEqual(fast.results, first!.results);
  assert.deepEqual((await opened.status()).rerankModels, ['coret-1 1']);
});

test('an initial ranking is not explained if nobody receives it', async (t) => {
  installSecondModel(dataDir);
  const opened = await open();
  const detail = t.mock.method(LexicalIndex.prototype, 'explainScore');
  const rerank = { count: 30 };
  const countExplained = async (rerank: { count: number }, onFirst?: () => void) => {
    detail.mock.resetCalls();
    const list = await opened.search({ issue: ISSUE, limit: 1000, rerank }, { onInitial: onFirst });
    assert.equal(list.reranking.state, rerank.count > 0 ? 'reranked' : 'off');
    return detail.mock.callCount();
  };
  const initial = await countExplained({ count: 0 });
  assert.ok(initial > 30);
  assert.equal(await countExplained(rerank), initial);
  assert.equal(await countExplained(rerank, () => {}), 2 * initial, 'both lists were shown');
});

test('calibrated scores are computed only in a workspace', async (t) => {
  const opened = await open();
  const matches = t.mock.method(LexicalIndex.prototype, 'countMatches');
  const countMatches = async (onStanding?: SearchOptions['onCalibratedScore']) => {
    matches.mock.resetCalls();
    await opened.search({ issue: ISSUE }, { onCalibratedScore: onStanding });
    return matches.mock.callCount();
  };
  const alone = await countMatches();
  let words: string[] = [];
  const compared = await countMatches((standing) => {
    words = Object.keys(standing?.words ?? {});
    return undefined;
  });
  assert.ok(words.length > 5);
  assert.ok(compared >= alone + words.length, `${compared} look-ups, ${alone} without`);
});

test('without the model nothing is reranked, and doctor says so', async () => {
  const modelsFolder = join(dataDir, 'shipped');
  cpSync(join(import.meta.dirname, '../../models/bag-1'), join(modelsFolder, 'bag-1'), {
    recursive: true,
  });
  const opened = await open(modelsFolder);
  const told: SearchResponse[] = [];
  const list = await opened.search({ issue: ISSUE }, { onInitial: (first) => told.push(first) });
  assert.deepEqual([told.length, list.reranking.state, list.reranking.note], [0, 'missing', null]);
  assert.deepEqual((await opened.status()).rerankModels, []);
  const check = async () =>
    (await diagnose({ dataDir, modelsFolder })).checks.find(({ name }) => name === 'reranker');
  assert.deepEqual(await check(), {
    name: 'reranker',
    state: 'ok',
    detail: 'no reranker installed',
    remedy: null,
  });
  installSecondModel(dataDir);
  assert.match((await check())!.detail, /^coret-1 1 reranks/);
});

test('a damaged model leaves the initial ranking, with a note', async () => {
  const folder = installSecondModel(dataDir);
  writeFileSync(join(folder, 'model.onnx'), 'no model');
  const damaged = await (await open()).search({ issue: ISSUE });
  assert.equal(damaged.reranking.state, 'failed');
  assert.match(damaged.reranking.note!, /model\.onnx cannot be used/);
  assert.ok(damaged.results.length > 0);
  writeFileSync(join(folder, 'model.json'), '{}');
  const unnamed = await (await open()).search({ issue: ISSUE });
  assert.deepEqual([unnamed.reranking.state, unnamed.reranking.count], ['failed', 0]);
  assert.match(unnamed.reranking.note!, /model\.json/);
});

test('Linux with musl has no reranking: search and doctor say so, and nothing is loaded in vain', {
  skip: process.platform !== 'linux' && 'musl is a library of Linux',
}, async (t) => {
  pretendMusl(t);
  installSecondModel(dataDir);
  const opened = await open();
  const loads = t.mock.method(DualEncoder.prototype, 'load');
  const { reranking, results } = await opened.search({ issue: ISSUE });
  assert.ok(results.length > 0);
  assert.deepEqual(
    [reranking.state, reranking.note],
    ['failed', 'ONNX Runtime has no build for Linux with musl.'],
  );
  assert.equal(loads.mock.callCount(), 0);
  await assert.rejects(opened.embedForReranking(), /no build for Linux with musl/);
  const { checks } = await diagnose({ dataDir });
  for (const wanted of ['reranker', 'onnxruntime']) {
    const { state, detail, remedy } = checks.find(({ name }) => name === wanted)!;
    assert.deepEqual(
      [state, detail],
      ['warning', 'ONNX Runtime has no build for Linux with musl.'],
      wanted,
    );
    assert.match(remedy ?? '', /keep their initial ranking\..* Linux with glibc/);
  }
  assert.ok(!checks.some(({ name }) => name.startsWith('device')));
});

test('a search that is cancelled while reranking rejects, and the next one works', async () => {
  installSecondModel(dataDir);
  const opened = await open();
  const stop = new AbortController();
  await assert.rejects(
    opened.search({ issue: ISSUE }, { signal: stop.signal, onInitial: () => stop.abort() }),
    { code: 'cancelled' },
  );
  assert.equal((await opened.search({ issue: ISSUE })).reranking.state, 'reranked');
});

test('an edit while reranking starts the search again, with the new code', async () => {
  installSecondModel(dataDir);
  const opened = await open();
  writeFileSync(join(root, 'added.py'), 'def added():\n    return 1\n');
  let indexed: Promise<unknown> = Promise.resolve();
  const list = await opened.search(
    { issue: ISSUE },
    {
      onInitial: () => {
        indexed = opened.index();
      },
    },
  );
  await indexed;
  // While the index is not complete, the list is the initial ranking, and says so.
  const { state } = list.reranking;
  assert.ok(state === 'reranked' || (state === 'partial' && list.partial !== null), state);
  assert.ok(list.results.length > 0);
});

test('a list reflects an edit while its results are reranked', async (t) => {
  installSecondModel(dataDir);
  const opened = await open();
  const before = await opened.search({ issue: ISSUE, rerank: { count: 0 } });
  const [{ path }] = before.results;
  const { remove } = LexicalIndex.prototype;
  const removal = Promise.withResolvers<void>();
  t.mock.method(LexicalIndex.prototype, 'remove', function (this: LexicalIndex, slot: number) {
    removal.resolve();
    remove.call(this, slot);
  });
  let indexed: Promise<unknown> = Promise.resolve();
  t.mock.method(DualEncoder.prototype, 'score', async function* () {
    rmSync(join(root, path));
    indexed = opened.index();
    await removal.promise;
    yield [];
  });
  const list = await opened.search({ issue: ISSUE });
  await indexed;
  assert.ok(list.results.length > 0);
  assert.ok(list.results.every((result) => result.path !== path));
});

test('a run without changes while reranking does not count as an edit', async () => {
  installSecondModel(dataDir);
  writeFileSync(join(root, '.gitattributes'), 'package/vendored/* linguist-vendored\n');
  await open();
  // Read from the store, not found by a run of this process.
  const opened = await open();
  let running: Promise<unknown> | undefined;
  const list = await opened.search(
    { issue: ISSUE, rerank: { count: 20 } },
    {
      onInitial: () => {
        running = opened.index();
      },
    },
  );
  await running;
  assert.equal(list.reranking.state, 'reranked', list.reranking.note ?? '');
});
