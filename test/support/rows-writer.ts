/**
 * Adds embeddings to chunks, removes them, and rewrites their files, until it is killed:
 * `node rows-writer.ts <folder of an index> <seed>`. Chunk n has the embedding `makeVector(makeKey(n))`.
 */
import { createHash } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import { Store } from '../../src/engine/store/store.ts';
import { uniform } from './effort.ts';
import { makeVector } from './small-index.ts';

export const MODEL = { key: 'm@1', dimensions: 20 };
export const makeKey = (n: number): string => createHash('sha1').update(String(n)).digest('hex');

const CHUNKS = 2_000;
/** Number of unused rows from which a file is rewritten. */
export const DEAD_ROWS_KEPT = 200;

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const [folder = '', seed = '1'] = process.argv.slice(2);
  const store = new Store(folder);
  const random = uniform(Number(seed));
  const snapshot = store.snapshots.open(null);
  process.send?.('begun');
  for (;;) {
    await store.lock.hold(async () => {
      const first = Math.floor(random() * CHUNKS);
      const ids = Array.from({ length: 200 }, (_, i) => first + i);
      if (random() < 0.5) store.transaction(() => store.embeddings.unlink(snapshot, ids));
      else storeEmbeddings(store, snapshot, ids);
      store.embeddings.collectGarbage(DEAD_ROWS_KEPT);
    });
  }
}

/** Links chunks to their embeddings, and stores the missing ones. Call this while holding the writer lock. */
export function storeEmbeddings(store: Store, snapshot: number, ids: readonly number[]): void {
  const chunks = ids.map((id) => ({ id, key: makeKey(id) }));
  const keys = chunks.map(({ key }) => key);
  const stored = store.embeddings.has(MODEL, keys);
  const missing = keys.filter((_, i) => !stored[i]);
  const vectors = new Map(missing.map((key) => [key, makeVector(key)] as const));
  store.transaction(() => store.embeddings.put(snapshot, MODEL, chunks, vectors));
}
