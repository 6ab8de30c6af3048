/** Inputs and outputs of transformers as Hugging Face's tools export them. */
import { assertPresent } from '../../../shared/assert-present.ts';
import { type ModelOutput, padInt64, type Tensors } from '../model-kind.ts';
import type { EncoderRow } from '../types.ts';

/** Returns the inputs that such models have; each has some of them. */
export const makeTextTensors = (rows: readonly EncoderRow[], length: number): Tensors => ({
  input_ids: padInt64(rows, length, ({ inputIds }) => inputIds),
  attention_mask: padInt64(rows, length, ({ inputIds }) => new Int32Array(inputIds.length).fill(1)),
  token_type_ids: padInt64(rows, length, ({ tokenTypeIds }) => tokenTypeIds),
  position_ids: padInt64(rows, length, ({ inputIds }) =>
    Int32Array.from(inputIds, (_, position) => position),
  ),
});

/** Names of these inputs. */
export const TEXT_INPUTS = ['input_ids', 'attention_mask', 'token_type_ids', 'position_ids'];

/**
 * Returns a vector of length 1 for each row; 0 for a row without tokens.
 * @throws Error if the shape of the output does not fit
 */
export function pool(
  { data, dims }: ModelOutput,
  rows: readonly EncoderRow[],
  pooling: 'mean' | 'first' | 'last' | 'none',
  dimensions: number,
): Float32Array<ArrayBuffer> {
  const isPooled = pooling === 'none';
  if (dims.length !== (isPooled ? 2 : 3) || dims.at(-1) !== dimensions || dims[0] !== rows.length)
    throw new Error(
      `its output has the shape ${dims.join(' × ')} instead of ${[rows.length, ...(isPooled ? [] : ['tokens']), dimensions].join(' × ')}`,
    );
  const length = isPooled ? 1 : assertPresent(dims[1], 'the number of tokens');
  const vectors = new Float32Array(rows.length * dimensions);
  for (const [row, { inputIds }] of rows.entries()) {
    if (inputIds.length === 0) continue;
    const [first, end] = chooseTokens(pooling, inputIds.length);
    const sum = vectors.subarray(row * dimensions, (row + 1) * dimensions);
    for (let token = first; token < end; token++) {
      const at = (row * length + token) * dimensions;
      // The mean has the same direction as the sum.
      for (let i = 0; i < dimensions; i++) sum[i] = (sum[i] ?? 0) + (data[at + i] ?? Number.NaN);
    }
    normalize(sum);
  }
  return vectors;
}

function chooseTokens(pooling: string, count: number): [first: number, end: number] {
  if (pooling === 'mean') return [0, count];
  if (pooling === 'last') return [count - 1, count];
  return [0, 1];
}

function normalize(vector: Float32Array): void {
  const length = Math.sqrt(vector.reduce((sum, value) => sum + value * value, 0));
  for (const [i, value] of vector.entries()) vector[i] = length > 0 ? value / length : 0;
}
