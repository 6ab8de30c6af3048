import { renameSync } from 'node:fs';
import { getFileIdentity } from '../../base/quarantine.ts';
import { explainFileError } from '../../base/sqlite.ts';
import { copyVector, type QuantizedVector } from '../vectors/quantized.ts';
import { type EmbeddingRow, type NewEmbeddingRow, RowFile } from './row-file.ts';
import { type EmbeddingModel, KEY_BYTES } from './row-format.ts';
import {
  findNewest,
  getGenerationPath,
  hashModel,
  listGenerations,
  removeIfPossible,
  removeOldGenerations,
} from './row-generations.ts';

const FIRST_CAPACITY = 1_024;

/**
 * Hash table from keys to rows: open addressing with linear probing over two typed arrays. It takes 28 bytes a row; a `Map` of
 * strings takes a hundred. Keys are digests, so their first four bytes serve as the hash.
 */
class KeyTable {
  /** Keys by row; zeros for a row that was not added. */
  #keys = Buffer.alloc(0);
  /** Buckets of the table: row + 1, or 0 if empty. At least twice as many as rows. */
  #buckets = new Int32Array(0);

  constructor() {
    this.#grow(FIRST_CAPACITY);
  }

  /** Returns the row of a key, or -1. */
  find(key: Uint8Array): number {
    return (this.#buckets[this.#findBucket(key)] ?? 0) - 1;
  }

  /** Adds the key of a row. If several rows have the same key, `find` returns the first one added. */
  add(key: Uint8Array, row: number): void {
    if (row >= this.#keys.length / KEY_BYTES) this.#grow(2 * row);
    this.#keys.set(key, row * KEY_BYTES);
    const bucket = this.#findBucket(key);
    this.#buckets[bucket] ||= row + 1;
  }

  #findBucket(key: Uint8Array): number {
    const mask = this.#buckets.length - 1;
    const wanted = Buffer.from(key.buffer, key.byteOffset, KEY_BYTES);
    for (let bucket = wanted.readUInt32LE(0) & mask; ; bucket = (bucket + 1) & mask) {
      const row = (this.#buckets[bucket] ?? 0) - 1;
      if (row < 0 || this.#hasKey(row, wanted)) return bucket;
    }
  }

  #hasKey(row: number, key: Buffer): boolean {
    const at = row * KEY_BYTES;
    return this.#keys.compare(key, 0, KEY_BYTES, at, at + KEY_BYTES) === 0;
  }

  #grow(rows: number): void {
    const capacity = 2 ** Math.ceil(Math.log2(rows));
    const keys = Buffer.alloc(capacity * KEY_BYTES);
    keys.set(this.#keys);
    const known = this.#buckets.filter((row) => row > 0).sort();
    this.#keys = keys;
    this.#buckets = new Int32Array(2 * capacity);
    for (const row of known) {
      const at = (row - 1) * KEY_BYTES;
      this.#buckets[this.#findBucket(keys.subarray(at, at + KEY_BYTES))] = row;
    }
  }
}

const COPY_BATCH_ROWS = 1_000;

/**
 * Embeddings of one model in a folder: the newest generation of its files, and a table from keys to rows. One process
 * writes, holding the writer lock, and only after the last row. Other processes read the rows that are complete at that time.
 * All methods throw `LocusError` `bad-store` if the disk, its free space or permissions prevent the operation.
 */
export class EmbeddingRows {
  readonly #folder: string;
  readonly #model: EmbeddingModel;
  readonly #digest: string;
  readonly #readOnly: boolean;
  #file: RowFile | null = null;
  #identity = '';
  #table = new KeyTable();
  /** Number of rows up to the last complete one that was read. Those after it may still be being written. */
  #rowsRead = 0;

  constructor(folder: string, model: EmbeddingModel, readOnly: boolean) {
    this.#folder = folder;
    this.#model = model;
    this.#digest = hashModel(model);
    this.#readOnly = readOnly;
  }

  /** Path of the current file, or of the first one to be written. */
  get path(): string {
    return this.#file?.path ?? getGenerationPath(this.#folder, this.#digest, 1);
  }

  /** Number of rows in the file, including unused and damaged ones. */
  get length(): number {
    return this.#withFileErrors(() => this.#file?.length ?? 0);
  }

  /** Reads the rows that any process has written since the last call. Call before the methods below. */
  refresh(): void {
    this.#withFileErrors(() => {
      this.#openNewest();
      const length = this.#file?.length ?? 0;
      if (length < this.#rowsRead) this.#reset();
      if (!this.#file || length === this.#rowsRead) return;
      for (const { row, key } of this.#file.readRows(this.#rowsRead, length)) {
        this.#table.add(key, row);
        this.#rowsRead = row + 1;
      }
    });
  }

  /** Opens the newest file without reading its rows. Returns null if none exists. */
  openFile(): RowFile | null {
    this.#withFileErrors(() => this.#openNewest());
    return this.#file;
  }

  has(key: Uint8Array): boolean {
    return this.#table.find(key) >= 0;
  }

  /** Returns the row of a key, or -1. */
  find(key: Uint8Array): number {
    return this.#table.find(key);
  }

  /** Returns the vector of a key, or null if it is missing or damaged. */
  readVector(key: Uint8Array): QuantizedVector | null {
    const row = this.#table.find(key);
    if (row < 0 || !this.#file) return null;
    const file = this.#file;
    const read = this.#withFileErrors(() => file.readRow(row));
    if (read?.key.equals(key)) return read.vector;
    // The row was intact before, so the file has changed: read it again from the start.
    this.#reset();
    return null;
  }

  /** Yields all intact rows in order. A row is a view that is valid until the next one. */
  *readRows(): IterableIterator<EmbeddingRow> {
    if (!this.#file) return;
    const rows = this.#file.readRows(0, this.#rowsRead);
    const next = () => this.#withFileErrors(() => rows.next());
    for (let step = next(); !step.done; step = next()) yield step.value;
  }

  /** Appends rows with new keys. Call while holding the writer lock, after `refresh`. */
  append(rows: readonly NewEmbeddingRow[]): void {
    if (rows.length === 0) return;
    this.#withFileErrors(() => {
      const file = this.#openForWriting();
      const first = file.append(rows);
      for (const [i, { key }] of rows.entries()) this.#table.add(key, first + i);
      this.#rowsRead = first + rows.length;
    });
  }

  /**
   * Copies the rows that pass the filter into a new generation, and removes the old one. Call while holding the writer
   * lock, after `refresh`. If the process is killed meanwhile, the old generation stays in use.
   */
  rewrite(shouldKeep: (row: EmbeddingRow) => boolean = () => true): void {
    this.#withFileErrors(() => {
      const number = (findNewest(listGenerations(this.#folder), this.#digest)?.number ?? 0) + 1;
      const path = getGenerationPath(this.#folder, this.#digest, number);
      const unfinished = `${path}.new`;
      removeIfPossible(unfinished);
      try {
        this.#copyRows(unfinished, shouldKeep);
        renameSync(unfinished, path);
      } catch (error) {
        removeIfPossible(unfinished);
        throw error;
      }
      this.close();
      removeOldGenerations(this.#folder, this.#digest);
    });
    this.refresh();
  }

  close(): void {
    this.#file?.close();
    this.#file = null;
    this.#reset();
  }

  #copyRows(path: string, shouldKeep: (row: EmbeddingRow) => boolean): void {
    using target = RowFile.create(path, this.#model);
    let batch: NewEmbeddingRow[] = [];
    const flush = () => {
      if (batch.length > 0) target.append(batch);
      batch = [];
    };
    for (const row of this.#file?.readRows(0, this.#rowsRead) ?? []) {
      // Only the first intact row of a key is used, so others are dropped.
      if (this.#table.find(row.key) !== row.row || !shouldKeep(row)) continue;
      batch.push({ key: Buffer.from(row.key), vector: copyVector(row.vector) });
      if (batch.length === COPY_BATCH_ROWS) flush();
    }
    flush();
    target.sync();
  }

  /** Returns the file to append to. If its header is damaged, first copies its intact rows to a new generation. */
  #openForWriting(): RowFile {
    if (this.#file && !this.#file.hasValidHeader) this.rewrite();
    if (!this.#file) {
      this.#file = RowFile.create(this.path, this.#model);
      this.#identity = this.#file.identity;
    }
    return this.#file;
  }

  /** Opens the newest file, since another process may have rewritten or moved the current one. */
  #openNewest(attempts = 5): void {
    const path = findNewest(listGenerations(this.#folder), this.#digest)?.path;
    try {
      if (path && path === this.#file?.path && getFileIdentity(path) === this.#identity) return;
      this.close();
      if (path === undefined) return;
      this.#file = RowFile.open(path, this.#model, this.#readOnly);
      this.#identity = this.#file.identity;
    } catch (error) {
      // A newer generation has just replaced it.
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT' || attempts === 1) throw error;
      this.#openNewest(attempts - 1);
    }
  }

  #reset(): void {
    this.#table = new KeyTable();
    this.#rowsRead = 0;
  }

  #withFileErrors<T>(work: () => T): T {
    try {
      return work();
    } catch (error) {
      throw explainFileError(error, this.path);
    }
  }
}
