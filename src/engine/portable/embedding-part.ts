/** Embeddings as a part: of all chunks of some files, one after the other, the key, the vector's scale, and its numbers, a byte each. */
import { type EmbeddingModel, KEY_BYTES } from '../store/row-format.ts';
import { type QuantizedVector, squaresOf } from '../vectors/quantized.ts';
import { refusal } from './part.ts';

export interface PortableEmbedding {
  key: Buffer;
  vector: QuantizedVector;
}

/** Vectors have length 1, up to rounding. */
const [SHORTEST, LONGEST] = [0.98, 1.02];

const SCALE_BYTES = Float32Array.BYTES_PER_ELEMENT;

const bytesOf = ({ dimensions }: EmbeddingModel) => KEY_BYTES + SCALE_BYTES + dimensions;

export function encodeEmbeddings(embeddings: readonly PortableEmbedding[]): Buffer {
  return Buffer.concat(
    embeddings.flatMap(({ key, vector: { scale, numbers } }) => {
      const scaleBytes = Buffer.alloc(SCALE_BYTES);
      scaleBytes.writeFloatLE(scale);
      return [key, scaleBytes, new Uint8Array(numbers.buffer, numbers.byteOffset, numbers.length)];
    }),
  );
}

/**
 * @param chunks how many there must be.
 * @throws LocusError `bad-objects`
 */
export function decodeEmbeddings(
  bytes: Buffer,
  model: EmbeddingModel,
  chunks: number,
): PortableEmbedding[] {
  const row = bytesOf(model);
  if (bytes.length !== row * chunks) throw refusal('there are not as many embeddings as functions');
  return Array.from({ length: chunks }, (_, i) => {
    const scaleAt = i * row + KEY_BYTES;
    const scale = bytes.readFloatLE(scaleAt);
    const numbers = Int8Array.from(bytes.subarray(scaleAt + SCALE_BYTES, (i + 1) * row));
    const squares = scale * scale * squaresOf(numbers);
    if (!(scale > 0 && squares > SHORTEST && squares < LONGEST))
      throw refusal('an embedding is none');
    return { key: bytes.subarray(i * row, scaleAt), vector: { scale, numbers } };
  });
}
