/**
 * Gives chunks embeddings, takes them away, and has files written anew, until it is killed:
 * `node rows-writer.ts <folder of an index> <seed>`. Chunk n has the embedding `vectorOf(keyOf(n))`.
 */
import { createHash } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import { Store } from '../../src/engine/store/store.ts';
import { uniform } from './effort.ts';
import { vectorOf } from './small-index.ts';

export const MODEL = { key: 'm@1', dimensions: 20 };
export const keyOf = (n: number): string => createHash('sha1').update(String(n)).digest('hex');

const CHUNKS = 2_000;
/** So few rows that nothing refers to are enough to write a file anew. */
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
      else give(store, snapshot, ids);
      store.embeddings.collectGarbage(DEAD_ROWS_KEPT);
    });
  }
}

/** Gives chunks their embeddings, those that are not stored yet too. Call while holding the writer lock. */
export function give(store: Store, snapshot: number, ids: readonly number[]): void {
  const chunks = ids.map((id) => ({ id, key: keyOf(id) }));
  const keys = chunks.map(({ key }) => key);
  const known = store.embeddings.has(MODEL, keys);
  const fresh = keys.filter((_, i) => !known[i]);
  const vectors = new Map(fresh.map((key) => [key, vectorOf(key)] as const));
  store.transaction(() => store.embeddings.put(snapshot, MODEL, chunks, vectors));
}
