import { join } from 'node:path';
import { whileFree } from '../../../base/file-lock.ts';
import { makeFolder } from '../../../base/private.ts';
import { EmbeddingRows } from '../../store/embedding-rows.ts';
import type { NewRow } from '../../store/row-file.ts';
import type { EmbeddingModel } from '../../store/row-format.ts';
import { READ_FOLDER } from '../../store/row-generations.ts';
import { copyOf, type QuantizedVector } from '../../vectors/quantized.ts';

const LOCK_FILE = 'read.lock';

/** Unused rows that are not worth a new file. */
const DEAD_ROWS_KEPT = 1_000;

/**
 * Vectors that a reranker made in advance, by what exactly was encoded, in a file of rows in a folder of the index. Searches
 * read it; one process at a time writes, and only behind the last row.
 */
export class StoredVectors {
  readonly #folder: string;
  readonly #rows: EmbeddingRows;
  readonly #readOnly: boolean;

  constructor(directory: string, model: EmbeddingModel, readOnly: boolean) {
    this.#folder = join(directory, READ_FOLDER);
    this.#rows = new EmbeddingRows(this.#folder, model, readOnly);
    this.#readOnly = readOnly;
  }

  /** Finds out what was written since the last call. Call it before the methods below. */
  refresh(): void {
    this.#rows.refresh();
  }

  has(key: string): boolean {
    return this.#rows.has(Buffer.from(key, 'hex'));
  }

  /** Returns a copy of a vector; null where it was not made, or is no longer whole. */
  get(key: string): QuantizedVector | null {
    const vector = this.#rows.vector(Buffer.from(key, 'hex'));
    return vector && copyOf(vector);
  }

  /** Runs `work` as the only writer. Returns null, and runs nothing, if another process writes or none may. */
  async writing<T>(work: () => Promise<T>): Promise<T | null> {
    if (this.#readOnly) return null;
    makeFolder(this.#folder);
    return whileFree(join(this.#folder, LOCK_FILE), work);
  }

  /** Adds rows; call it while `writing`. */
  add(rows: readonly NewRow[]): void {
    this.refresh();
    this.#rows.append(rows.filter(({ key }) => !this.#rows.has(key)));
  }

  /** Rewrites the file if most of its vectors have other keys than these; call it while `writing`. */
  keepOnly(keys: ReadonlySet<string>): void {
    this.refresh();
    if (this.#rows.length <= 2 * keys.size + DEAD_ROWS_KEPT) return;
    this.#rows.rewrite(({ key }) => keys.has(key.toString('hex')));
  }

  close(): void {
    this.#rows.close();
  }
}
