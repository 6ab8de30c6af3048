import { renameSync } from 'node:fs';
import { identityOf } from '../../base/set-aside.ts';
import { fileFailure } from '../../base/sqlite.ts';
import { copyOf, type QuantizedVector } from '../vectors/quantized.ts';
import { type NewRow, type Row, RowFile } from './row-file.ts';
import { type EmbeddingModel, KEY_BYTES } from './row-format.ts';
import {
  digestOf,
  generationPath,
  generationsIn,
  newest,
  removeIfPossible,
  removeOld,
} from './row-generations.ts';

const FIRST_CAPACITY = 1_024;

/**
 * Which row has which key: open addressing with linear probing over two typed arrays, 28 bytes a row, where a `Map` of
 * strings takes a hundred. Keys are digests, so four of their bytes are hash enough.
 */
class KeyTable {
  /** By row; zeroes where a row has no place here. */
  #keys = Buffer.alloc(0);
  /** Row + 1 by place; 0 is an empty place. Twice as many as rows, at least. */
  #places = new Int32Array(0);

  constructor() {
    this.#grow(FIRST_CAPACITY);
  }

  /** The row of this key; -1 for none. */
  find(key: Uint8Array): number {
    return (this.#places[this.#placeOf(key)] ?? 0) - 1;
  }

  /** Says that a row has this key; the first row of a key is the one that is found. */
  add(key: Uint8Array, row: number): void {
    if (row >= this.#keys.length / KEY_BYTES) this.#grow(2 * row);
    this.#keys.set(key, row * KEY_BYTES);
    const place = this.#placeOf(key);
    this.#places[place] ||= row + 1;
  }

  #placeOf(key: Uint8Array): number {
    const mask = this.#places.length - 1;
    const wanted = Buffer.from(key.buffer, key.byteOffset, KEY_BYTES);
    for (let place = wanted.readUInt32LE(0) & mask; ; place = (place + 1) & mask) {
      const row = (this.#places[place] ?? 0) - 1;
      if (row < 0 || this.#hasKey(row, wanted)) return place;
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
    const known = this.#places.filter((row) => row > 0).sort();
    this.#keys = keys;
    this.#places = new Int32Array(2 * capacity);
    for (const row of known) {
      const at = (row - 1) * KEY_BYTES;
      this.#places[this.#placeOf(keys.subarray(at, at + KEY_BYTES))] = row;
    }
  }
}

const COPIED_AT_ONCE = 1_000;

/**
 * The embeddings of one model in a folder: the newest generation of its files, and where in it which key is. One
 * process writes, holding the writer lock, and only behind the last row; others read what is whole when they look.
 * All methods throw `LocusError` `bad-store` where the disk, its space or its permissions are in the way.
 */
export class EmbeddingRows {
  readonly #folder: string;
  readonly #model: EmbeddingModel;
  readonly #digest: string;
  readonly #readOnly: boolean;
  #file: RowFile | null = null;
  #identity = '';
  #table = new KeyTable();
  /** Rows that were looked at; those behind the last whole one may yet be written. */
  #seen = 0;

  constructor(folder: string, model: EmbeddingModel, readOnly: boolean) {
    this.#folder = folder;
    this.#model = model;
    this.#digest = digestOf(model);
    this.#readOnly = readOnly;
  }

  /** The file that is read, or would be. */
  get path(): string {
    return this.#file?.path ?? generationPath(this.#folder, this.#digest, 1);
  }

  /** Rows of the file, dead and damaged ones included. */
  get length(): number {
    return this.#guard(() => this.#file?.length ?? 0);
  }

  /** Finds out what was written since the last call, by whomever. Call before what follows. */
  refresh(): void {
    this.#guard(() => {
      this.#openNewest();
      const length = this.#file?.length ?? 0;
      if (length < this.#seen) this.#forget();
      if (!this.#file || length === this.#seen) return;
      for (const { row, key } of this.#file.rows(this.#seen, length)) {
        this.#table.add(key, row);
        this.#seen = row + 1;
      }
    });
  }

  /** The file of now, without a look at its rows; null for none. */
  file(): RowFile | null {
    this.#guard(() => this.#openNewest());
    return this.#file;
  }

  has(key: Uint8Array): boolean {
    return this.#table.find(key) >= 0;
  }

  /** The row of a key; -1 for none. */
  find(key: Uint8Array): number {
    return this.#table.find(key);
  }

  /** The vector of a key; null when there is none, or no longer a whole one. */
  vector(key: Uint8Array): QuantizedVector | null {
    const row = this.#table.find(key);
    if (row < 0 || !this.#file) return null;
    const file = this.#file;
    const read = this.#guard(() => file.row(row));
    if (read?.key.equals(key)) return read.vector;
    // It was whole when it was looked at: all of it is looked at again.
    this.#forget();
    return null;
  }

  /** All whole rows in order; views that are good until the next. */
  *rows(): IterableIterator<Row> {
    if (!this.#file) return;
    const rows = this.#file.rows(0, this.#seen);
    const next = () => this.#guard(() => rows.next());
    for (let step = next(); !step.done; step = next()) yield step.value;
  }

  /** Adds rows with keys that are not there; call while holding the writer lock, and after `refresh`. */
  append(rows: readonly NewRow[]): void {
    if (rows.length === 0) return;
    this.#guard(() => {
      const file = this.#fileToWrite();
      const first = file.append(rows);
      for (const [i, { key }] of rows.entries()) this.#table.add(key, first + i);
      this.#seen = first + rows.length;
    });
  }

  /**
   * Writes the rows that are worth it into a new generation, and removes the old one; call while holding the writer
   * lock, and after `refresh`. Killed meanwhile, the old one is what counts.
   */
  rewrite(isWorthIt: (row: Row) => boolean = () => true): void {
    this.#guard(() => {
      const number = (newest(generationsIn(this.#folder), this.#digest)?.number ?? 0) + 1;
      const path = generationPath(this.#folder, this.#digest, number);
      const unfinished = `${path}.new`;
      removeIfPossible(unfinished);
      try {
        this.#writeAnew(unfinished, isWorthIt);
        renameSync(unfinished, path);
      } catch (error) {
        removeIfPossible(unfinished);
        throw error;
      }
      this.close();
      removeOld(this.#folder, this.#digest);
    });
    this.refresh();
  }

  close(): void {
    this.#file?.close();
    this.#file = null;
    this.#forget();
  }

  #writeAnew(path: string, isWorthIt: (row: Row) => boolean): void {
    using target = RowFile.create(path, this.#model);
    let batch: NewRow[] = [];
    const flush = () => {
      if (batch.length > 0) target.append(batch);
      batch = [];
    };
    for (const row of this.#file?.rows(0, this.#seen) ?? []) {
      // A key's first whole row is the one that is used; of others nothing is kept.
      if (this.#table.find(row.key) !== row.row || !isWorthIt(row)) continue;
      batch.push({ key: Buffer.from(row.key), vector: copyOf(row.vector) });
      if (batch.length === COPIED_AT_ONCE) flush();
    }
    flush();
    target.sync();
  }

  /** One with a damaged header is given up for a new generation with the rows that are whole. */
  #fileToWrite(): RowFile {
    if (this.#file && !this.#file.isSound) this.rewrite();
    if (!this.#file) {
      this.#file = RowFile.create(this.path, this.#model);
      this.#identity = this.#file.identity;
    }
    return this.#file;
  }

  /** Whoever wrote the file anew, or moved it away, it is the newest that there is now which is read. */
  #openNewest(attempts = 5): void {
    const path = newest(generationsIn(this.#folder), this.#digest)?.path;
    try {
      if (path && path === this.#file?.path && identityOf(path) === this.#identity) return;
      this.close();
      if (path === undefined) return;
      this.#file = RowFile.open(path, this.#model, this.#readOnly);
      this.#identity = this.#file.identity;
    } catch (error) {
      // A newer one took its place just now.
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT' || attempts === 1) throw error;
      this.#openNewest(attempts - 1);
    }
  }

  #forget(): void {
    this.#table = new KeyTable();
    this.#seen = 0;
  }

  #guard<T>(work: () => T): T {
    try {
      return work();
    } catch (error) {
      throw fileFailure(error, this.path);
    }
  }
}
