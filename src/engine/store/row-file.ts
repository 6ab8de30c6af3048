import { closeSync, fstatSync, fsyncSync, openSync, readSync, writeSync } from 'node:fs';
import { PRIVATE_FILE } from '../../base/private.ts';
import { openRegularFile } from '../../base/regular-file.ts';
import { readElsewhere } from '../columns/read-elsewhere.ts';
import type { QuantizedVector } from '../vectors/quantized.ts';
import {
  type EmbeddingModel,
  HEADER_BYTES,
  header,
  modelOfHeader,
  RowLayout,
  rowBytes,
} from './row-format.ts';

/** Approximate number of bytes that are read at once. */
const BLOCK_BYTES = 1 << 20;

/** Row of a file of embeddings. Its buffers are views that are valid until the next row is read. */
export interface Row {
  row: number;
  key: Buffer;
  vector: QuantizedVector;
}

export interface NewRow {
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
      file.#write(header(model), 0);
      return file;
    } catch (error) {
      file.close();
      throw error;
    }
  }

  /** Number of rows in the file, damaged ones included. Bytes after the last row were not written completely. */
  get length(): number {
    const { size } = fstatSync(this.#descriptor);
    return Math.max(0, Math.floor((size - HEADER_BYTES) / rowBytes(this.#model)));
  }

  /** Identity of the file on disk, to distinguish it from another file of the same name. */
  get identity(): string {
    const { dev, ino } = fstatSync(this.#descriptor, { bigint: true });
    return `${dev}:${ino}`;
  }

  /** True if the header is intact and belongs to the model. Rows have checksums of their own. */
  get isSound(): boolean {
    const bytes = Buffer.alloc(HEADER_BYTES);
    if (this.#read(bytes, 0) < HEADER_BYTES) return false;
    const model = modelOfHeader(bytes);
    return (
      model?.dimensions === this.#model.dimensions && header(model).equals(header(this.#model))
    );
  }

  /** Yields the intact rows from `from` up to, but not including, `to`. */
  *rows(from: number, to: number): IterableIterator<Row> {
    const { bytes } = this.#layout;
    const atOnce = Math.min(Math.max(1, Math.floor(BLOCK_BYTES / bytes)), Math.max(0, to - from));
    const block = Buffer.alloc(atOnce * bytes);
    for (let first = from; first < to; first += atOnce) {
      const wanted = Math.min(atOnce, to - first) * bytes;
      const read = this.#read(block.subarray(0, wanted), HEADER_BYTES + first * bytes);
      for (let at = 0; at + bytes <= read; at += bytes) {
        if (this.#layout.isWhole(block, at)) yield this.#rowAt(block, at, first + at / bytes);
      }
    }
  }

  /** Fills a block with rows, including damaged ones. Returns false if the file has fewer rows. */
  readBlock(first: number, into: Uint8Array): boolean {
    return this.#read(into, HEADER_BYTES + first * this.#layout.bytes) === into.length;
  }

  /** Fills a block with the first rows, like `readBlock`, in other threads. */
  readAhead(into: Uint8Array): Promise<boolean> {
    const half = Math.ceil(into.length / 2);
    // Two reads only: the remaining threads read data that is needed sooner.
    return readElsewhere(this.#descriptor, [
      { into: into.subarray(0, half), position: HEADER_BYTES },
      { into: into.subarray(half), position: HEADER_BYTES + half },
    ]);
  }

  /** Reads one row into new memory. Returns null if it is damaged. */
  row(index: number): Row | null {
    const block = Buffer.alloc(this.#layout.bytes);
    const read = this.#read(block, HEADER_BYTES + index * block.length);
    const isIntact = read === block.length && this.#layout.isWhole(block, 0);
    return isIntact ? this.#rowAt(block, 0, index) : null;
  }

  /** Writes rows after the last complete one. Returns the number of the first new row. */
  append(rows: readonly NewRow[]): number {
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

  #rowAt(block: Buffer, at: number, row: number): Row {
    return { row, key: this.#layout.key(block, at), vector: this.#layout.vector(block, at) };
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
