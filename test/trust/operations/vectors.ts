/** Operations on files of embeddings: of a reranker, of an index, and of the index of nearest neighbors. */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { isIndexSound } from '../../../src/engine/nearest/build.ts';
import { NearestIndexes } from '../../../src/engine/nearest/nearest.ts';
import { StoredVectors } from '../../../src/engine/search/rerank/stored-vectors.ts';
import { listBaseFiles } from '../../../src/engine/store/base-file.ts';
import { listGenerations, RERANKER_FOLDER } from '../../../src/engine/store/row-generations.ts';
import { Store } from '../../../src/engine/store/store.ts';
import { quantize } from '../../../src/engine/vectors/quantized.ts';
import { assertPresent } from '../../../src/shared/assert-present.ts';
import { loadSnapshot, measureRecall } from '../../support/nearest-snapshot.ts';
import { FROM } from '../../support/nearest-writer.ts';
import type { Operation } from '../../support/operation.ts';
import { DEAD_ROWS_KEPT, MODEL, makeKey, storeEmbeddings } from '../../support/rows-writer.ts';
import { makeVector } from '../../support/small-index.ts';
import { readStoredVectors } from '../../support/stored-vectors.ts';

const range = (from: number, to: number) => Array.from({ length: to - from }, (_, i) => from + i);
const makeVectors = (numbers: readonly number[]) =>
  new Map(numbers.map((n) => [makeKey(n), quantize(makeVector(makeKey(n)))]));

/** Lists the vectors of a folder by key. */
function vectorsIn(folder: string): string[] {
  return [...readStoredVectors(folder)]
    .map(([key, { scale, numbers }]) => `${key} ${scale} ${Buffer.from(numbers).toString('hex')}`)
    .sort();
}

/** Adds vectors in batches, as a reranker does in advance. */
async function read(folder: string, numbers: readonly number[], areAll: boolean): Promise<void> {
  const kept = new StoredVectors(folder, MODEL, false);
  const done = await kept.runAsWriter(async () => {
    for (let at = 0; at < numbers.length; at += 8) {
      kept.refresh();
      kept.add(makeVectors(numbers.slice(at, at + 8)));
    }
    if (areAll) kept.keepOnly(new Set(numbers.map(makeKey)));
    return true;
  });
  assert.equal(done, true);
  kept.close();
}

function withStore<T>(folder: string, work: (store: Store, snapshot: number) => T): T {
  const store = new Store(folder);
  const close = () => store.close();
  const result = work(store, store.snapshots.open(null));
  if (result instanceof Promise) return result.finally(close) as T;
  close();
  return result;
}

export default {
  'vectors that a reranker makes': {
    prepare: (folder) => read(folder, range(0, 20), false),
    run: (folder) => read(folder, range(10, 60), false),
    digest: (folder) => ({ vectors: vectorsIn(join(folder, RERANKER_FOLDER)) }),
  },
  'vectors of a reranker that are rewritten': {
    prepare: (folder) => read(folder, range(0, 1_200), false),
    run: (folder) => read(folder, range(1_190, 1_230), true),
    digest(folder) {
      const files = listGenerations(join(folder, RERANKER_FOLDER)).length;
      return { vectors: vectorsIn(join(folder, RERANKER_FOLDER)), files: [`${files} files`] };
    },
  },
  'embeddings that are rewritten': {
    prepare: (folder) =>
      withStore(folder, (store, snapshot) =>
        store.lock.hold(async () => {
          storeEmbeddings(store, snapshot, range(0, 600));
          store.transaction(() => store.embeddings.unlink(snapshot, range(0, 550)));
        }),
      ),
    run: (folder) =>
      withStore(folder, (store, snapshot) =>
        store.lock.hold(async () => {
          storeEmbeddings(store, snapshot, range(1_000, 1_020));
          store.embeddings.collectGarbage(DEAD_ROWS_KEPT / 2);
        }),
      ),
    digest: (folder) =>
      withStore(folder, (store, snapshot) => ({
        embeddings: [...store.embeddings.readAll(snapshot, MODEL)]
          .map(({ chunkId, vector }) => `${chunkId} ${Buffer.from(vector.numbers).toString('hex')}`)
          .sort(),
        files: listGenerations(folder).map(({ isUnfinished }) => `unfinished: ${isUnfinished}`),
        notes: store.notes,
      })),
  },
  'an index of nearest neighbors': {
    prepare: (folder) =>
      withStore(folder, (store, snapshot) =>
        store.lock.hold(async () => storeEmbeddings(store, snapshot, range(0, 2 * FROM))),
      ),
    run: (folder) =>
      withStore(folder, async (store, snapshot) => {
        const nearest = new NearestIndexes(store, MODEL, FROM);
        // The building thread does not keep the process alive.
        const alive = setInterval(() => {}, 1_000);
        await nearest.prepare(loadSnapshot(store, snapshot));
        await nearest.close();
        clearInterval(alive);
      }),
    digest: (folder) =>
      withStore(folder, async (store, snapshot) => {
        const [base, ...others] = listBaseFiles(folder);
        const { path, rows } = assertPresent(base, 'the file of an index');
        const rowsPath = assertPresent(
          store.embeddings.getGeneration(MODEL),
          'a file of rows',
        ).path;
        const table = loadSnapshot(store, snapshot);
        const nearest = new NearestIndexes(store, MODEL, FROM);
        await nearest.prepare(table);
        const recall = measureRecall(nearest, table, range(0, 20), 10);
        await nearest.close();
        return {
          files: [`${others.length} others`, `${rows} rows`],
          sound: [String(isIndexSound({ model: MODEL, rowsPath, rows, path }))],
          recall: [recall !== null && recall > 0.9 ? 'high' : String(recall)],
        };
      }),
  },
} satisfies Record<string, Operation>;
