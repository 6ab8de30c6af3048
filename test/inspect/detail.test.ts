/** Details of a chunk. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Encoder } from '../../src/engine/encode/types.ts';
import { getChunkDetail } from '../../src/engine/inspect/detail.ts';
import { findChunk } from '../../src/engine/snapshot/address.ts';
import { RepositoryIndex } from '../../src/engine/snapshot/repository-index.ts';
import { openTree } from '../../src/engine/source/open.ts';
import { Store } from '../../src/engine/store/store.ts';
import { getIndexFolder } from '../../src/services/locations.ts';
import { openRepository } from '../../src/services/open-repository.ts';
import { removeFolder, temporaryFolder, writeFiles } from '../support/repository.ts';

test('returns a chunk as it was if an edit removes it in the meantime', async (t) => {
  const [root, dataDir] = [temporaryFolder(), temporaryFolder()];
  t.after(() => [root, dataDir].forEach(removeFolder));
  writeFiles(root, {
    'a.py': 'from b import second\n\n\ndef first():\n    return second()\n',
    'b.py': 'def second():\n    return 2\n',
  });
  const repository = await openRepository(root, { dataDir });
  await repository.index();
  await repository.close();

  const tree = await openTree(root, {});
  const store = new Store(getIndexFolder(dataDir, tree.root));
  t.after(() => tree.close().then(() => store.close()));
  const snapshot = store.snapshots.open(tree.revision);
  const index = RepositoryIndex.load(store, snapshot, 'a-model', 3);
  const encoder = {
    modelId: 'a',
    modelVersion: '1',
    async explain() {
      index.removeFile('a.py');
      return [];
    },
  } as unknown as Encoder;
  const detail = await getChunkDetail(index, store, encoder, findChunk(index, 'first'));
  assert.equal(detail.code, 'def first():\n    return second()');
  assert.deepEqual(
    detail.callees.map((edge) => edge.callee),
    ['b.py::second'],
  );
});
