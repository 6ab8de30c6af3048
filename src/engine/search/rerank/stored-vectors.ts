import { join } from 'node:path';
import { runIfFree } from '../../../base/file-lock.ts';
import { createFolder } from '../../../base/private.ts';
import { MAX_BACKGROUND_EMBEDDED } from '../../../shared/limits.ts';
import { EmbeddingRows } from '../../store/embedding-rows.ts';
import type { EmbeddingModel } from '../../store/row-format.ts';
import { RERANKER_FOLDER } from '../../store/row-generations.ts';
import { copyVector, type QuantizedVector } from '../../vectors/quantized.ts';

const LOCK_FILE = 'reranker.lock';

/** Number of rows at which the older half is removed; one of 384 dimensions takes about 400 bytes. */
const MAX_ROWS = 2 * MAX_BACKGROUND_EMBEDDED;

/** Number of unused rows up to which rewriting the file is not worth it. */
const MAX_DEAD_ROWS = 1_000;

/**
 * Vectors that a reranker computed, by the exact input, in a file in a folder of the index. Any process may read it. One
 * process at a time writes, and only after the last row.
 */
export class StoredVectors {
  readonly #folder: string;
  readonly #rows: EmbeddingRows;
  readonly #readOnly: boolean;

  constructor(directory: string, model: EmbeddingModel, readOnly: boolean) {
    this.#folder = join(directory, RERANKER_FOLDER);
    this.#rows = new EmbeddingRows(this.#folder, model, readOnly);
    this.#readOnly = readOnly;
  }

  /** Loads the rows that were written since the last call. Call it before the methods below. */
  refresh(): void {
    this.#rows.refresh();
  }

  has(key: string): boolean {
    return this.#rows.has(Buffer.from(key, 'hex'));
  }

  /** Returns a copy of a vector; null if it is missing or damaged. */
  get(key: string): QuantizedVector | null {
    const vector = this.#rows.readVector(Buffer.from(key, 'hex'));
    return vector && copyVector(vector);
  }

  /** Runs `work` as the only writer. Returns null without running it if another process writes, or the index is read-only. */
  async runAsWriter<T>(work: () => Promise<T>): Promise<T | null> {
    if (this.#readOnly) return null;
    createFolder(this.#folder);
    return runIfFree(join(this.#folder, LOCK_FILE), work);
  }

  /** Adds vectors by key. If there are too many, removes the oldest. Call it only inside `runAsWriter`. */
  add(vectors: ReadonlyMap<string, QuantizedVector>): void {
    this.refresh();
    const rows = [...vectors].map(([key, vector]) => ({ key: Buffer.from(key, 'hex'), vector }));
    this.#rows.append(rows.filter(({ key }) => !this.#rows.has(key)));
    const { length } = this.#rows;
    if (length > MAX_ROWS) this.#rows.rewrite(({ row }) => row >= length - MAX_ROWS / 2);
  }

  /** Rewrites the file with only these keys, if most of its vectors have others. Call it only inside `runAsWriter`. */
  keepOnly(keys: ReadonlySet<string>): void {
    this.refresh();
    if (this.#rows.length <= 2 * keys.size + MAX_DEAD_ROWS) return;
    this.#rows.rewrite(({ key }) => keys.has(key.toString('hex')));
  }

  close(): void {
    this.#rows.close();
  }
}
