/** Encodes the embeddings of all chunks of some files as a part. A row is the key, the scale and the numbers, one byte each. */
import { sharedIndexError } from '../../shared/shared-index.ts';
import { type EmbeddingModel, KEY_BYTES } from '../store/row-format.ts';
import {
  copyVector,
  countVectorBytes,
  type QuantizedVector,
  readVector,
  sumSquares,
  writeVector,
} from '../vectors/quantized.ts';

export interface PortableEmbedding {
  key: Buffer;
  vector: QuantizedVector;
}

/** Bounds of the squared length of a vector, which is 1 up to rounding. */
const [SHORTEST, LONGEST] = [0.98, 1.02];

export const getEmbeddingBytes = ({ dimensions }: Pick<EmbeddingModel, 'dimensions'>): number =>
  KEY_BYTES + countVectorBytes(dimensions);

export function encodeEmbeddings(embeddings: readonly PortableEmbedding[]): Buffer {
  return Buffer.concat(
    embeddings.flatMap(({ key, vector }) => {
      const bytes = Buffer.alloc(countVectorBytes(vector.numbers.length));
      writeVector(bytes, 0, vector);
      return [key, bytes];
    }),
  );
}

/**
 * @param chunks expected number of embeddings.
 * @throws LocusError `bad-objects`
 */
export function decodeEmbeddings(
  bytes: Buffer,
  model: EmbeddingModel,
  chunks: number,
): PortableEmbedding[] {
  const row = getEmbeddingBytes(model);
  if (bytes.length !== row * chunks)
    throw sharedIndexError('the numbers of embeddings and functions differ');
  return Array.from({ length: chunks }, (_, i) => {
    const at = i * row + KEY_BYTES;
    const { scale, numbers } = copyVector(readVector(bytes, at, model.dimensions));
    const squares = scale * scale * sumSquares(numbers);
    if (!(scale > 0 && squares > SHORTEST && squares < LONGEST))
      throw sharedIndexError('an embedding is invalid');
    return { key: bytes.subarray(i * row, at), vector: { scale, numbers } };
  });
}
