import assert from 'node:assert/strict';
import { test } from 'node:test';
import { getParserVersion, isIndexedPath } from '../../src/engine/languages/index.ts';
import { FileStage } from '../../src/engine/pipeline/file-stage.ts';
import { LiveSnapshot } from '../../src/engine/snapshot/live-snapshot.ts';
import { Store } from '../../src/engine/store/store.ts';
import { removeFolder, temporaryFolder } from '../support/repository.ts';
import { MemoryTree, QuickParser } from '../support/small-index.ts';

test('the first files can be searched after eight, and later ones are stored many at once', async () => {
  const folder = temporaryFolder();
  const tree = new MemoryTree();
  for (let i = 0; i < 100; i++) tree.files.set(`${i}.py`, `def read_${i}():\n    return ${i}\n`);
  const store = new Store(folder);
  try {
    const model = { key: 'quick@1', dimensions: 20 };
    const { index } = new LiveSnapshot(store, null, model);
    const counts = new Set<number>();
    const stage = new FileStage({
      store,
      tree,
      index,
      pool: new QuickParser(() => 0),
      parserOf: getParserVersion,
      onFile: () => void counts.add(index.fileCount),
    });
    await stage.update((await tree.list(isIndexedPath)).entries);
    assert.deepEqual([...counts], [0, 8, 72]);
    assert.equal(index.fileCount, 100);
  } finally {
    store.close();
    removeFolder(folder);
  }
});
