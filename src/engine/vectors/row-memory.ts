import { COMPARE_THREADS } from './compare-threads.ts';
import { dotKernelIn, ROW_ALIGNMENT } from './dot-kernel.ts';
import { writeFixedPoint } from './fixed-point.ts';
import { sharedMemory } from './wasm.ts';

const PAGE_BYTES = 65_536;

/**
 * The numbers of vectors by slot, where the kernel reads them: the query in fixed point, then a row for each slot, then room
 * for what is computed of each. The padding of the query is always 0, so that of the rows does not matter.
 */
export class RowMemory {
  readonly #dimensions: number;
  readonly #rowBytes: number;
  readonly #memory = sharedMemory();
  readonly #dots = dotKernelIn(this.#memory);
  /** The same memory as numbers of rows. */
  #numbers = new Int8Array(this.#memory.buffer);
  /** And as bytes of other things. */
  #view = new DataView(this.#memory.buffer);
  #capacity = 0;

  constructor(dimensions: number, capacity: number) {
    this.#dimensions = dimensions;
    this.#rowBytes = Math.ceil(dimensions / ROW_ALIGNMENT) * ROW_ALIGNMENT;
    this.grow(capacity);
  }

  /** Slots that there is room for. */
  get capacity(): number {
    return this.#capacity;
  }

  /** Makes room for this many slots. Growing moves nothing: the rows stay where they are. */
  grow(capacity: number): void {
    this.#capacity = capacity;
    this.#reach(this.#rowAt(capacity) + capacity * Float32Array.BYTES_PER_ELEMENT);
  }

  /** Memory behind the rows; good until there is room for more. */
  staging(bytes: number): Uint8Array {
    const start = this.#rowAt(this.#capacity);
    this.#reach(start + bytes);
    return new Uint8Array(this.#memory.buffer, start, bytes);
  }

  /** A float in `staging`. */
  stagedFloat(at: number): number {
    return this.#floatAt(this.#rowAt(this.#capacity) + at);
  }

  /** Gives a slot the numbers that begin at an offset of `staging`. */
  take(slot: number, from: number): void {
    const start = this.#rowAt(this.#capacity) + from;
    this.#numbers.copyWithin(this.#rowAt(slot), start, start + this.#dimensions);
  }

  put(slot: number, numbers: Int8Array): void {
    this.#numbers.set(numbers, this.#rowAt(slot));
  }

  /** A slot's numbers: a view, good until there is room for more. */
  numbers(slot: number): Int8Array {
    const start = this.#rowAt(slot);
    return this.#numbers.subarray(start, start + this.#dimensions);
  }

  /**
   * The query that products are with.
   * @throws RangeError when its norm is above 1
   */
  ask(query: Float32Array): void {
    writeFixedPoint(query, new Int16Array(this.#memory.buffer, 0, query.length));
  }

  /** The products of the query with these slots' rows, in steps of both; good until the next. `from < to`. */
  products(from: number, to: number): Float32Array {
    const out = this.#rowAt(this.#capacity);
    const [rows, rowsEnd] = [this.#rowAt(from), this.#rowAt(to)];
    COMPARE_THREADS.compare(this.#memory, this.#dots, {
      rowBytes: this.#rowBytes,
      rows,
      rowsEnd,
      out,
    });
    return new Float32Array(this.#memory.buffer, out, to - from);
  }

  /** Where a slot's row begins: behind the query, which has two bytes a number. */
  #rowAt(slot: number): number {
    return this.#rowBytes * (slot + 2);
  }

  #floatAt(offset: number): number {
    return this.#view.getFloat32(offset, true);
  }

  /** Makes the memory this long. */
  #reach(bytes: number): void {
    const missing = bytes - this.#memory.buffer.byteLength;
    if (missing <= 0) return;
    this.#memory.grow(Math.ceil(missing / PAGE_BYTES));
    this.#numbers = new Int8Array(this.#memory.buffer);
    this.#view = new DataView(this.#memory.buffer);
  }
}
