import { present } from '../../shared/present.ts';

/** Numbers of a query are 16-bit fixed point: 1 is this. Its products with rows of eight bits then fit 32 bits. */
export const SCALE = 32767;

/** Of a vector of length 1 in fixed point, with room for rounding. */
const MAX_SQUARES = 1.001 * SCALE ** 2;

/**
 * Writes a vector in fixed point to the beginning of `numbers`.
 * @throws RangeError when its norm is above 1.
 */
export function writeFixedPoint(vector: Float32Array, numbers: Int16Array): void {
  let squares = 0;
  for (let i = 0; i < vector.length; i++) {
    const scaled = present(vector[i], 'a number of the vector') * SCALE;
    squares += scaled * scaled;
    numbers[i] = (scaled < 0 ? scaled - 0.5 : scaled + 0.5) | 0;
  }
  if (!(squares < MAX_SQUARES)) throw new RangeError('expected a vector of length 1');
}
