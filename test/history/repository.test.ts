import assert from 'node:assert/strict';
import { chmodSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import Sqlite from 'better-sqlite3';
import { computeCommitSum, extendHistorySum } from '../../src/engine/store/sums.ts';
import { type OpenRepositoryOptions, openRepository } from '../../src/services/open-repository.ts';
import { LocusError } from '../../src/shared/errors.ts';
import type { Evidence } from '../../src/shared/evidence.ts';
import type { IndexProgress } from '../../src/shared/indexing.ts';
import type { Repository } from '../../src/shared/repository.ts';
import type { SearchResponse } from '../../src/shared/search.ts';
import { databasePath } from '../support/dump.ts';
import { keepThreads } from '../support/keep-threads.ts';
import { git, writeFiles } from '../support/repository.ts';
import { installSecondModel } from '../support/second-model.ts';
import { addEmptyCommits, commit, createFolder, createRepository } from './support.ts';

await keepThreads();

const FILES = {
  'shop/cart.py': `class Cart:
    def total(self):
        return 0

    def clear(self):
        self.items = []


class Basket(Cart):
    def total(self):
        return 1
`,
  'shop/prices.py': `def price_of(item):
    return 2


def discount(percent):
    return 3
`,
};
const ISSUE = 'Discounts vanish when the basket is emptied twice';
const HISTORY = ['historyChunk', 'historyFile', 'churn', 'churnFile', 'cochange'];

async function open(
  t: TestContext,
  root: string,
  options: OpenRepositoryOptions = {},
): Promise<Repository> {
  if (options.dataDir) installSecondModel(options.dataDir);
  const repository = await openRepository(root, { device: 'cpu', ...options });
  t.after(() => repository.close());
  return repository;
}

/** Returns the history evidence of each chunk for an issue. */
async function findEvidence(repository: Repository, issue = ISSUE): Promise<Map<string, Evidence>> {
  const { results } = await repository.search({ issue, limit: 1000 });
  return new Map(
    results.map(({ address, evidence }) => [
      address,
      Object.fromEntries(Object.entries(evidence).filter(([name]) => HISTORY.includes(name))),
    ]),
  );
}

/** Replaces text of a file and commits the change. */
function edit(root: string, message: string, path: keyof typeof FILES, from: string, to: string) {
  return commit(root, message, { [path]: FILES[path].replace(from, to) });
}

test('gives evidence to chunks that a commit with a similar message edited', async (t) => {
  const root = createRepository(t, FILES);
  edit(root, 'Reformat', 'shop/cart.py', 'return 0', 'return 00');
  const hash = edit(
    root,
    'Keep discounts when a basket is emptied',
    'shop/cart.py',
    'return 1',
    'return 2',
  );
  const repository = await open(t, root, { dataDir: createFolder(t) });
  assert.deepEqual((await repository.index()).notes, []);
  const evidence = await findEvidence(repository);
  const { historyChunk, historyFile, churn } = evidence.get('shop/cart.py::Basket.total')!;
  const year = new Date().getUTCFullYear();
  const text = `\`Keep discounts when a basket is emptied\` (${hash.slice(0, 7)}, ${year})`;
  assert.equal(historyChunk.sentence, `changed in a similar commit: ${text}`);
  assert.equal(historyFile.sentence, `its file changed in a similar commit: ${text}`);
  assert.deepEqual([churn.sentence, churn.measured], [null, `1 change, last in ${year}`]);
  assert.equal(evidence.get('shop/cart.py::Cart.clear')!.historyChunk?.value ?? 0, 0);
  assert.equal(evidence.get('shop/prices.py::discount')!.historyFile?.value ?? 0, 0);
});

test('gives evidence to chunks that changed together with a strong candidate', async (t) => {
  const root = createRepository(t, FILES);
  commit(root, 'Round', {
    'shop/cart.py': FILES['shop/cart.py'].replace('return 1', 'return 1.0'),
    'shop/prices.py': FILES['shop/prices.py'].replace('return 3', 'return 3.0'),
  });
  const repository = await open(t, root, { dataDir: createFolder(t) });
  await repository.index();
  const evidence = await findEvidence(repository, 'Basket.total is wrong');
  assert.match(
    evidence.get('shop/prices.py::discount')!.cochange.sentence!,
    /^changed together with `Basket\.total`: `Round` \([0-9a-f]{7}, \d{4}\)$/,
  );
});

test('ignores commits after the searched one, even if they were indexed before', async (t) => {
  const root = createRepository(t, FILES);
  const base = edit(root, 'Count', 'shop/prices.py', 'return 2', 'return 4');
  const future = edit(root, ISSUE, 'shop/cart.py', 'return 1', 'return 2');
  const [dataDir, freshDataDir] = [createFolder(t), createFolder(t)];
  const now = await open(t, root, { dataDir });
  await now.index();
  assert.match(
    (await findEvidence(now)).get('shop/cart.py::Basket.total')!.historyChunk.sentence!,
    new RegExp(future.slice(0, 7)),
  );
  const then = await open(t, root, { dataDir, revision: base });
  await then.index();
  const evidence = await findEvidence(then);
  const ofFuture = Object.values(evidence.get('shop/cart.py::Basket.total')!);
  assert.ok(ofFuture.every(({ value }) => value === 0));
  assert.ok(evidence.get('shop/prices.py::price_of')!.churn.value > 0);

  git(root, 'reset', '-q', '--hard', base);
  const alone = await open(t, root, { dataDir: freshDataDir });
  await alone.index();
  assert.deepEqual(evidence, await findEvidence(alone));
});

test('keeps the history of a moved file', async (t) => {
  const root = createRepository(t, FILES);
  const hash = edit(root, 'Empty the basket', 'shop/cart.py', 'return 1', 'return 2');
  const moved = FILES['shop/cart.py'].replace('return 1', 'return 2');
  commit(root, 'Move', { 'shop/cart.py': null, 'shop/basket.py': moved });
  const repository = await open(t, root, { dataDir: createFolder(t) });
  await repository.index();
  const found = (await findEvidence(repository)).get('shop/basket.py::Basket.total')!;
  assert.match(found.historyChunk.sentence!, new RegExp(hash.slice(0, 7)));
});

test('reads the history of a subfolder', async (t) => {
  const root = createRepository(t, { ...FILES, 'other/a.py': 'a = 1\n' });
  edit(root, 'Empty the basket', 'shop/cart.py', 'return 1', 'return 2');
  commit(root, 'Elsewhere', { 'other/a.py': 'a = 2\n' });
  const repository = await open(t, join(root, 'shop'), { dataDir: createFolder(t) });
  await repository.index();
  const { churn } = (await findEvidence(repository)).get('cart.py::Basket.total')!;
  assert.match(churn.measured, /^1 change, last in \d{4}$/);
  assert.equal((await repository.status()).commits, 1);
});

test('reads only new commits', async (t) => {
  const root = createRepository(t, FILES);
  edit(root, 'Empty the basket', 'shop/cart.py', 'return 1', 'return 2');
  const dataDir = createFolder(t);
  const repository = await open(t, root, { dataDir });
  await repository.index();
  await renameCommit(dataDir, 'Known already');
  edit(root, 'Empty it again', 'shop/cart.py', 'return 1', 'return 3');
  await repository.index();
  const phases = await trackProgress(repository);
  assert.equal(phases.has('history'), false, 'nothing is new in a third run');
  const messages = await runSql(dataDir, 'SELECT message FROM commits ORDER BY id');
  assert.deepEqual(messages, ['Known already', 'Empty it again']);
  const { churn } = (await findEvidence(repository)).get('shop/cart.py::Basket.total')!;
  assert.match(churn.measured, /^2 changes, last in \d{4}$/);
});

test('adds the history to a complete index without parsing or encoding again', async (t) => {
  const root = createRepository(t, FILES);
  edit(root, 'Empty the basket', 'shop/cart.py', 'return 1', 'return 2');
  const dataDir = createFolder(t);
  const repository = await open(t, root, { dataDir });
  await repository.index();
  await runSql(dataDir, 'UPDATE snapshots SET history = NULL');
  await runSql(dataDir, 'DELETE FROM snapshot_commits');
  await runSql(dataDir, 'DELETE FROM commits');
  const again = await open(t, root, { dataDir });
  assert.deepEqual((await findEvidence(again)).get('shop/cart.py::Basket.total'), {});
  const report = await again.index();
  assert.deepEqual([report.filesParsed, report.chunksEncoded], [0, 0]);
  assert.ok((await findEvidence(again)).get('shop/cart.py::Basket.total')!.historyChunk);
});

test('reads what a shallow clone got since, though its head is the same', async (t) => {
  const root = createRepository(t, FILES);
  edit(root, 'Empty the basket', 'shop/cart.py', 'return 1', 'return 2');
  const folder = createFolder(t);
  git(folder, 'clone', '-q', '--depth=1', `file://${root}`, 'clone');
  const clone = join(folder, 'clone');
  const repository = await open(t, clone, { dataDir: join(folder, 'data') });
  await repository.index();
  assert.equal((await repository.status()).commits, 0);
  git(clone, 'fetch', '-q', '--unshallow');
  await repository.index();
  assert.equal((await repository.status()).commits, 1);
});

test('can be canceled: search works without history, and the next run continues', async (t) => {
  const root = createRepository(t, FILES);
  edit(root, 'Empty the basket', 'shop/cart.py', 'return 1', 'return 2');
  const repository = await open(t, root, { dataDir: createFolder(t) });
  const controller = new AbortController();
  const run = repository.index({
    signal: controller.signal,
    onProgress: ({ phase }) => {
      if (phase === 'history') controller.abort();
    },
  });
  await assert.rejects(run, (error) => error instanceof LocusError && error.code === 'cancelled');
  const { partial, results } = await repository.search({ issue: ISSUE });
  assert.equal(partial, null, 'everything but the history is there');
  assert.ok(results.length > 0);
  assert.ok((await trackProgress(repository)).has('history'));
  assert.ok((await findEvidence(repository)).get('shop/cart.py::Basket.total')!.historyChunk);
});

test('reads a commit that is made while the folder is watched', async (t) => {
  const root = createRepository(t, FILES);
  const repository = await open(t, root, { dataDir: createFolder(t) });
  const controller = new AbortController();
  // Changes before the watcher has started are not reported.
  const followed = Promise.withResolvers<unknown>();
  const watching = repository
    .watch({ signal: controller.signal, onIndexed: followed.resolve })
    .catch(followed.reject);
  t.after(async () => {
    controller.abort();
    await watching;
  });
  await followed.promise;
  const hash = edit(root, 'Empty the basket', 'shop/cart.py', 'return 1', 'return 2');
  for (let tries = 0; tries < 200; tries++) {
    const found = (await findEvidence(repository)).get('shop/cart.py::Basket.total');
    if (found?.historyChunk?.sentence?.includes(hash.slice(0, 7))) return;
    await sleep(50);
  }
  assert.fail('the new commit is not in the evidence');
});

test('adds no notes without git, without a commit, or with only a first commit', async (t) => {
  const plain = createFolder(t);
  writeFiles(plain, FILES);
  const unborn = createFolder(t);
  writeFiles(unborn, FILES);
  git(unborn, 'init', '-q');
  for (const root of [plain, unborn, createRepository(t, FILES)]) {
    const repository = await open(t, root, { dataDir: createFolder(t) });
    assert.deepEqual((await repository.index()).notes, []);
    for (const evidence of (await findEvidence(repository)).values())
      assert.deepEqual(evidence, {});
  }
});

test('indexes a git repository with damaged objects, and adds a note', async (t) => {
  const root = createRepository(t, FILES);
  const lost = edit(root, 'Lost', 'shop/cart.py', 'return 1', 'return 2');
  edit(root, 'Kept', 'shop/cart.py', 'return 1', 'return 3');
  rmSync(join(root, '.git/objects', lost.slice(0, 2), lost.slice(2)));
  const repository = await open(t, root, { dataDir: createFolder(t) });
  const { notes, chunks } = await repository.index();
  assert.ok(chunks > 0);
  assert.equal(notes.length, 1);
  assert.match(notes[0], /^Ranking does not use the repository's history\. Git cannot read/);
  assert.ok((await repository.search({ issue: ISSUE })).results.length > 0);
});

async function trackProgress(repository: Repository): Promise<Map<string, IndexProgress>> {
  const phases = new Map<string, IndexProgress>();
  await repository.index({ onProgress: (progress) => phases.set(progress.phase, progress) });
  return phases;
}

/** Changes the message of the only commit, as if it had been read like this. */
async function renameCommit(dataDir: string, message: string): Promise<void> {
  const database = new Sqlite(databasePath(dataDir)!);
  try {
    const [hash, reader, time, edits] = database
      .prepare('SELECT lower(hex(hash)), reader, time, edits FROM commits')
      .raw()
      .get() as [string, string, number, string];
    const sum = computeCommitSum(hash, reader, time, message, edits);
    database.prepare('UPDATE commits SET message = ?, sum = ?').run(message, sum);
    database.prepare('UPDATE snapshots SET history_sum = ?').run(extendHistorySum(0, sum));
  } finally {
    database.close();
  }
}

/** Runs SQL on the only database in a data directory; returns the first column of its rows. */
async function runSql(dataDir: string, sql: string): Promise<unknown[]> {
  const database = new Sqlite(databasePath(dataDir)!);
  try {
    const statement = database.prepare(sql);
    if (statement.reader) return statement.pluck().all();
    statement.run();
    return [];
  } finally {
    database.close();
  }
}

test('leaves out a long history until a run wants it', async (t) => {
  const root = createRepository(t, FILES);
  addEmptyCommits(root, 110);
  edit(root, 'Keep discounts when a basket is emptied', 'shop/cart.py', 'return 1', 'return 2');
  const repository = await open(t, root, { dataDir: createFolder(t) });
  const search = () => repository.search({ issue: ISSUE, rerank: { count: 0 } });
  const hasHistory = async () =>
    [...(await findEvidence(repository)).values()].some((evidence) => 'historyChunk' in evidence);

  await repository.index({ history: false });
  assert.equal((await search()).partial?.reason, 'past commits have not been read yet');
  assert.equal(await hasHistory(), false);

  await repository.index();
  assert.equal((await search()).partial, null);
  assert.equal(await hasHistory(), true);

  // Only the new commit is unread now.
  commit(root, 'Empty a basket', {});
  await repository.index({ history: false });
  assert.equal((await search()).partial, null);
  assert.equal(await hasHistory(), true);
});

test('a list is partial until the history is read, although it is reranked', {
  skip: process.platform === 'win32' && 'it needs a shell script',
}, async (t) => {
  const root = createRepository(t, FILES);
  edit(root, 'Keep discounts when a basket is emptied', 'shop/cart.py', 'return 1', 'return 2');
  const repository = await open(t, root, { dataDir: createFolder(t) });
  const release = holdDiffs(t);
  const indexed = repository.index();
  const isReading = ({ partial }: SearchResponse) =>
    partial?.reason === 'past commits have not been read yet';
  let list = await repository.search({ issue: 'Basket.total is wrong' });
  for (let tries = 0; !isReading(list) && tries < 1000; tries++) {
    await sleep(20);
    list = await repository.search({ issue: 'Basket.total is wrong' });
  }
  assert.ok(isReading(list));
  assert.deepEqual([list.reranking.state, list.confidence], ['reranked', null]);
  release();
  await indexed;
  const after = await repository.search({ issue: 'Basket.total is wrong' });
  assert.equal(after.partial, null);
});

/** Makes git wait before it shows changes of commits. Returns a function that ends the wait. */
function holdDiffs(t: TestContext): () => void {
  const folder = createFolder(t);
  const hold = join(folder, 'hold');
  const { PATH: path = '' } = process.env;
  const wait = `while [ -e '${hold}' ]; do sleep 0.05; done`;
  const script = `#!/bin/sh\ncase " $* " in *" diff-tree "*) ${wait};; esac\nPATH='${path}' exec git "$@"\n`;
  writeFiles(folder, { hold: '', git: script });
  chmodSync(join(folder, 'git'), 0o755);
  process.env.PATH = `${folder}:${path}`;
  t.after(() => {
    process.env.PATH = path;
  });
  return () => rmSync(hold);
}
