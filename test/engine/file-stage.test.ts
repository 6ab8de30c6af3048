import assert from 'node:assert/strict';
import { test } from 'node:test';
import { getParserVersion } from '../../src/engine/languages/index.ts';
import type { PooledFile, SourceFile } from '../../src/engine/parse/pool.ts';
import { FileStage } from '../../src/engine/pipeline/file-stage.ts';
import { RepositoryIndex } from '../../src/engine/snapshot/repository-index.ts';
import { Store } from '../../src/engine/store/store.ts';
import { removeFolder, temporaryFolder } from '../support/repository.ts';
import { MemoryTree, QuickParser } from '../support/small-index.ts';

test('a parsed file whose text is missing is an error, not an empty file', async (t) => {
  const folder = temporaryFolder();
  const store = new Store(folder);
  t.after(() => {
    store.close();
    removeFolder(folder);
  });
  const tree = new MemoryTree();
  tree.files.set('a.py', 'a = 1\n').set('b.py', 'b = 1\n');
  const { entries } = await tree.list(() => true);
  const index = new RepositoryIndex(store, store.snapshots.open(null), 20);
  const twice = {
    size: 1,
    async *parse(lists: AsyncIterable<SourceFile>[]): AsyncGenerator<PooledFile> {
      for await (const file of new QuickParser(() => 0).parse(lists)) {
        yield file;
        if (file.path === 'b.py') yield file;
      }
    },
  };
  const stage = new FileStage({
    store,
    tree,
    index,
    pool: twice,
    parserOf: getParserVersion,
    onFile: () => {},
  });
  await assert.rejects(stage.update(entries), /b\.py was parsed, but its text is missing/);
  assert.equal(index.getFile('b.py'), undefined);
});
