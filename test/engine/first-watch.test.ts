import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { openRepository } from '../../src/services/open-repository.ts';
import { removeFolder, temporaryFolder, writeFiles } from '../support/repository.ts';

/** Counts the folders that this process watches. */
const countWatched = () =>
  process.getActiveResourcesInfo().filter((name) => name === 'FSEventWrap').length;

test('a repository that was never indexed is watched after its first indexing, and no change is lost', async () => {
  const root = temporaryFolder();
  const dataDir = temporaryFolder();
  writeFiles(root, { 'shop/cart.py': 'def total(items):\n    return sum(items)\n' });
  const before = countWatched();
  const abort = new AbortController();
  const repository = await openRepository(root, { dataDir });
  try {
    const { promise: updated, resolve: update } = Promise.withResolvers<readonly string[]>();
    const watching = repository.watch({
      signal: abort.signal,
      onIndexed: () => {
        assert.equal(countWatched(), before);
        writeFileSync(join(root, 'shop/price.py'), 'def price(item):\n    return item\n');
      },
      onUpdate: ({ changed }) => update(changed),
    });
    assert.deepEqual(await Promise.race([updated, watching]), ['shop/price.py']);
    if (process.platform === 'linux') assert.ok(countWatched() > before);
    abort.abort();
    await watching;
  } finally {
    abort.abort();
    await repository.close();
    removeFolder(root);
    removeFolder(dataDir);
  }
});

test('indexing that fails or is cancelled before watching ends as later', async () => {
  const root = temporaryFolder();
  const dataDir = temporaryFolder();
  writeFiles(root, { 'cart.py': 'def total(items):\n    return sum(items)\n' });
  const repository = await openRepository(root, { dataDir });
  try {
    const abort = new AbortController();
    abort.abort();
    await repository.watch({ signal: abort.signal });
    const failure = new Error('the caller failed');
    await assert.rejects(
      repository.watch({
        signal: new AbortController().signal,
        enqueue: () => Promise.reject(failure),
      }),
      failure,
    );
  } finally {
    await repository.close();
    removeFolder(root);
    removeFolder(dataDir);
  }
});
