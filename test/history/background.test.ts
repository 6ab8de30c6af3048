import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import type { PhaseRunner } from '../../src/base/progress.ts';
import { BackgroundHistory } from '../../src/engine/pipeline/background-history.ts';
import { RepositoryIndex } from '../../src/engine/snapshot/repository-index.ts';
import { openTree } from '../../src/engine/source/open.ts';
import { Store } from '../../src/engine/store/store.ts';
import { LocusError } from '../../src/shared/errors.ts';
import { commit, createFolder, createRepository } from './support.ts';

/** Creates a repository with three commits that edit a function, and a reader of its history. */
async function createThreeEdits(t: TestContext, signal?: AbortSignal) {
  const root = createRepository(t, { 'a.py': 'def f():\n    return 0\n' });
  for (const n of [1, 2, 3]) commit(root, `Edit ${n}`, { 'a.py': `def f():\n    return ${n}\n` });
  const store = new Store(createFolder(t));
  t.after(() => store.close());
  const index = new RepositoryIndex(store, store.snapshots.open(null), 20);
  const tree = await openTree(root, {});
  t.after(() => tree.close());
  return {
    history: new BackgroundHistory({ store, index, tree, signal, isWanted: true }),
    store,
    index,
  };
}

/** Creates a progress meter, and a map of the progress of each phase. */
function createMeter(): { meter: PhaseRunner; done: Map<string, number> } {
  const done = new Map<string, number>();
  const meter: PhaseRunner = async (phase, _, work) => {
    done.set(phase, 0);
    return work((by = 1) => done.set(phase, (done.get(phase) ?? 0) + by));
  };
  return { meter, done };
}

test('reports commits that were read before a caller waits', async (t) => {
  const { history, index } = await createThreeEdits(t);
  history.start();
  history.start();
  const { meter, done } = createMeter();
  assert.deepEqual(await history.finish(meter), []);
  assert.deepEqual([...done], [['history', 3]]);
  assert.equal(index.history?.commits.length, 3);
  await history.stop();
});

test('begins reading when a caller waits for it', async (t) => {
  const { history, index } = await createThreeEdits(t);
  assert.deepEqual(await history.finish(createMeter().meter), []);
  assert.equal(index.history?.commits.length, 3);
});

test('links no history if it is stopped before or during reading', async (t) => {
  const idle = await createThreeEdits(t);
  await idle.history.stop();
  const reading = await createThreeEdits(t);
  reading.history.start();
  await reading.history.stop();
  for (const { store, index } of [idle, reading]) {
    assert.equal(store.history.getLinkedState(index.snapshotId), null);
    assert.equal(index.history, null);
  }
  await assert.rejects(
    reading.history.finish(createMeter().meter),
    (error) => error instanceof LocusError && error.code === 'cancelled',
  );
});
