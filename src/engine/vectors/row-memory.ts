import { assertPresent } from '../../shared/assert-present.ts';
import { COMPARE_THREADS } from './compare-threads.ts';
import { createDotKernel, type DotKernel, ROW_ALIGNMENT } from './dot-kernel.ts';
import { createSharedMemory } from './wasm.ts';

const PAGE_BYTES = 65_536;

/** The value of 1 in the 16-bit fixed-point numbers of a query. Products with rows of eight bits then fit in 32 bits. */
export const FIXED_POINT_SCALE = 32767;

/** Maximum sum of squares of a unit vector in fixed point, with a tolerance for rounding. */
const MAX_SQUARES = 1.001 * FIXED_POINT_SCALE ** 2;

/** Layout of a row in memory. */
export interface RowShape {
  /** Size of a row in bytes. */
  bytes: number;
  /** Offset of the numbers in a row, in bytes. */
  numbersAt: number;
}

/** Returns the layout of rows that have only numbers. */
const getDefaultShape = (dimensions: number): RowShape => ({ bytes: dimensions, numbersAt: 0 });

/**
 * Memory in which the kernel compares vectors: first the query in fixed point, then the rows with the layout of a file or
 * without gaps, then the products. The kernel may read past the numbers of a row, which does not matter, since the padding
 * of the query is always 0.
 */
export class RowMemory {
  readonly shape: RowShape;
  readonly #dimensions: number;
  readonly #queryBytes: number;
  readonly #memory = createSharedMemory();
  readonly #dots: DotKernel = createDotKernel(this.#memory);
  /** View of the memory for the numbers of rows. */
  #numbers = new Int8Array(this.#memory.buffer);
  /** View of the memory for everything else. */
  #view = new DataView(this.#memory.buffer);
  #capacity = 0;

  /** @param capacity initial number of rows */
  constructor(dimensions: number, capacity: number, shape = getDefaultShape(dimensions)) {
    this.#dimensions = dimensions;
    this.#queryBytes = 2 * aligned(dimensions);
    this.shape = shape;
    this.grow(capacity);
  }

  get capacity(): number {
    return this.#capacity;
  }

  /** Makes room for this many rows. Rows stay where they are. */
  grow(capacity: number): void {
    this.#capacity = capacity;
    const missing = this.#out + capacity * Float32Array.BYTES_PER_ELEMENT - this.#numbers.length;
    if (missing <= 0) return;
    this.#memory.grow(Math.ceil(missing / PAGE_BYTES));
    this.#numbers = new Int8Array(this.#memory.buffer);
    this.#view = new DataView(this.#memory.buffer);
  }

  /** Returns a writable view of rows, valid until the memory grows. */
  getBytes(first: number, count: number): Uint8Array {
    const start = this.#rowAt(first);
    return new Uint8Array(this.#memory.buffer, start, count * this.shape.bytes);
  }

  /** Returns a 32-bit float of a row. @param at offset in the row, in bytes */
  readFloat(row: number, at: number): number {
    return this.#view.getFloat32(this.#rowAt(row) + at, true);
  }

  setNumbers(row: number, numbers: Int8Array): void {
    this.#numbers.set(numbers, this.#numbersAt(row));
  }

  /** Returns a view of a row's numbers, valid until the memory grows. */
  getNumbers(row: number): Int8Array {
    const start = this.#numbersAt(row);
    return this.#numbers.subarray(start, start + this.#dimensions);
  }

  /**
   * Sets the query for `computeProducts`.
   * @throws RangeError if its norm is above 1
   */
  setQuery(query: Float32Array): void {
    writeFixedPoint(query, new Int16Array(this.#memory.buffer, 0, query.length));
  }

  /** Returns the products of the query with these rows, in units of both scales. Valid until the next call. `from < to`. */
  computeProducts(from: number, to: number): Float32Array {
    const out = this.#out;
    COMPARE_THREADS.compare(this.#memory, this.#dots, {
      queryBytes: this.#queryBytes,
      rowBytes: this.shape.bytes,
      rows: this.#numbersAt(from),
      rowsEnd: this.#numbersAt(to),
      out,
    });
    return new Float32Array(this.#memory.buffer, out, to - from);
  }

  #rowAt(row: number): number {
    return this.#queryBytes + row * this.shape.bytes;
  }

  #numbersAt(row: number): number {
    return this.#rowAt(row) + this.shape.numbersAt;
  }

  /** Offset of the products, after the last byte that the kernel reads of the last row. */
  get #out(): number {
    return aligned(this.#rowAt(this.#capacity) + ROW_ALIGNMENT);
  }
}

function aligned(bytes: number): number {
  return Math.ceil(bytes / ROW_ALIGNMENT) * ROW_ALIGNMENT;
}

/**
 * Writes a vector in fixed point to the start of `numbers`.
 * @throws RangeError if its norm is above 1
 */
function writeFixedPoint(vector: Float32Array, numbers: Int16Array): void {
  let squares = 0;
  for (let i = 0; i < vector.length; i++) {
    const scaled = assertPresent(vector[i], 'a number of the vector') * FIXED_POINT_SCALE;
    squares += scaled * scaled;
    numbers[i] = (scaled < 0 ? scaled - 0.5 : scaled + 0.5) | 0;
  }
  if (!(squares < MAX_SQUARES)) throw new RangeError('expected a vector of length 1');
}
