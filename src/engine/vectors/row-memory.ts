import { present } from '../../shared/present.ts';
import { COMPARE_THREADS } from './compare-threads.ts';
import { type DotKernel, dotKernelIn, ROW_ALIGNMENT } from './dot-kernel.ts';
import { sharedMemory } from './wasm.ts';

const PAGE_BYTES = 65_536;

/** Numbers of a query are 16-bit fixed point: 1 is this. Its products with rows of eight bits then fit 32 bits. */
export const SCALE = 32767;

/** Upper bound of the sum of squares of a unit vector in fixed point, with room for rounding. */
const MAX_SQUARES = 1.001 * SCALE ** 2;

/** How rows lie in memory. */
export interface RowShape {
  /** Of a row. */
  bytes: number;
  /** Where in a row its numbers begin. */
  numbersAt: number;
}

/** Rows of nothing but numbers. */
const bare = (dimensions: number): RowShape => ({ bytes: dimensions, numbersAt: 0 });

/**
 * The numbers of vectors by row, where the kernel reads them: the query in fixed point, then the rows, as they are in a file or
 * one behind the other, then room for what is computed of each. The padding of the query is always 0, so that what the kernel
 * reads behind the numbers of a row does not matter.
 */
export class RowMemory {
  readonly shape: RowShape;
  readonly #dimensions: number;
  /** Bytes of the query. */
  readonly #queryBytes: number;
  readonly #memory = sharedMemory();
  readonly #dots: DotKernel = dotKernelIn(this.#memory);
  /** The same memory as numbers of rows. */
  #numbers = new Int8Array(this.#memory.buffer);
  /** And as bytes of other things. */
  #view = new DataView(this.#memory.buffer);
  #capacity = 0;

  /** @param capacity rows that there is room for at first */
  constructor(dimensions: number, capacity: number, shape = bare(dimensions)) {
    this.#dimensions = dimensions;
    this.#queryBytes = 2 * aligned(dimensions);
    this.shape = shape;
    this.grow(capacity);
  }

  get capacity(): number {
    return this.#capacity;
  }

  /** Makes room for this many rows. Growing moves nothing: they stay where they are. */
  grow(capacity: number): void {
    this.#capacity = capacity;
    const missing = this.#out + capacity * Float32Array.BYTES_PER_ELEMENT - this.#numbers.length;
    if (missing <= 0) return;
    this.#memory.grow(Math.ceil(missing / PAGE_BYTES));
    this.#numbers = new Int8Array(this.#memory.buffer);
    this.#view = new DataView(this.#memory.buffer);
  }

  /** The bytes of rows, to be read into; good until there is room for more. */
  bytes(first: number, count: number): Uint8Array {
    const start = this.#rowAt(first);
    return new Uint8Array(this.#memory.buffer, start, count * this.shape.bytes);
  }

  /** A 32-bit float of a row, by its place there. */
  float(row: number, at: number): number {
    return this.#view.getFloat32(this.#rowAt(row) + at, true);
  }

  put(row: number, numbers: Int8Array): void {
    this.#numbers.set(numbers, this.#numbersAt(row));
  }

  /** A row's numbers: a view, good until there is room for more. */
  numbers(row: number): Int8Array {
    const start = this.#numbersAt(row);
    return this.#numbers.subarray(start, start + this.#dimensions);
  }

  /**
   * The query that products are with.
   * @throws RangeError when its norm is above 1
   */
  ask(query: Float32Array): void {
    writeFixedPoint(query, new Int16Array(this.#memory.buffer, 0, query.length));
  }

  /** The products of the query with these rows, in steps of both; good until the next. `from < to`. */
  products(from: number, to: number): Float32Array {
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

  /** Where products are written: behind what the kernel reads of the last row. */
  get #out(): number {
    return aligned(this.#rowAt(this.#capacity) + ROW_ALIGNMENT);
  }
}

function aligned(bytes: number): number {
  return Math.ceil(bytes / ROW_ALIGNMENT) * ROW_ALIGNMENT;
}

/**
 * Writes a vector in fixed point to the beginning of `numbers`.
 * @throws RangeError when its norm is above 1.
 */
function writeFixedPoint(vector: Float32Array, numbers: Int16Array): void {
  let squares = 0;
  for (let i = 0; i < vector.length; i++) {
    const scaled = present(vector[i], 'a number of the vector') * SCALE;
    squares += scaled * scaled;
    numbers[i] = (scaled < 0 ? scaled - 0.5 : scaled + 0.5) | 0;
  }
  if (!(squares < MAX_SQUARES)) throw new RangeError('expected a vector of length 1');
}
