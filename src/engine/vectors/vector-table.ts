import { createDotKernel, ROW_ALIGNMENT } from './dot-kernel.ts';
import { SCALE, writeFixedPoint } from './fixed-point.ts';
import { largest, type Nearest } from './largest.ts';

/** The similarity of a slot without an embedding: less than any cosine. */
export const ABSENT = -2;

const PAGE_BYTES = 65_536;
const FIRST_CAPACITY = 1_024;

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
  #changes = 0;

  /** Told of every slot that gets an embedding, another one, or loses it. */
  onChange: ((slot: number) => void) | null = null;

  constructor(dimensions: number) {
    this.dimensions = dimensions;
    this.#rowBytes = Math.ceil((dimensions * 2) / ROW_ALIGNMENT) * ROW_ALIGNMENT;
    this.#reserve(FIRST_CAPACITY);
  }

  /** How many slots have an embedding. */
  get size(): number {
    return this.#size;
  }

  /** How often a slot got an embedding, or lost it. */
  get changes(): number {
    return this.#changes;
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
    this.#hold(slot);
  }

  /**
   * The same with a vector in fixed point, as `toFixedPoint` makes it.
   * @throws RangeError when it has another length
   */
  setFixedPoint(slot: number, vector: Int16Array): void {
    this.#checkLength(vector.length);
    this.#reserve(slot + 1);
    this.#numbers.set(vector, (this.#rowBytes * (slot + 1)) / 2);
    this.#hold(slot);
  }

  /** Makes room for this many slots, and none for more. */
  reserve(slots: number): void {
    if (slots > this.#capacity) this.#grow(slots);
  }

  /** Memory behind the rows to read into what `take` copies; good until there is room for more slots. */
  staging(bytes: number): Uint8Array {
    const start = this.#rowBytes * (this.#capacity + 1);
    this.#reach(start + bytes);
    return new Uint8Array(this.#kernel.memory.buffer, start, bytes);
  }

  /** Gives a slot, for which there is room, the vector in fixed point that begins at an even offset of `staging`. */
  take(slot: number, from: number): void {
    if (slot >= this.#capacity) throw new RangeError(`there is no room for slot ${slot}`);
    const start = (this.#rowBytes * (this.#capacity + 1) + from) / 2;
    this.#numbers.copyWithin((this.#rowBytes * (slot + 1)) / 2, start, start + this.dimensions);
    this.#hold(slot);
  }

  #hold(slot: number): void {
    if (!this.has(slot)) this.#size++;
    this.#present[slot] = 1;
    this.#slots = Math.max(this.#slots, slot + 1);
    this.#changed(slot);
  }

  remove(slot: number): void {
    if (!this.has(slot)) return;
    this.#present[slot] = 0;
    this.#size--;
    this.#changed(slot);
  }

  #changed(slot: number): void {
    this.#changes++;
    this.onChange?.(slot);
  }

  /** The slots that have an embedding, in order. */
  *slots(): IterableIterator<number> {
    for (let slot = 0; slot < this.#slots; slot++) if (this.#present[slot] === 1) yield slot;
  }

  /** Whether this, in fixed point, is the embedding of a slot. */
  equals(slot: number, vector: Int16Array): boolean {
    if (!this.has(slot)) return false;
    const start = (this.#rowBytes * (slot + 1)) / 2;
    return vector.every((number, i) => number === this.#numbers[start + i]);
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

  /** The same for these slots alone, in their order. */
  similaritiesOf(query: Float32Array, slots: Uint32Array | readonly number[]): Float32Array {
    this.#write(0, query);
    const out = this.#rowBytes * (this.#capacity + 1);
    return Float32Array.from(slots, (slot) => {
      if (!this.has(slot)) return ABSENT;
      this.#score(slot, slot + 1, out);
      return this.#numberAt(out);
    });
  }

  /** The `k` slots nearest to a unit vector, or all when there are fewer. */
  nearest(query: Float32Array, k: number): Nearest {
    return largest(this.similarities(query), Math.min(k, this.#size));
  }

  #score(from: number, to: number, out: number): void {
    const row = this.#rowBytes;
    this.#kernel.dots(0, row, row * (from + 1), row * (to + 1), out);
  }

  #numberAt(offset: number): number {
    return new DataView(this.#kernel.memory.buffer).getFloat32(offset, true);
  }

  #write(offset: number, vector: Float32Array): void {
    this.#checkLength(vector.length);
    writeFixedPoint(vector, this.#numbers, offset / 2);
  }

  #checkLength(length: number): void {
    if (length !== this.dimensions)
      throw new RangeError(`expected ${this.dimensions} dimensions, got ${length}`);
  }

  /** Makes room for this many slots. Growing moves nothing: the rows stay where they are. */
  #reserve(slots: number): void {
    if (slots > this.#capacity) this.#grow(Math.max(slots, 2 * this.#capacity));
  }

  #grow(capacity: number): void {
    this.#capacity = capacity;
    this.#reach(this.#rowBytes + this.#capacity * (this.#rowBytes + 4));
    const present = new Uint8Array(this.#capacity);
    present.set(this.#present);
    this.#present = present;
  }

  /** Makes the memory this long. */
  #reach(bytes: number): void {
    const missing = bytes - this.#kernel.memory.buffer.byteLength;
    if (missing <= 0) return;
    this.#kernel.memory.grow(Math.ceil(missing / PAGE_BYTES));
    this.#numbers = new Int16Array(this.#kernel.memory.buffer);
  }
}
