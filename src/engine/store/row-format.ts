/**
 * Format of a file of embeddings: a header, followed by rows of equal length. A row is a key, a vector (its scale, then one byte
 * per number), and a checksum of both and of the model. A row that was not written completely, or that the disk has corrupted,
 * fails its checksum and counts as missing. Numbers are little-endian, as in memory on all platforms of Locus.
 */
import {
  countVectorBytes,
  type QuantizedVector,
  readVector,
  writeVector,
} from '../vectors/quantized.ts';
import { computeChecksum } from './checksum.ts';

/** Model that made the embeddings. */
export interface EmbeddingModel {
  /** Id and version, as returned by `getModelKey`. */
  key: string;
  dimensions: number;
}

/** Length of a key, which is a truncated SHA-256. */
export const KEY_BYTES = 20;
export const HEADER_BYTES = 256;

const MAGIC = 'LocusRow';
/** Version of the layout. A new layout also needs a new file extension, so that no version of Locus misreads a file. */
const FORMAT = 2;
const SUM_BYTES = 4;
const NAME_AT = 20;
const SUM_AT = HEADER_BYTES - SUM_BYTES;

export function getRowBytes({ dimensions }: EmbeddingModel): number {
  return KEY_BYTES + countVectorBytes(dimensions) + SUM_BYTES;
}

export function createHeader({ key, dimensions }: EmbeddingModel): Buffer {
  const bytes = Buffer.alloc(HEADER_BYTES);
  bytes.write(MAGIC, 'latin1');
  bytes.writeUInt32LE(FORMAT, 8);
  bytes.writeUInt32LE(dimensions, 12);
  const name = Buffer.from(key).subarray(0, SUM_AT - NAME_AT);
  bytes.writeUInt32LE(name.length, 16);
  name.copy(bytes, NAME_AT);
  bytes.writeUInt32LE(computeHeaderSum(bytes), SUM_AT);
  return bytes;
}

/** Returns the model in a file's header, or null if the header is damaged. */
export function parseHeader(bytes: Buffer): EmbeddingModel | null {
  if (bytes.length < HEADER_BYTES || bytes.readUInt32LE(SUM_AT) !== computeHeaderSum(bytes))
    return null;
  const nameEnd = NAME_AT + bytes.readUInt32LE(16);
  return { key: bytes.toString('utf8', NAME_AT, nameEnd), dimensions: bytes.readUInt32LE(12) };
}

function computeHeaderSum(bytes: Buffer): number {
  return computeChecksum([bytes.subarray(0, SUM_AT)]);
}

/** Layout of the rows of one model in a block of memory. */
export class RowLayout {
  readonly bytes: number;
  readonly #dimensions: number;
  /** Seed of checksums, which differs between models. */
  readonly #seed: number;

  constructor(model: EmbeddingModel) {
    this.bytes = getRowBytes(model);
    this.#dimensions = model.dimensions;
    this.#seed = computeChecksum([model.key, model.dimensions]);
  }

  /** Returns the vector of the row at offset `at`: a view that is valid until the block is overwritten. */
  getVector(block: Buffer, at: number): QuantizedVector {
    return readVector(block, at + KEY_BYTES, this.#dimensions);
  }

  getKey(block: Buffer, at: number): Buffer {
    return block.subarray(at, at + KEY_BYTES);
  }

  isIntact(block: Buffer, at: number): boolean {
    return block.readUInt32LE(at + this.bytes - SUM_BYTES) === this.#computeSum(block, at);
  }

  /** @param vector with as many numbers as the model has dimensions. */
  write(block: Buffer, at: number, key: Uint8Array, vector: QuantizedVector): void {
    block.set(key, at);
    writeVector(block, at + KEY_BYTES, vector);
    block.writeUInt32LE(this.#computeSum(block, at), at + this.bytes - SUM_BYTES);
  }

  #computeSum(block: Buffer, at: number): number {
    return computeChecksum([block.subarray(at, at + this.bytes - SUM_BYTES)], this.#seed);
  }
}
