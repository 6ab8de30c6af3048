import assert from 'node:assert/strict';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { SEARCH_PRIORITY } from '../../src/base/priority-gate.ts';
import { FolderWatcher } from '../../src/engine/source/folder-watcher.ts';
import type { ChangeSink } from '../../src/engine/source/tree-watcher.ts';
import { removeFolder, temporaryFolder } from '../support/repository.ts';

const FOLDERS = 120;
const countWatched = () =>
  process.getActiveResourcesInfo().filter((name) => name === 'FSEventWrap').length;

test('starting to watch many folders waits for a search', async () => {
  const root = temporaryFolder();
  for (let i = 0; i < FOLDERS; i++) mkdirSync(join(root, `folder-${i}`));
  const watcher = new FolderWatcher(root, { isPruned: () => false } as unknown as ChangeSink);
  const search = Promise.withResolvers<void>();
  const before = countWatched();
  try {
    const searching = SEARCH_PRIORITY.run(() => search.promise);
    const starting = watcher.start();
    for (let turn = 0; turn < 20; turn++) await nextTurn();
    assert.ok(countWatched() - before < 60, 'some are watched');
    search.resolve();
    await Promise.all([searching, starting]);
    assert.equal(countWatched() - before, FOLDERS + 1);
  } finally {
    search.resolve();
    await watcher.close();
    removeFolder(root);
  }
});
