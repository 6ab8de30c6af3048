/** Embeddings as a part: of all chunks of some files, one after the other, the key and the vector, little-endian. */
import { type EmbeddingModel, KEY_BYTES } from '../store/row-format.ts';
import { SCALE } from '../vectors/fixed-point.ts';
import { refusal } from './part.ts';

export interface PortableEmbedding {
  key: Buffer;
  /** In fixed point. */
  vector: Int16Array;
}

/** Vectors have length 1, up to rounding. */
const [SHORTEST, LONGEST] = [0.98 * SCALE ** 2, 1.02 * SCALE ** 2];

const bytesOf = ({ dimensions }: EmbeddingModel) =>
  KEY_BYTES + dimensions * Int16Array.BYTES_PER_ELEMENT;

export function encodeEmbeddings(embeddings: readonly PortableEmbedding[]): Buffer {
  return Buffer.concat(
    embeddings.flatMap(({ key, vector: { buffer, byteOffset, byteLength } }) => [
      key,
      Buffer.from(buffer, byteOffset, byteLength),
    ]),
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
    const key = bytes.subarray(i * row, i * row + KEY_BYTES);
    // Copied, because a view would have to begin at an even place.
    const numbers = Uint8Array.from(bytes.subarray(i * row + KEY_BYTES, (i + 1) * row));
    const vector = new Int16Array(numbers.buffer);
    let squares = 0;
    for (const number of vector) squares += number * number;
    if (squares < SHORTEST || squares > LONGEST) throw refusal('an embedding is none');
    return { key, vector };
  });
}
