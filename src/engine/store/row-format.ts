/**
 * How a file of embeddings looks: a header, then rows of one length, one after the other, to the end. A row is a key, a
 * vector (its scale, then a byte a number), and a checksum of both and of the model, so that a row says by itself whether
 * it is whole: one that was half written, or that a disk has changed, counts as missing. Numbers are little-endian, as all
 * platforms of Locus have them in memory.
 */
import { putVector, type QuantizedVector, vectorAt, vectorBytes } from '../vectors/quantized.ts';
import { checksum } from './checksum.ts';

/** Whose embeddings they are. */
export interface EmbeddingModel {
  /** Id and version, as `modelKey` makes it. */
  key: string;
  dimensions: number;
}

/** A key is a SHA-256 cut to this many bytes. */
export const KEY_BYTES = 20;
export const HEADER_BYTES = 256;

const MAGIC = 'LocusRow';
/** Of this layout. Another one takes another extension, so that no version misreads a file. */
const FORMAT = 2;
const SUM_BYTES = 4;
const NAME_AT = 20;
const SUM_AT = HEADER_BYTES - SUM_BYTES;

export function rowBytes({ dimensions }: EmbeddingModel): number {
  return KEY_BYTES + vectorBytes(dimensions) + SUM_BYTES;
}

export function header({ key, dimensions }: EmbeddingModel): Buffer {
  const bytes = Buffer.alloc(HEADER_BYTES);
  bytes.write(MAGIC, 'latin1');
  bytes.writeUInt32LE(FORMAT, 8);
  bytes.writeUInt32LE(dimensions, 12);
  const name = Buffer.from(key).subarray(0, SUM_AT - NAME_AT);
  bytes.writeUInt32LE(name.length, 16);
  name.copy(bytes, NAME_AT);
  bytes.writeUInt32LE(headerSum(bytes), SUM_AT);
  return bytes;
}

/** Whose rows a file has by its header; null when that is damaged. */
export function modelOfHeader(bytes: Buffer): EmbeddingModel | null {
  if (bytes.length < HEADER_BYTES || bytes.readUInt32LE(SUM_AT) !== headerSum(bytes)) return null;
  const nameEnd = NAME_AT + bytes.readUInt32LE(16);
  return { key: bytes.toString('utf8', NAME_AT, nameEnd), dimensions: bytes.readUInt32LE(12) };
}

function headerSum(bytes: Buffer): number {
  return checksum([bytes.subarray(0, SUM_AT)]);
}

/** Rows of one model, in memory that is read and written in blocks. */
export class RowLayout {
  readonly bytes: number;
  readonly #dimensions: number;
  /** What tells rows of other models apart. */
  readonly #seed: number;

  constructor(model: EmbeddingModel) {
    this.bytes = rowBytes(model);
    this.#dimensions = model.dimensions;
    this.#seed = checksum([model.key, model.dimensions]);
  }

  /** The vector of the row that begins at `at`: a view, good until the block is written again. */
  vector(block: Buffer, at: number): QuantizedVector {
    return vectorAt(block, at + KEY_BYTES, this.#dimensions);
  }

  key(block: Buffer, at: number): Buffer {
    return block.subarray(at, at + KEY_BYTES);
  }

  isWhole(block: Buffer, at: number): boolean {
    return block.readUInt32LE(at + this.bytes - SUM_BYTES) === this.#sum(block, at);
  }

  /** @param vector of the model's dimensions. */
  write(block: Buffer, at: number, key: Uint8Array, vector: QuantizedVector): void {
    block.set(key, at);
    putVector(block, at + KEY_BYTES, vector);
    block.writeUInt32LE(this.#sum(block, at), at + this.bytes - SUM_BYTES);
  }

  #sum(block: Buffer, at: number): number {
    return checksum([block.subarray(at, at + this.bytes - SUM_BYTES)], this.#seed);
  }
}
