/**
 * Adds and removes embeddings, rewrites their rows and keeps an index of nearest neighbors, until it is killed:
 * `node nearest-writer.ts <folder of an index> <seed>`. Fails if an index gives wrong neighbors.
 */
import assert from 'node:assert/strict';
import { NearestIndexes } from '../../src/engine/nearest/nearest.ts';
import { Store } from '../../src/engine/store/store.ts';
import { uniform } from './effort.ts';
import { loadSnapshot, measureRecall } from './nearest-snapshot.ts';
import { DEAD_ROWS_KEPT, MODEL, storeEmbeddings } from './rows-writer.ts';

const CHUNKS = 2_000;
/** Number of embeddings from which an index is built. */
export const FROM = 200;

if (import.meta.main) {
  const [folder = '', seed = '1'] = process.argv.slice(2);
  const store = new Store(folder);
  const random = uniform(Number(seed));
  const id = store.snapshots.open(null);
  const nearest = new NearestIndexes(store, MODEL, FROM);
  // The building thread does not keep the process alive.
  setInterval(() => {}, 1_000);
  process.send?.('begun');
  for (;;) {
    await store.lock.hold(async () => {
      const first = Math.floor(random() * CHUNKS);
      const ids = Array.from({ length: 300 }, (_, i) => first + i);
      if (random() < 0.3) store.transaction(() => store.embeddings.unlink(id, ids));
      else storeEmbeddings(store, id, ids);
      store.embeddings.collectGarbage(DEAD_ROWS_KEPT);
    });
    const snapshot = loadSnapshot(store, id);
    await nearest.prepare(snapshot);
    const recall = measureRecall(nearest, snapshot, [0, 500, 1000, 1500, 2000], 10);
    assert.ok(recall === null || Number.isNaN(recall) || recall > 0.9, `recall ${recall}`);
    process.send?.(recall === null ? 'compared' : 'indexed');
  }
}
