import { present } from '../../shared/present.ts';
import { createDotKernel, ROW_ALIGNMENT, SCALE } from './dot-kernel.ts';
import { largest, type Nearest } from './largest.ts';

/** The similarity of a slot without an embedding: less than any cosine. */
export const ABSENT = -2;

const PAGE_BYTES = 65_536;
const FIRST_CAPACITY = 1_024;
/** Of a vector of length 1 in fixed point, with room for rounding. */
const MAX_SQUARES = 1.001 * SCALE ** 2;

/**
 * The embeddings of one snapshot, in memory by slot: 2 bytes a number, in 16-bit fixed point. A
 * similarity read from it is within 1e-4 of the one between the float vectors.
 */
export class VectorTable {
  readonly dimensions: number;
  readonly #rowBytes: number;
  // The memory: the query's row, then a row for each slot, then a similarity for each slot. The
  // padding of the query's row is always 0, so that of the other rows does not matter.
  readonly #kernel = createDotKernel();
  /** The same memory as 16-bit numbers. */
  #numbers = new Int16Array(this.#kernel.memory.buffer);
  #capacity = 0;
  /** 1 where the slot has an embedding. */
  #present = new Uint8Array(0);
  /** One more than the largest slot ever set. */
  #slots = 0;
  #size = 0;

  constructor(dimensions: number) {
    this.dimensions = dimensions;
    this.#rowBytes = Math.ceil((dimensions * 2) / ROW_ALIGNMENT) * ROW_ALIGNMENT;
    this.#reserve(FIRST_CAPACITY);
  }

  /** How many slots have an embedding. */
  get size(): number {
    return this.#size;
  }

  has(slot: number): boolean {
    return this.#present[slot] === 1;
  }

  /**
   * Gives a slot its embedding, or another one.
   * @throws RangeError when `vector` has another length or a norm above 1
   */
  set(slot: number, vector: Float32Array): void {
    this.#reserve(slot + 1);
    this.#write(this.#rowBytes * (slot + 1), vector);
    if (!this.has(slot)) this.#size++;
    this.#present[slot] = 1;
    this.#slots = Math.max(this.#slots, slot + 1);
  }

  remove(slot: number): void {
    if (!this.has(slot)) return;
    this.#present[slot] = 0;
    this.#size--;
  }

  /** A slot's embedding; null where there is none. */
  vector(slot: number): Float32Array | null {
    if (!this.has(slot)) return null;
    const start = (this.#rowBytes * (slot + 1)) / 2;
    return Float32Array.from(
      this.#numbers.subarray(start, start + this.dimensions),
      (number) => number / SCALE,
    );
  }

  /** The cosine similarity of a unit vector with every slot's, of a shorter one its dot product; `ABSENT` for slots without one. */
  similarities(query: Float32Array): Float32Array {
    this.#write(0, query);
    if (this.#slots === 0) return new Float32Array(0);
    const out = this.#rowBytes * (this.#capacity + 1);
    this.#score(0, this.#slots, out);
    const similarities = new Float32Array(this.#kernel.memory.buffer, out, this.#slots).slice();
    if (this.#size < this.#slots) {
      for (let slot = 0; slot < this.#slots; slot++) {
        if (this.#present[slot] === 0) similarities[slot] = ABSENT;
      }
    }
    return similarities;
  }

  /** The `k` slots nearest to a unit vector, or all when there are fewer. */
  nearest(query: Float32Array, k: number): Nearest {
    return largest(this.similarities(query), Math.min(k, this.#size));
  }

  #score(from: number, to: number, out: number): void {
    const row = this.#rowBytes;
    this.#kernel.dots(0, row, row * (from + 1), row * (to + 1), out);
  }

  #write(offset: number, vector: Float32Array): void {
    if (vector.length !== this.dimensions) {
      throw new RangeError(`expected ${this.dimensions} dimensions, got ${vector.length}`);
    }
    const numbers = this.#numbers;
    const start = offset / 2;
    let squares = 0;
    for (let i = 0; i < vector.length; i++) {
      const scaled = present(vector[i], 'a number of the vector') * SCALE;
      squares += scaled * scaled;
      numbers[start + i] = (scaled < 0 ? scaled - 0.5 : scaled + 0.5) | 0;
    }
    if (!(squares < MAX_SQUARES)) throw new RangeError('expected a vector of length 1');
  }

  /** Makes room for this many slots. Growing moves nothing: the rows stay where they are. */
  #reserve(slots: number): void {
    if (slots <= this.#capacity) return;
    this.#capacity = Math.max(slots, 2 * this.#capacity);
    const bytes = this.#rowBytes + this.#capacity * (this.#rowBytes + 4);
    const missing = bytes - this.#kernel.memory.buffer.byteLength;
    if (missing > 0) this.#kernel.memory.grow(Math.ceil(missing / PAGE_BYTES));
    this.#numbers = new Int16Array(this.#kernel.memory.buffer);
    const present = new Uint8Array(this.#capacity);
    present.set(this.#present);
    this.#present = present;
  }
}
