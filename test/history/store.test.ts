import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import Sqlite from 'better-sqlite3';
import type { Commit } from '../../src/engine/history/types.ts';
import { Store } from '../../src/engine/store/store.ts';
import { createFolder } from './support.ts';

const createCommit = (n: number): Commit => ({
  hash: n.toString(16).padStart(40, '0'),
  time: n,
  message: `Change ${n}`,
  edits: [{ path: 'a.py', from: null, definitions: ['f'] }],
});

test('garbage collection keeps commits of snapshots, the newest 5,000 others, and those without edits', (t) => {
  const store = new Store(createFolder(t));
  t.after(() => store.close());
  const snapshot = store.snapshots.open(null);
  store.transaction(() => {
    store.history.put(
      Array.from({ length: 5_003 }, (_, n) => createCommit(n)),
      'reader',
    );
    const empty = Array.from({ length: 6_000 }, (_, n) => ({
      ...createCommit(6_000 + n),
      edits: [],
    }));
    store.history.put(empty, 'reader');
    const { id } = store.history.find(createCommit(0).hash, 'reader')!;
    store.history.link(snapshot, 'state', [id]);
  });
  store.collectGarbage();
  const isKnown = (n: number) => store.history.find(createCommit(n).hash, 'reader') !== null;
  assert.deepEqual([0, 1, 2, 3, 5_002].map(isKnown), [true, false, false, true, true]);
  assert.deepEqual([6_000, 11_999].map(isKnown), [true, true]);
  assert.deepEqual([...store.history.readAll(snapshot)], [createCommit(0)]);
});

test('ignores commits that another reader version stored', (t) => {
  const store = new Store(createFolder(t));
  t.after(() => store.close());
  store.transaction(() => store.history.put([createCommit(1)], 'old reader'));
  assert.equal(store.history.find(createCommit(1).hash, 'new reader'), null);
});

test('many edits of a commit take less than half of their room, and are read as they were', (t) => {
  const folder = createFolder(t);
  const store = new Store(folder);
  t.after(() => store.close());
  const snapshot = store.snapshots.open(null);
  const large: Commit = {
    ...createCommit(1),
    edits: Array.from({ length: 40 }, (_, n) => ({
      path: `django/db/models/fields/${n}.py`,
      from: n === 7 ? 'before.py' : null,
      definitions: [`Field${n}.deconstruct`, `Field${n}.é`],
    })),
  };
  const commits = [large, createCommit(2)];
  store.transaction(() => {
    const stored = store.history.put(commits, 'reader').values();
    store.history.link(snapshot, 'state', [...stored.map(({ id }) => id)]);
  });
  assert.deepEqual([...store.history.readAll(snapshot)], commits);
  assert.equal(store.history.find(large.hash, 'reader')?.useful, true);
  const database = new Sqlite(join(folder, 'index.db'), { readonly: true });
  t.after(() => database.close());
  const select = 'SELECT length(edits) FROM commits WHERE hash = unhex(?)';
  const bytes = database.prepare(select).pluck().get(large.hash) as number;
  assert.ok(bytes < JSON.stringify(large.edits).length / 2, `${bytes} bytes`);
});
