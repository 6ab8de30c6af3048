import { throwIfCancelled } from '../../base/cancel.ts';
import { assertPresent } from '../../shared/assert-present.ts';
import { DOCUMENTS_PER_SLICE, MAX_ACTIVE_SLICES } from '../encode/encoder.ts';
import { getModelKey } from '../encode/manifest.ts';
import type { Encoder } from '../encode/types.ts';
import { buildEncoderDocument } from '../snapshot/encoder-document.ts';
import type { RepositoryIndex } from '../snapshot/repository-index.ts';
import { listSourceFirst } from '../snapshot/source-first.ts';
import type { Store } from '../store/store.ts';

export interface EncodeStageContext {
  store: Store;
  index: RepositoryIndex;
  encoder: Encoder;
  signal?: AbortSignal;
  onChunks: (count: number) => void;
}

/** Returns the slots without an embedding, those in source files first. */
export function listUnencoded(index: RepositoryIndex): number[] {
  return listSourceFirst(index, (_chunk, slot) => !index.vectors.has(slot));
}

/** Encodes chunks. Returns the number of computed embeddings; the others were already stored. */
export async function encodeChunks(
  context: EncodeStageContext,
  slots: readonly number[],
): Promise<number> {
  const heads = new Map<number, string>();
  const running: Promise<number>[] = [];
  let computed = 0;
  const finishOne = async () => {
    computed += (await running.shift()) ?? 0;
  };
  try {
    for (let start = 0; start < slots.length; start += DOCUMENTS_PER_SLICE) {
      throwIfCancelled(context.signal, 'Indexing');
      if (running.length === MAX_ACTIVE_SLICES) await finishOne();
      const batch = encodeBatch(context, slots.slice(start, start + DOCUMENTS_PER_SLICE), heads);
      batch.catch(() => {}); // It is awaited later, unless an earlier one fails first.
      running.push(batch);
    }
    while (running.length > 0) await finishOne();
    return computed;
  } finally {
    // A batch that is still running would write after the lock is released, for chunks that may have changed.
    await Promise.allSettled(running);
  }
}

/**
 * Encodes chunks in memory only, until `encodeChunks` replaces their embeddings by stored ones. It doesn't look for stored
 * embeddings, since that requires reading all rows, which takes tenths of a second for 100,000.
 */
export async function encodeTemporarily(
  { store, index, encoder }: Pick<EncodeStageContext, 'store' | 'index' | 'encoder'>,
  slots: readonly number[],
): Promise<void> {
  const documents = slots.map((slot) => buildEncoderDocument(store, index, slot));
  const { keys, vectors } = await encoder.encode(documents, (asked) => asked.map(() => false));
  for (const [i, slot] of slots.entries()) {
    const vector = vectors.get(assertPresent(keys[i], 'the key of a document'));
    index.vectors.set(slot, assertPresent(vector, 'the vector of a document'));
  }
}

async function encodeBatch(
  context: EncodeStageContext,
  slots: readonly number[],
  heads: Map<number, string>,
): Promise<number> {
  const { store, index, encoder } = context;
  const live = slots.filter((slot) => index.getChunkOrNull(slot));
  const ids = live.map((slot) => index.getChunk(slot).id);
  const documents = live.map((slot) => buildEncoderDocument(store, index, slot, heads));
  const model = {
    key: getModelKey(encoder.modelId, encoder.modelVersion),
    dimensions: encoder.dimensions,
  };
  const { keys, vectors } = await encoder.encode(documents, (asked) =>
    store.embeddings.has(model, asked),
  );
  const chunks = ids.map((id, i) => ({ id, key: assertPresent(keys[i], 'the key of a document') }));
  const all = store.transaction(() =>
    store.embeddings.put(index.snapshotId, model, chunks, vectors),
  );
  for (const [i, id] of ids.entries()) {
    const vector = all[i];
    if (vector) index.putVector(id, vector);
  }
  for (const { buffer } of vectors.values()) freeBuffer(buffer);
  context.onChunks(slots.length);
  return vectors.size;
}

/** Frees memory that would otherwise stay until the next large garbage collection: 70 MB for Django. */
function freeBuffer(buffer: ArrayBufferLike): void {
  if (buffer instanceof ArrayBuffer && !buffer.detached) buffer.transfer(0);
}
