import { closeSync, openSync, renameSync } from 'node:fs';
import { PRIVATE_FILE } from '../../base/private.ts';
import { isSealedBaseFile, RowsChecksum, sealBaseFile } from '../store/base-file.ts';
import { RowFile } from '../store/row-file.ts';
import type { EmbeddingModel } from '../store/row-format.ts';
import { removeIfPossible } from '../store/row-generations.ts';
import { dequantize } from '../vectors/quantized.ts';
import { createHnsw, type Hnsw } from './hnsw.ts';

/** Number of rows that are added at a time. */
const BATCH_SIZE = 256;

export interface BaseJob {
  model: EmbeddingModel;
  /** File of embeddings. */
  rowsPath: string;
  /** Number of rows to index, from the first on. */
  rows: number;
  /** File of the index. */
  path: string;
}

/**
 * Builds an index file; it must not exist yet. Returns false if usearch is unavailable.
 * @throws errors of the file system
 */
export async function buildBase(job: BaseJob): Promise<boolean> {
  const { rows, path } = job;
  const index = await createHnsw(job.model.dimensions);
  if (!index) return false;
  const unfinished = `${path}.new`;
  removeIfPossible(unfinished);
  try {
    const sum = addRows(index, job);
    // Created here because usearch would create a file that other users can read.
    closeSync(openSync(unfinished, 'wx', PRIVATE_FILE));
    index.save(unfinished);
    await sealBaseFile(unfinished, rows, sum);
    renameSync(unfinished, path);
    return true;
  } catch (error) {
    removeIfPossible(unfinished);
    throw error;
  }
}

/** Returns true if an index file is complete and matches these rows. */
export function isIndexSound({ model, rowsPath, rows, path }: BaseJob): boolean {
  using file = RowFile.open(rowsPath, model, true);
  const sum = new RowsChecksum();
  for (const row of file.readRows(0, rows)) sum.add(row);
  return isSealedBaseFile(path, rows, sum.value);
}

/** Adds rows to an index; returns their checksum. */
function addRows(index: Hnsw, { model, rowsPath, rows }: BaseJob): number {
  using file = RowFile.open(rowsPath, model, true);
  const { dimensions } = model;
  const sum = new RowsChecksum();
  let keys: bigint[] = [];
  const vectors = new Float32Array(BATCH_SIZE * dimensions);
  const flush = () => {
    if (keys.length > 0)
      index.add(BigUint64Array.from(keys), vectors.subarray(0, keys.length * dimensions), 1);
    keys = [];
  };
  for (const row of file.readRows(0, rows)) {
    sum.add(row);
    vectors.set(dequantize(row.vector), keys.length * dimensions);
    keys.push(BigInt(row.row));
    if (keys.length === BATCH_SIZE) flush();
  }
  flush();
  return sum.value;
}
