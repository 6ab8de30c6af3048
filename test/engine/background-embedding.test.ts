import assert from 'node:assert/strict';
import { cpSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, test } from 'node:test';
import { StoredVectors } from '../../src/engine/search/rerank/stored-vectors.ts';
import { openRepository } from '../../src/services/open-repository.ts';
import type { Repository } from '../../src/shared/repository.ts';
import { keepThreads } from '../support/keep-threads.ts';
import {
  gitRepository,
  removeFolder,
  syntheticPackage,
  temporaryFolder,
} from '../support/repository.ts';
import { installSecondModel } from '../support/second-model.ts';

await keepThreads();

const REQUEST = {
  issue: 'def parse fails\n\nThe value that `parse` returns is wrong: a, b.',
  rerank: { count: 30 },
};

/** Creates more functions than one step embeds, all different for the small model. */
const MANY = Array.from({ length: 120 }, (_, i) => {
  const words = `${'a '.repeat(i % 11)}${'b '.repeat(Math.floor(i / 11))}`;
  return `def many():\n    '${words}'\n\n`;
}).join('');

let root: string;
let dataDir: string;
const opened: Repository[] = [];
beforeEach(() => {
  root = gitRepository({ ...syntheticPackage(12), 'package/many.py': MANY });
  dataDir = temporaryFolder();
  installSecondModel(dataDir);
});
afterEach(async () => {
  for (const repository of opened.splice(0)) await repository.close();
  removeFolder(root);
  removeFolder(dataDir);
});

async function open(readOnly = false): Promise<Repository> {
  const repository = await openRepository(root, { dataDir, device: 'cpu', readOnly });
  opened.push(repository);
  if (!readOnly) await repository.index();
  return repository;
}

/** Returns the file of embeddings of the reranker. */
async function rowsOf(repository: Repository): Promise<string> {
  const folder = join((await repository.status()).databasePath, '../reranker');
  const [name] = readdirSync(folder).filter((file) => file.endsWith('.rows8'));
  return join(folder, name!);
}

test('every function is embedded once, and lists stay the same', async () => {
  const repository = await open();
  const list = await repository.search(REQUEST);
  const told: number[] = [];
  const first = await repository.embedForReranking({
    onProgress: ({ phase, done }) => {
      assert.equal(phase, 'embed');
      told.push(done);
    },
  });
  const { function: functions, method, class: classes } = (await repository.status()).chunksByKind;
  assert.equal(first.functions, functions + method + classes);
  assert.ok(
    first.embedded > 0 && first.embedded < first.functions,
    'equal functions are embedded once',
  );
  assert.deepEqual([told[0], told.at(-1)], [0, first.functions]);
  assert.equal((await repository.embedForReranking()).embedded, 0);
  const { results, reranking } = await (await open()).search(REQUEST);
  assert.equal(reranking.count, 30);
  assert.deepEqual(
    results.map(({ address, score }) => [address, score]),
    list.results.map(({ address, score }) => [address, score]),
  );
});

test('after an edit, the changed functions are embedded', async () => {
  const repository = await open();
  const { functions } = await repository.embedForReranking();
  writeFileSync(join(root, 'added.py'), 'def added():\n    return 1\n');
  await repository.index();
  const { embedded, ...after } = await repository.embedForReranking();
  assert.deepEqual([embedded, after.functions], [1, functions + 1]);
});

test('embeddings made before a cancellation stay', async () => {
  const repository = await open();
  // Checked before each batch.
  let batches = 2;
  const signal = {
    get aborted() {
      return batches-- === 0;
    },
  } as AbortSignal;
  await assert.rejects(repository.embedForReranking({ signal }), { code: 'cancelled' });
  const { functions, embedded } = await repository.embedForReranking();
  assert.ok(embedded > 0 && embedded < functions, `${embedded} of ${functions}`);
});

test('a vector that is damaged on disk is encoded again', async () => {
  const repository = await open();
  await repository.embedForReranking();
  const path = await rowsOf(repository);
  // A search stores vectors of module code, too, which are not embedded in the background.
  const end = readFileSync(path).length;
  const list = await repository.search(REQUEST);
  const bytes = readFileSync(path);
  bytes[end - 10]! ^= 1;
  writeFileSync(path, bytes);
  const again = await open();
  assert.equal((await again.embedForReranking()).embedded, 1);
  assert.deepEqual((await again.search(REQUEST)).results, list.results);
});

test('one process embeds at a time, and none for a read-only index', async (t) => {
  const repository = await open();
  await repository.embedForReranking();
  const folder = join((await repository.status()).databasePath, '..');
  const other = new StoredVectors(folder, { key: 'another@1', dimensions: 4 }, false);
  t.after(() => other.close());
  await other.runAsWriter(() => assert.rejects(repository.embedForReranking(), { code: 'busy' }));
  assert.equal((await repository.embedForReranking()).embedded, 0);
  const reading = await open(true);
  await assert.rejects(reading.embedForReranking(), { code: 'read-only' });
  assert.equal((await reading.search(REQUEST)).reranking.count, 30);
});

test('nothing is embedded without a model or for an incomplete index', async () => {
  const empty = await openRepository(root, { dataDir, device: 'cpu' });
  opened.push(empty);
  const message = 'The index is not complete: nothing is indexed yet.';
  await assert.rejects(empty.embedForReranking(), { code: 'busy', message });
  await empty.index();
  rmSync(join(dataDir, 'models'), { recursive: true });
  const modelsFolder = join(dataDir, 'shipped');
  cpSync(join(import.meta.dirname, '../../models/bag-1'), join(modelsFolder, 'bag-1'), {
    recursive: true,
  });
  const repository = await openRepository(root, { dataDir, modelsFolder, device: 'cpu' });
  opened.push(repository);
  await repository.index();
  await assert.rejects(repository.embedForReranking(), { code: 'bad-model' });
});

test('unused vectors are removed from the file once they are most of it', async (t) => {
  const folder = temporaryFolder();
  t.after(() => removeFolder(folder));
  const kept = new StoredVectors(folder, { key: 'toy@1', dimensions: 4 }, false);
  t.after(() => kept.close());
  const keyOf = (i: number) => i.toString(16).padStart(40, '0');
  const vector = (i: number) => ({ scale: 1, numbers: Int8Array.of(i & 127, 0, 0, 1) });
  const all = Array.from({ length: 1500 }, (_, i) => i);
  await kept.runAsWriter(async () => {
    kept.add(new Map(all.map((i) => [keyOf(i), vector(i)])));
    kept.keepOnly(new Set(all.slice(500).map(keyOf)));
    assert.ok(kept.has(keyOf(0)), 'a third is not worth it');
    kept.keepOnly(new Set(all.slice(1400).map(keyOf)));
  });
  assert.deepEqual([kept.has(keyOf(1399)), kept.has(keyOf(1400))], [false, true]);
  assert.deepEqual(kept.get(keyOf(1499)), vector(1499));
});
