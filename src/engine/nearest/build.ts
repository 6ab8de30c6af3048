import { closeSync, openSync, renameSync } from 'node:fs';
import { PRIVATE_FILE } from '../../base/private.ts';
import { isSealed, RowsSum, seal } from '../store/base-file.ts';
import { RowFile } from '../store/row-file.ts';
import type { EmbeddingModel } from '../store/row-format.ts';
import { removeIfPossible } from '../store/row-generations.ts';
import { dequantize } from '../vectors/quantized.ts';
import { createHnsw, type Hnsw } from './hnsw.ts';

/** Rows that are added between two looks at whether somebody wants the work to end. */
const AT_ONCE = 256;

export interface BaseJob {
  model: EmbeddingModel;
  rowsPath: string;
  /** How many of them, from the first on. */
  rows: number;
  path: string;
}

/**
 * Builds the index and renames it into place, where nothing may be yet. Returns false where usearch does not run.
 * @throws the system's errors
 */
export async function buildBase(job: BaseJob): Promise<boolean> {
  const { rows, path } = job;
  const index = await createHnsw(job.model.dimensions);
  if (!index) return false;
  const unfinished = `${path}.new`;
  removeIfPossible(unfinished);
  try {
    const sum = fill(index, job);
    // Made here, since usearch would let others read it.
    closeSync(openSync(unfinished, 'wx', PRIVATE_FILE));
    index.save(unfinished);
    await seal(unfinished, rows, sum);
    renameSync(unfinished, path);
    return true;
  } catch (error) {
    removeIfPossible(unfinished);
    throw error;
  }
}

/** Whether a file is whole, and over these rows. */
export function isSound({ model, rowsPath, rows, path }: BaseJob): boolean {
  using file = RowFile.open(rowsPath, model, true);
  const sum = new RowsSum();
  for (const row of file.rows(0, rows)) sum.add(row);
  return isSealed(path, rows, sum.value);
}

/** Adds rows to an index; returns their sum. */
function fill(index: Hnsw, { model, rowsPath, rows }: BaseJob): number {
  using file = RowFile.open(rowsPath, model, true);
  const { dimensions } = model;
  const sum = new RowsSum();
  let keys: bigint[] = [];
  const vectors = new Float32Array(AT_ONCE * dimensions);
  const flush = () => {
    if (keys.length > 0)
      index.add(BigUint64Array.from(keys), vectors.subarray(0, keys.length * dimensions), 1);
    keys = [];
  };
  for (const row of file.rows(0, rows)) {
    sum.add(row);
    vectors.set(dequantize(row.vector), keys.length * dimensions);
    keys.push(BigInt(row.row));
    if (keys.length === AT_ONCE) flush();
  }
  flush();
  return sum.value;
}
