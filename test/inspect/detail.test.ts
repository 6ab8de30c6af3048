/** Details of a chunk. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Encoder } from '../../src/engine/encode/types.ts';
import { getChunkDetail, getFileDetail } from '../../src/engine/inspect/detail.ts';
import { findChunk } from '../../src/engine/snapshot/address.ts';
import { RepositoryIndex } from '../../src/engine/snapshot/repository-index.ts';
import { openTree } from '../../src/engine/source/open.ts';
import { Store } from '../../src/engine/store/store.ts';
import { getIndexFolder } from '../../src/services/locations.ts';
import { openRepository } from '../../src/services/open-repository.ts';
import { removeFolder, temporaryFolder, writeFiles } from '../support/repository.ts';

const cell = (...lines: string[]) => ({ cell_type: 'code', source: lines });
const NOTEBOOK = {
  cells: [
    cell('x = 1'),
    cell('def plot(x):\n', '    return "\u00fc"\n', '\n', 'plot(x)'),
    cell('def last(): pass'),
  ],
};

test('returns a chunk as it was if an edit removes it in the meantime', async (t) => {
  const [root, dataDir] = [temporaryFolder(), temporaryFolder()];
  t.after(() => [root, dataDir].forEach(removeFolder));
  writeFiles(root, {
    'a.py': 'from b import second\n\n\ndef first():\n    return second()\n',
    'b.py': 'def second():\n    return 2\n',
    'guide.ipynb': JSON.stringify(NOTEBOOK, null, 1),
  });
  const repository = await openRepository(root, { dataDir });
  await repository.index();
  await repository.close();

  const tree = await openTree(root, {});
  const store = new Store(getIndexFolder(dataDir, tree.root));
  t.after(() => tree.close().then(() => store.close()));
  const snapshot = store.snapshots.open(tree.revision);
  const index = RepositoryIndex.load(store, snapshot, 'a-model', 3);

  // A notebook is shown as the code of its cells, on the lines of the file.
  const notebook = getFileDetail(index, store, 'guide.ipynb');
  assert.deepEqual(
    notebook.chunks.map(({ name, cell, startLine }) => [name, cell, startLine]),
    [
      ['<module>', undefined, 1],
      ['plot', 2, 12],
      ['last', 3, 21],
    ],
  );
  const shown = notebook.text.split('\n').map((line) => line.trim());
  assert.deepEqual(shown.slice(9, 15), [
    '# Cell 2',
    '',
    'def plot(x):',
    'return "ü"',
    '',
    'plot(x)',
  ]);
  assert.equal(shown.join('').includes('cell_type'), false);

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
