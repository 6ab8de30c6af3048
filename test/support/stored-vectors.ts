import { EmbeddingRows } from '../../src/engine/store/embedding-rows.ts';
import { listModels } from '../../src/engine/store/row-generations.ts';
import { copyVector, type QuantizedVector } from '../../src/engine/vectors/quantized.ts';

/** Reads all vectors in the row files of a folder. Returns them by key in hex. */
export function readStoredVectors(folder: string): Map<string, QuantizedVector> {
  const vectors = new Map<string, QuantizedVector>();
  for (const model of listModels(folder)) {
    const rows = new EmbeddingRows(folder, model, true);
    rows.refresh();
    for (const { key, vector } of rows.readRows())
      vectors.set(key.toString('hex'), copyVector(vector));
    rows.close();
  }
  return vectors;
}
