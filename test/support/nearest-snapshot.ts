import type { NearestIndexes, NearestSnapshot } from '../../src/engine/nearest/nearest.ts';
import type { Store } from '../../src/engine/store/store.ts';
import { VectorTable } from '../../src/engine/vectors/vector-table.ts';
import { MODEL } from './rows-writer.ts';

/** Reads the vectors of a snapshot into memory. Chunk n is in slot n. */
export function loadSnapshot(store: Store, snapshotId: number): NearestSnapshot {
  const vectors = new VectorTable(MODEL.dimensions);
  for (const { chunkId, vector } of store.embeddings.readAll(snapshotId, MODEL))
    vectors.setQuantized(chunkId, vector);
  return { snapshotId, vectors, getSlot: (chunkId) => chunkId };
}

/** Returns the share of the `wanted` nearest neighbors that are among the index's first `4 * wanted`; null without an index. */
export function measureRecall(
  nearest: NearestIndexes,
  snapshot: NearestSnapshot,
  queries: readonly number[],
  wanted: number,
): number | null {
  const base = nearest.getIndex(snapshot);
  if (!base) return null;
  let hits = 0;
  let all = 0;
  for (const slot of queries) {
    const vector = snapshot.vectors.getVector(slot);
    if (!vector) continue;
    const found = new Set(base.candidates(vector, 4 * wanted));
    const exact = snapshot.vectors.findNearest(vector, wanted).slots;
    hits += exact.filter((one) => found.has(one)).length;
    all += exact.length;
  }
  return hits / all;
}
