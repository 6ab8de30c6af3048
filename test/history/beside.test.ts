import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import type { Meter } from '../../src/base/progress.ts';
import { HistoryBeside } from '../../src/engine/pipeline/history-beside.ts';
import { RepositoryIndex } from '../../src/engine/snapshot/repository-index.ts';
import { openTree } from '../../src/engine/source/open.ts';
import { Store } from '../../src/engine/store/store.ts';
import { LocusError } from '../../src/shared/errors.ts';
import { commit, folder, repositoryOf } from './support.ts';

/** A repository with three commits that edit a function, and what reads them. */
async function threeEdits(t: TestContext, signal?: AbortSignal) {
  const root = repositoryOf(t, { 'a.py': 'def f():\n    return 0\n' });
  for (const n of [1, 2, 3]) commit(root, `Edit ${n}`, { 'a.py': `def f():\n    return ${n}\n` });
  const store = new Store(folder(t));
  t.after(() => store.close());
  const index = new RepositoryIndex(store, store.snapshots.open(null), 20);
  const tree = await openTree(root, {});
  t.after(() => tree.close());
  return { history: new HistoryBeside({ store, index, tree, signal }), store, index };
}

/** The phases that were measured, and how far each went. */
function meters(): { meter: Meter; done: Map<string, number> } {
  const done = new Map<string, number>();
  const meter: Meter = async (phase, _, work) => {
    done.set(phase, 0);
    return work((by = 1) => done.set(phase, (done.get(phase) ?? 0) + by));
  };
  return { meter, done };
}

test('what was read before anybody waits is told when somebody does', async (t) => {
  const { history, index } = await threeEdits(t);
  history.begin();
  history.begin();
  const { meter, done } = meters();
  assert.deepEqual(await history.finish(meter), []);
  assert.deepEqual([...done], [['history', 3]]);
  assert.equal(index.history?.commits.length, 3);
  await history.stop();
});

test('who waits for what was not begun begins it', async (t) => {
  const { history, index } = await threeEdits(t);
  assert.deepEqual(await history.finish(meters().meter), []);
  assert.equal(index.history?.commits.length, 3);
});

test('stopped before it began or while it reads, it links nothing and is waited for', async (t) => {
  const idle = await threeEdits(t);
  await idle.history.stop();
  const reading = await threeEdits(t);
  reading.history.begin();
  await reading.history.stop();
  for (const { store, index } of [idle, reading]) {
    assert.equal(store.history.linked(index.snapshotId), null);
    assert.equal(index.history, null);
  }
  await assert.rejects(
    reading.history.finish(meters().meter),
    (error) => error instanceof LocusError && error.code === 'cancelled',
  );
});
