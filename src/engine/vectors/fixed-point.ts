import { present } from '../../shared/present.ts';

/** Numbers of vectors are 16-bit fixed point: 1 is this. Products of unit vectors then fit 32 bits. */
export const SCALE = 32767;

/** Of a vector of length 1 in fixed point, with room for rounding. */
const MAX_SQUARES = 1.001 * SCALE ** 2;

/**
 * Writes a vector in fixed point, from `start` of `numbers` on: a similarity is then within 1e-4 of the one between floats.
 * @throws RangeError when its norm is above 1.
 */
export function writeFixedPoint(vector: Float32Array, numbers: Int16Array, start = 0): void {
  let squares = 0;
  for (let i = 0; i < vector.length; i++) {
    const scaled = present(vector[i], 'a number of the vector') * SCALE;
    squares += scaled * scaled;
    numbers[start + i] = (scaled < 0 ? scaled - 0.5 : scaled + 0.5) | 0;
  }
  if (!(squares < MAX_SQUARES)) throw new RangeError('expected a vector of length 1');
}

/** The same as an array of its own. */
export function toFixedPoint(vector: Float32Array): Int16Array {
  const numbers = new Int16Array(vector.length);
  writeFixedPoint(vector, numbers);
  return numbers;
}
