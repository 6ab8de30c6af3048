import { createDotKernel, ROW_ALIGNMENT } from './dot-kernel.ts';
import { SCALE, writeFixedPoint } from './fixed-point.ts';
import { largest, type Nearest } from './largest.ts';
import { dequantize, type QuantizedVector, quantize, SCALE_BYTES } from './quantized.ts';

/** The similarity of a slot without an embedding: less than any cosine. */
export const ABSENT = -2;

const PAGE_BYTES = 65_536;
const FIRST_CAPACITY = 1_024;

/**
 * The embeddings of one snapshot, in memory by slot: a byte a number, and a scale for each. A
 * similarity read from it is within 0.002 of the one between the float vectors.
 */
export class VectorTable {
  readonly dimensions: number;
  readonly #rowBytes: number;
  // The memory: the query in fixed point, then a row for each slot, then a similarity for each slot. The
  // padding of the query is always 0, so that of the rows does not matter.
  readonly #kernel = createDotKernel();
  /** The same memory as numbers of rows. */
  #numbers = new Int8Array(this.#kernel.memory.buffer);
  #capacity = 0;
  /** By slot; 0 where it has no embedding. */
  #scales = new Float32Array(0);
  /** One more than the largest slot ever set. */
  #slots = 0;
  #size = 0;
  #changes = 0;

  /** Told of every slot that gets an embedding, another one, or loses it. */
  onChange: ((slot: number) => void) | null = null;

  constructor(dimensions: number) {
    this.dimensions = dimensions;
    this.#rowBytes = Math.ceil(dimensions / ROW_ALIGNMENT) * ROW_ALIGNMENT;
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
    return this.#scaleOf(slot) > 0;
  }

  /**
   * Gives a slot its embedding, or another one.
   * @throws RangeError when `vector` has another length or a norm above 1
   */
  set(slot: number, vector: Float32Array): void {
    this.setQuantized(slot, quantize(vector));
  }

  /**
   * The same with a vector as `quantize` makes it.
   * @throws RangeError when it has another length
   */
  setQuantized(slot: number, { scale, numbers }: QuantizedVector): void {
    this.#checkLength(numbers.length);
    this.#reserve(slot + 1);
    this.#numbers.set(numbers, this.#rowAt(slot));
    this.#hold(slot, scale);
  }

  /** Makes room for this many slots, and none for more. */
  reserve(slots: number): void {
    if (slots > this.#capacity) this.#grow(slots);
  }

  /** Memory behind the rows to read into what `take` copies; good until there is room for more slots. */
  staging(bytes: number): Uint8Array {
    const start = this.#rowAt(this.#capacity);
    this.#reach(start + bytes);
    return new Uint8Array(this.#kernel.memory.buffer, start, bytes);
  }

  /** Gives a slot, for which there is room, the vector that begins at an offset of `staging`: its scale, then its numbers. */
  take(slot: number, from: number): void {
    if (slot >= this.#capacity) throw new RangeError(`there is no room for slot ${slot}`);
    const start = this.#rowAt(this.#capacity) + from;
    const numbers = start + SCALE_BYTES;
    this.#numbers.copyWithin(this.#rowAt(slot), numbers, numbers + this.dimensions);
    this.#hold(slot, this.#floatAt(start));
  }

  #hold(slot: number, scale: number): void {
    if (!this.has(slot)) this.#size++;
    this.#scales[slot] = scale;
    this.#slots = Math.max(this.#slots, slot + 1);
    this.#changed(slot);
  }

  remove(slot: number): void {
    if (!this.has(slot)) return;
    this.#scales[slot] = 0;
    this.#size--;
    this.#changed(slot);
  }

  #changed(slot: number): void {
    this.#changes++;
    this.onChange?.(slot);
  }

  /** The slots that have an embedding, in order. */
  *slots(): IterableIterator<number> {
    for (let slot = 0; slot < this.#slots; slot++) if (this.has(slot)) yield slot;
  }

  /** Whether this is the embedding of a slot. */
  equals(slot: number, { scale, numbers }: QuantizedVector): boolean {
    if (this.#scaleOf(slot) !== scale) return false;
    const start = this.#rowAt(slot);
    return numbers.every((number, i) => number === this.#numbers[start + i]);
  }

  /** A slot's embedding; null where there is none. */
  vector(slot: number): Float32Array | null {
    if (!this.has(slot)) return null;
    const start = this.#rowAt(slot);
    const numbers = this.#numbers.subarray(start, start + this.dimensions);
    return dequantize({ scale: this.#scaleOf(slot), numbers });
  }

  /** The cosine similarity of a unit vector with every slot's, of a shorter one its dot product; `ABSENT` for slots without one. */
  similarities(query: Float32Array): Float32Array {
    this.#ask(query);
    if (this.#slots === 0) return new Float32Array(0);
    const out = this.#score(0, this.#slots);
    const similarities = new Float32Array(this.#kernel.memory.buffer, out, this.#slots).slice();
    for (let slot = 0; slot < this.#slots; slot++)
      similarities[slot] = this.#similarity(slot, similarities[slot] ?? 0);
    return similarities;
  }

  /** The same for these slots alone, in their order. */
  similaritiesOf(query: Float32Array, slots: Uint32Array | readonly number[]): Float32Array {
    this.#ask(query);
    return Float32Array.from(slots, (slot) =>
      this.has(slot) ? this.#similarity(slot, this.#floatAt(this.#score(slot, slot + 1))) : ABSENT,
    );
  }

  /** The `k` slots nearest to a unit vector, or all when there are fewer. */
  nearest(query: Float32Array, k: number): Nearest {
    return largest(this.similarities(query), Math.min(k, this.#size));
  }

  /** @param product with the query, in steps of both. */
  #similarity(slot: number, product: number): number {
    const scale = this.#scaleOf(slot);
    return scale > 0 ? (product * scale) / SCALE : ABSENT;
  }

  /** Multiplies the query with the rows of these slots; returns where the products are. */
  #score(from: number, to: number): number {
    const out = this.#rowAt(this.#capacity);
    this.#kernel.dots(0, 2 * this.#rowBytes, this.#rowAt(from), this.#rowAt(to), out);
    return out;
  }

  #scaleOf(slot: number): number {
    return this.#scales[slot] ?? 0;
  }

  /** Where a slot's row begins: behind the query, which has two bytes a number. */
  #rowAt(slot: number): number {
    return this.#rowBytes * (slot + 2);
  }

  #floatAt(offset: number): number {
    return new DataView(this.#kernel.memory.buffer).getFloat32(offset, true);
  }

  #ask(query: Float32Array): void {
    this.#checkLength(query.length);
    writeFixedPoint(query, new Int16Array(this.#kernel.memory.buffer, 0, query.length));
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
    this.#reach(this.#rowAt(capacity) + capacity * Float32Array.BYTES_PER_ELEMENT);
    const scales = new Float32Array(capacity);
    scales.set(this.#scales);
    this.#scales = scales;
  }

  /** Makes the memory this long. */
  #reach(bytes: number): void {
    const missing = bytes - this.#kernel.memory.buffer.byteLength;
    if (missing <= 0) return;
    this.#kernel.memory.grow(Math.ceil(missing / PAGE_BYTES));
    this.#numbers = new Int8Array(this.#kernel.memory.buffer);
  }
}
