import { EmbeddingRows } from '../../src/engine/store/embedding-rows.ts';
import { modelsIn } from '../../src/engine/store/row-generations.ts';

/** All vectors in the files of rows of a repository's folder, in fixed point, by key in hex. */
export function storedVectors(folder: string): Map<string, Int16Array> {
  const vectors = new Map<string, Int16Array>();
  for (const model of modelsIn(folder)) {
    const rows = new EmbeddingRows(folder, model, true);
    rows.refresh();
    for (const { key, vector } of rows.rows()) vectors.set(key.toString('hex'), vector.slice());
    rows.close();
  }
  return vectors;
}
