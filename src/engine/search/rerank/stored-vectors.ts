import { join } from 'node:path';
import { runIfFree } from '../../../base/file-lock.ts';
import { createFolder } from '../../../base/private.ts';
import { EmbeddingRows } from '../../store/embedding-rows.ts';
import type { NewEmbeddingRow } from '../../store/row-file.ts';
import type { EmbeddingModel } from '../../store/row-format.ts';
import { RERANKER_FOLDER } from '../../store/row-generations.ts';
import { copyVector, type QuantizedVector } from '../../vectors/quantized.ts';

const LOCK_FILE = 'read.lock';

/** Number of unused rows up to which rewriting the file is not worth it. */
const MAX_DEAD_ROWS = 1_000;

/**
 * Vectors that a reranker computed in advance, by the exact input, in a file in a folder of the index. Any process may
 * read it. One process at a time writes, and only after the last row.
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

  /** Adds rows. Call it only inside `runAsWriter`. */
  add(rows: readonly NewEmbeddingRow[]): void {
    this.refresh();
    this.#rows.append(rows.filter(({ key }) => !this.#rows.has(key)));
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
