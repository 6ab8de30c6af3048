import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { EmbeddingRows } from '../../store/embedding-rows.ts';
import { whileFree } from '../../store/file-lock.ts';
import { PRIVATE_FOLDER } from '../../store/private.ts';
import type { NewRow } from '../../store/row-file.ts';
import type { EmbeddingModel } from '../../store/row-format.ts';
import { READ_FOLDER } from '../../store/row-generations.ts';
import { copyOf, type QuantizedVector } from '../../vectors/quantized.ts';

const LOCK_FILE = 'read.lock';

/** Fewer rows than this that no chunk asks for are not worth a new file. */
const DEAD_ROWS_KEPT = 1_000;

/**
 * Vectors that a model of the second step made in advance, by what exactly was encoded, in a file of rows in a folder of the
 * index's own. Searches read it; one process at a time writes, and only behind the last row.
 */
export class KeptVectors {
  readonly #folder: string;
  readonly #rows: EmbeddingRows;
  readonly #readOnly: boolean;

  /** @param directory of the index */
  constructor(directory: string, model: EmbeddingModel, readOnly: boolean) {
    this.#folder = join(directory, READ_FOLDER);
    this.#rows = new EmbeddingRows(this.#folder, model, readOnly);
    this.#readOnly = readOnly;
  }

  /** Finds out what was written since the last call. Call before what follows. */
  refresh(): void {
    this.#rows.refresh();
  }

  has(key: string): boolean {
    return this.#rows.has(Buffer.from(key, 'hex'));
  }

  /** In memory of its own; null where it was not made, or is no longer whole. */
  get(key: string): QuantizedVector | null {
    const vector = this.#rows.vector(Buffer.from(key, 'hex'));
    return vector && copyOf(vector);
  }

  /** Runs `work` as the only one that writes; null, and nothing is run, where another process does or none may. */
  async writing<T>(work: () => Promise<T>): Promise<T | null> {
    if (this.#readOnly) return null;
    mkdirSync(this.#folder, { recursive: true, mode: PRIVATE_FOLDER });
    return whileFree(join(this.#folder, LOCK_FILE), work);
  }

  /** Call while `writing`. */
  add(rows: readonly NewRow[]): void {
    this.refresh();
    this.#rows.append(rows.filter(({ key }) => !this.#rows.has(key)));
  }

  /** Writes the file anew where it is mostly vectors of other keys than these. Call while `writing`. */
  keepOnly(keys: ReadonlySet<string>): void {
    this.refresh();
    if (this.#rows.length <= 2 * keys.size + DEAD_ROWS_KEPT) return;
    this.#rows.rewrite(({ key }) => keys.has(key.toString('hex')));
  }

  close(): void {
    this.#rows.close();
  }
}
