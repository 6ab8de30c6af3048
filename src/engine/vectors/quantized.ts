/** A vector with eight bits per number: number `i` is `scale * numbers[i]`. */
export interface QuantizedVector {
  /** Factor above 0; a 32-bit float. */
  readonly scale: number;
  readonly numbers: Int8Array;
}

/** Size of the scale. In files and memory, a vector is its scale in little-endian order, then its numbers. */
export const SCALE_BYTES = Float32Array.BYTES_PER_ELEMENT;

/** Returns the size of a vector in bytes, with its scale. */
export const countVectorBytes = (dimensions: number): number => SCALE_BYTES + dimensions;

/** Returns the vector at offset `at`. Its numbers are a view, valid until the block is written again. */
export function readVector(block: Buffer, at: number, dimensions: number): QuantizedVector {
  const start = block.byteOffset + at + SCALE_BYTES;
  return { scale: block.readFloatLE(at), numbers: new Int8Array(block.buffer, start, dimensions) };
}

export function writeVector(block: Buffer, at: number, { scale, numbers }: QuantizedVector): void {
  block.writeFloatLE(scale, at);
  readVector(block, at, numbers.length).numbers.set(numbers);
}

/** Largest absolute value of a number. */
const MAX_NUMBER = 127;

/** Maximum sum of squares of a unit vector, with a tolerance for rounding. */
const MAX_SQUARES = 1.001;

/**
 * Quantizes a vector without changing its length, so that its similarity to itself stays the same. For unit vectors of 512
 * numbers, similarities are within 0.002 of those between floats.
 * @throws RangeError if the norm is above 1
 */
export function quantize(vector: Float32Array): QuantizedVector {
  const { length } = vector;
  let [largest, squares] = [0, 0];
  for (let i = 0; i < length; i++) {
    const number = vector[i] ?? 0;
    const size = number < 0 ? -number : number;
    if (size > largest) largest = size;
    squares += number * number;
  }
  if (!(squares < MAX_SQUARES)) throw new RangeError('expected a vector of length 1');
  const numbers = new Int8Array(length);
  let rounded = 0;
  for (let i = 0; i < length; i++) {
    // Like `Math.round`, which takes several times as long.
    const number = Math.floor(((vector[i] ?? 0) / largest) * MAX_NUMBER + 0.5);
    numbers[i] = number;
    rounded += number * number;
  }
  const scale = Math.sqrt(squares / rounded);
  // Any scale will do for a zero vector.
  return { scale: Math.fround(scale) || 1, numbers };
}

/** Returns a copy in memory of its own. */
export function copyVector({ scale, numbers }: QuantizedVector): QuantizedVector {
  return { scale, numbers: numbers.slice() };
}

export function dequantize({ scale, numbers }: QuantizedVector): Float32Array {
  return Float32Array.from(numbers, (number) => scale * number);
}

/** Returns the sum of the squared numbers, without the scale. */
export function sumSquares(numbers: Int8Array): number {
  let squares = 0;
  for (let i = 0; i < numbers.length; i++) squares += (numbers[i] ?? 0) ** 2;
  return squares;
}
