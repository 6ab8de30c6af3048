import assert from 'node:assert/strict';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, test } from 'node:test';
import { createCallResolver } from '../../src/engine/graph/repository-graph.ts';
import type { CallResolver } from '../../src/engine/graph/types.ts';
import { resolveGraph } from '../../src/engine/pipeline/graph-stage.ts';
import { RepositoryIndex } from '../../src/engine/snapshot/repository-index.ts';
import { Store } from '../../src/engine/store/store.ts';
import { getIndexFolder } from '../../src/services/locations.ts';
import { openRepository } from '../../src/services/open-repository.ts';
import type { IndexReport, RepositoryStatus } from '../../src/shared/indexing.ts';
import {
  removeFolder,
  syntheticPackage,
  temporaryFolder,
  writeFiles,
} from '../support/repository.ts';
import { ADVERSARIES } from './adversaries.ts';

let root: string;
let dataDir: string;
beforeEach(() => {
  root = temporaryFolder();
  dataDir = temporaryFolder();
  writeFiles(root, syntheticPackage(20));
});
afterEach(() => {
  removeFolder(root);
  removeFolder(dataDir);
});

async function index(): Promise<{ report: IndexReport; status: RepositoryStatus }> {
  const repository = await openRepository(root, { dataDir });
  try {
    return { report: await repository.index(), status: await repository.status() };
  } finally {
    await repository.close();
  }
}

test('a file with an incomplete call graph is named until it is deleted, and the others are indexed', async () => {
  const { report: innocent } = await index();
  assert.deepEqual(innocent.notes, []);

  writeFiles(root, ADVERSARIES['classes of one root and one that derives from all']!(600));
  const { report, status } = await index();
  assert.match(
    report.notes.join(),
    /^The call graph of `a\.py` is incomplete: .* stopped after [\d,]+ steps/,
  );
  assert.deepEqual(status.notes, report.notes);
  assert.equal(status.state, 'complete');
  assert.equal(status.embedded, status.chunks);
  assert.ok(report.edges > innocent.edges);

  const { report: again } = await index();
  assert.deepEqual(again.notes, report.notes);

  rmSync(join(root, 'a.py'));
  const { report: after, status: last } = await index();
  assert.deepEqual(after.notes, []);
  assert.deepEqual(last.notes, []);
  assert.equal(after.edges, innocent.edges);
});

test('only the first few of thousands of such files are named', async () => {
  writeFiles(root, ADVERSARIES['star imports in a circle']!(80));
  const { report } = await index();
  assert.equal(report.notes.length, 6);
  assert.equal(report.notes.at(-1), 'The call graphs of 75 more files are incomplete as well.');
});

test('a file with more facts than are stored gets a note', async () => {
  writeFiles(root, { 'a.py': `def f(): pass\ndef g():\n${'    f()\n'.repeat(50_001)}` });
  const { report } = await index();
  assert.match(report.notes.join(), /^The call graph of `a\.py` is incomplete/);
});

for (const method of ['put', 'resolve'] as const)
  test(`a defect in ${method} for one file is noted, and the other files are resolved`, async () => {
    const { report } = await index();
    const store = new Store(getIndexFolder(dataDir, root));
    try {
      const snapshotId = store.snapshots.open(null);
      const repository = RepositoryIndex.load(store, snapshotId, 'none', 1);
      const before = edgesIn(store, snapshotId, repository);
      await resolveGraph(
        {
          store,
          index: repository,
          resolver: createFailing('pkg/module_3.py', method),
          onFile: () => {},
        },
        [...repository.getPaths()],
      );
      assert.equal(store.snapshots.getState(snapshotId).graphDirty, false);
      assert.deepEqual(store.graphNotes.summarize(snapshotId), [
        'The calls in `pkg/module_3.py` could not be resolved because of a defect in Locus: `TypeError: cannot`.',
      ]);
      const after = edgesIn(store, snapshotId, repository);
      assert.equal(before.length, report.edges);
      const own = (edge: string) => edge.includes('module_3.py');
      assert.deepEqual(
        after.filter((edge) => !own(edge)),
        before.filter((edge) => !own(edge)),
      );
      assert.ok(!after.some((edge) => edge.startsWith('pkg/module_3.py')));
    } finally {
      store.close();
    }
  });

/** Creates a resolver with a defect for one file. */
function createFailing(path: string, method: 'put' | 'resolve'): CallResolver {
  const resolver = createCallResolver();
  return {
    put: (file, content) => {
      if (method === 'put' && file === path && content) throw new TypeError('cannot');
      resolver.put(file, content);
    },
    takeAffected: () => resolver.takeAffected(),
    *resolve(file) {
      if (method === 'resolve' && file === path) throw new TypeError('cannot');
      return yield* resolver.resolve(file);
    },
  };
}

function edgesIn(store: Store, snapshotId: number, index: RepositoryIndex): string[] {
  const address = (id: number) => {
    const { path, qualifiedName } = index.getChunkOrNull(index.getSlot(id)!)!;
    return `${path}::${qualifiedName}`;
  };
  return [...store.edges.readAll(snapshotId)]
    .map(({ caller, callee, kind }) => `${address(caller)} ${kind} ${address(callee)}`)
    .sort();
}
