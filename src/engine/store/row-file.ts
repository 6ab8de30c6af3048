import { closeSync, fstatSync, fsyncSync, openSync, readSync, writeSync } from 'node:fs';
import { PRIVATE_FILE } from '../../base/private.ts';
import { openRegularFile } from '../../base/regular-file.ts';
import { readInThreadPool } from '../columns/read-in-thread-pool.ts';
import type { QuantizedVector } from '../vectors/quantized.ts';
import {
  createHeader,
  type EmbeddingModel,
  getRowBytes,
  HEADER_BYTES,
  parseHeader,
  RowLayout,
} from './row-format.ts';

/** Approximate number of bytes that are read at once. */
const BLOCK_BYTES = 1 << 20;

/** Row of a file of embeddings. Its buffers are views that are valid until the next row is read. */
export interface EmbeddingRow {
  row: number;
  key: Buffer;
  vector: QuantizedVector;
}

export interface NewEmbeddingRow {
  key: Uint8Array;
  vector: QuantizedVector;
}

/** Open file of embeddings; see `row-format.ts`. All methods throw the errors of the file system. */
export class RowFile {
  readonly path: string;
  readonly #descriptor: number;
  readonly #model: EmbeddingModel;
  readonly #layout: RowLayout;

  private constructor(path: string, descriptor: number, model: EmbeddingModel) {
    this.path = path;
    this.#descriptor = descriptor;
    this.#model = model;
    this.#layout = new RowLayout(model);
  }

  static open(path: string, model: EmbeddingModel, readOnly: boolean): RowFile {
    return new RowFile(path, openRegularFile(path, readOnly ? 'r' : 'r+'), model);
  }

  /** Creates a new file with a header and no rows. */
  static create(path: string, model: EmbeddingModel): RowFile {
    const file = new RowFile(path, openSync(path, 'wx+', PRIVATE_FILE), model);
    try {
      file.#write(createHeader(model), 0);
      return file;
    } catch (error) {
      file.close();
      throw error;
    }
  }

  /** Number of rows in the file, damaged ones included. Bytes after the last row were not written completely. */
  get length(): number {
    const { size } = fstatSync(this.#descriptor);
    return Math.max(0, Math.floor((size - HEADER_BYTES) / getRowBytes(this.#model)));
  }

  /** Identity of the file on disk, to distinguish it from another file of the same name. */
  get identity(): string {
    const { dev, ino } = fstatSync(this.#descriptor, { bigint: true });
    return `${dev}:${ino}`;
  }

  /** True if the header is intact and belongs to the model. Rows have checksums of their own. */
  get hasValidHeader(): boolean {
    const bytes = Buffer.alloc(HEADER_BYTES);
    if (this.#read(bytes, 0) < HEADER_BYTES) return false;
    const model = parseHeader(bytes);
    return (
      model?.dimensions === this.#model.dimensions &&
      createHeader(model).equals(createHeader(this.#model))
    );
  }

  /** Yields the intact rows from `from` up to, but not including, `to`. */
  *readRows(from: number, to: number): IterableIterator<EmbeddingRow> {
    const { bytes } = this.#layout;
    const atOnce = Math.min(Math.max(1, Math.floor(BLOCK_BYTES / bytes)), Math.max(0, to - from));
    const block = Buffer.alloc(atOnce * bytes);
    for (let first = from; first < to; first += atOnce) {
      const wanted = Math.min(atOnce, to - first) * bytes;
      const read = this.#read(block.subarray(0, wanted), HEADER_BYTES + first * bytes);
      for (let at = 0; at + bytes <= read; at += bytes) {
        if (this.#layout.isIntact(block, at)) yield this.#createRow(block, at, first + at / bytes);
      }
    }
  }

  /** Fills a block with rows, including damaged ones. Returns false if the file has fewer rows. */
  readBlock(first: number, into: Uint8Array): boolean {
    return this.#read(into, HEADER_BYTES + first * this.#layout.bytes) === into.length;
  }

  /** Fills a block with the first rows, like `readBlock`, in other threads. */
  prefetch(into: Uint8Array): Promise<boolean> {
    const half = Math.ceil(into.length / 2);
    // Two reads only: the remaining threads read data that is needed sooner.
    return readInThreadPool(this.#descriptor, [
      { into: into.subarray(0, half), position: HEADER_BYTES },
      { into: into.subarray(half), position: HEADER_BYTES + half },
    ]);
  }

  /** Reads one row into new memory. Returns null if it is damaged. */
  readRow(index: number): EmbeddingRow | null {
    const block = Buffer.alloc(this.#layout.bytes);
    const read = this.#read(block, HEADER_BYTES + index * block.length);
    const isIntact = read === block.length && this.#layout.isIntact(block, 0);
    return isIntact ? this.#createRow(block, 0, index) : null;
  }

  /** Writes rows after the last complete one. Returns the number of the first new row. */
  append(rows: readonly NewEmbeddingRow[]): number {
    const { bytes } = this.#layout;
    const first = this.length;
    const block = Buffer.alloc(rows.length * bytes);
    for (const [i, { key, vector }] of rows.entries())
      this.#layout.write(block, i * bytes, key, vector);
    this.#write(block, HEADER_BYTES + first * bytes);
    return first;
  }

  /** Flushes the file to disk. */
  sync(): void {
    fsyncSync(this.#descriptor);
  }

  close(): void {
    closeSync(this.#descriptor);
  }

  [Symbol.dispose](): void {
    this.close();
  }

  #createRow(block: Buffer, at: number, row: number): EmbeddingRow {
    return { row, key: this.#layout.getKey(block, at), vector: this.#layout.getVector(block, at) };
  }

  /** Returns the number of bytes read. */
  #read(into: Uint8Array, position: number): number {
    let done = 0;
    while (done < into.length) {
      const read = readSync(this.#descriptor, into, done, into.length - done, position + done);
      if (read === 0) break;
      done += read;
    }
    return done;
  }

  #write(bytes: Buffer, position: number): void {
    for (let done = 0; done < bytes.length; )
      done += writeSync(this.#descriptor, bytes, done, bytes.length - done, position + done);
  }
}
