import assert from 'node:assert/strict';
import { statSync } from 'node:fs';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { NearestIndexes } from '../../src/engine/nearest/nearest.ts';
import { listBaseFiles } from '../../src/engine/store/base-file.ts';
import { Store } from '../../src/engine/store/store.ts';
import { assertPresent } from '../../src/shared/assert-present.ts';
import { loadSnapshot, measureRecall } from '../support/nearest-snapshot.ts';
import { removeFolder, temporaryFolder } from '../support/repository.ts';
import { MODEL, makeKey, storeEmbeddings } from '../support/rows-writer.ts';
import { makeVector } from '../support/small-index.ts';

const range = (from: number, to: number) => Array.from({ length: to - from }, (_, i) => from + i);
const FROM = 1_000;

describe('an index of embeddings', () => {
  let folder: string;
  let store: Store;
  let id: number;
  let open: NearestIndexes[];
  beforeEach(() => {
    folder = temporaryFolder();
    store = new Store(folder);
    id = store.snapshots.open(null);
    open = [];
  });
  afterEach(async () => {
    for (const one of open) await one.close();
    store.close();
    removeFolder(folder);
  });
  const put = (from: number, to: number) =>
    store.lock.hold(async () => storeEmbeddings(store, id, range(from, to)));
  const nearestOf = (of = store) => {
    const made = new NearestIndexes(of, MODEL, FROM);
    open.push(made);
    return made;
  };

  it('finds at least 98 of the 100 nearest embeddings', async () => {
    await put(0, 3_000);
    const snapshot = loadSnapshot(store, id);
    const nearest = nearestOf();
    assert.equal(nearest.getIndex(snapshot), null);
    await nearest.prepare(snapshot);
    const recall = assertPresent(measureRecall(nearest, snapshot, range(0, 50), 100), 'an index');
    assert.ok(recall >= 0.98, `recall ${recall}`);
    const [file] = listBaseFiles(folder);
    assert.equal(file?.rows, 3_000);
    if (process.platform !== 'win32') assert.equal(statSync(file.path).mode & 0o777, 0o600);
    assert.ok(store.bytes > statSync(file.path).size);
  });

  it('is not built for few embeddings, and belongs to one snapshot', async () => {
    await put(0, FROM - 1);
    const few = loadSnapshot(store, id);
    const nearest = nearestOf();
    await nearest.prepare(few);
    assert.deepEqual(listBaseFiles(folder), []);
    await put(FROM - 1, FROM);
    const enough = loadSnapshot(store, id);
    await nearest.prepare(enough);
    assert.ok(nearest.getIndex(enough));
    assert.equal(nearest.getIndex(few), null);
  });

  it('follows added, changed and removed embeddings', async () => {
    await put(0, 2_000);
    const snapshot = loadSnapshot(store, id);
    const nearest = nearestOf();
    await nearest.prepare(snapshot);
    const base = assertPresent(nearest.getIndex(snapshot), 'an index');
    const { vectors } = snapshot;
    const query = makeVector(makeKey(7));
    vectors.set(2_500, query);
    vectors.set(1, query);
    vectors.remove(7);
    assert.equal(base.outsideCount, 2);
    const found = [...base.candidates(query, 20)];
    assert.ok(found.includes(2_500) && found.includes(1) && !found.includes(7));
    assert.equal(new Set(found).size, found.length);
    vectors.remove(2_500);
    vectors.set(7, query);
    assert.equal(base.outsideCount, 2);
    assert.ok(base.candidates(query, 20).includes(7));
  });

  it('is loaded by the next process, and rebuilt after many additions', async () => {
    await put(0, 2_000);
    await nearestOf().prepare(loadSnapshot(store, id));
    const [before] = listBaseFiles(folder);
    await put(2_000, 2_050);
    const next = loadSnapshot(store, id);
    const nearest = nearestOf();
    await nearest.prepare(next);
    assert.equal(assertPresent(nearest.getIndex(next), 'an index').outsideCount, 50);
    assert.deepEqual(listBaseFiles(folder), [before]);
    await put(2_050, 2_500);
    const grown = loadSnapshot(store, id);
    await nearest.prepare(grown);
    assert.equal(assertPresent(nearest.getIndex(grown), 'an index').outsideCount, 0);
    assert.deepEqual(
      listBaseFiles(folder).map(({ rows }) => rows),
      [2_500],
    );
  });

  it('is removed when its rows are rewritten', async () => {
    await put(0, 3_000);
    await nearestOf().prepare(loadSnapshot(store, id));
    await store.lock.hold(async () => {
      store.transaction(() => store.embeddings.unlink(id, range(0, 1_800)));
      store.embeddings.collectGarbage(100);
    });
    assert.equal(store.embeddings.getGeneration(MODEL)?.number, 2);
    assert.deepEqual(listBaseFiles(folder), []);
    const snapshot = loadSnapshot(store, id);
    const nearest = nearestOf();
    await nearest.prepare(snapshot);
    assert.ok(
      assertPresent(measureRecall(nearest, snapshot, [1_900, 2_000], 100), 'an index') >= 0.98,
    );
    assert.equal(listBaseFiles(folder)[0]?.generation, 2);
  });

  it('can be canceled, and leaves no unfinished files', async () => {
    await put(0, 3_000);
    const snapshot = loadSnapshot(store, id);
    const nearest = nearestOf();
    const prepared = nearest.prepare(snapshot);
    nearest.cancel();
    await prepared;
    assert.equal(nearest.getIndex(snapshot), null);
    assert.deepEqual(listBaseFiles(folder), []);
    await nearest.prepare(snapshot);
    assert.ok(nearest.getIndex(snapshot));
  });

  it('is loaded but not built by a read-only store', async () => {
    await put(0, 2_000);
    const reader = new Store(folder, null, { revision: null });
    try {
      const snapshot = loadSnapshot(reader, id);
      const nearest = nearestOf(reader);
      await nearest.prepare(snapshot);
      assert.deepEqual(listBaseFiles(folder), []);
      await nearestOf().prepare(loadSnapshot(store, id));
      await nearest.prepare(snapshot);
      assert.ok(nearest.getIndex(snapshot));
      await nearest.close();
    } finally {
      reader.close();
    }
  });
});
