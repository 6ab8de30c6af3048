import { createDotKernel, ROW_ALIGNMENT, SCALE } from './dot-kernel.ts';
import type { IndexedVectors, VectorIndex } from './index-file.ts';
import { largest } from './largest.ts';

/** The similarity of a slot without an embedding: less than any cosine. */
export const ABSENT = -2;

const PAGE_BYTES = 65_536;
const FIRST_CAPACITY = 1_024;
/** Of a vector of length 1 in fixed point, with room for rounding. */
const MAX_SQUARES = 1.001 * SCALE ** 2;

/** Rows from which on an approximate index is worth its errors: looking at all of them takes some 9 ms then. */
const INDEX_FROM = 250_000;
/** As many candidates are asked of the index for each that is wanted, and at least, to make up for its errors. */
const CANDIDATES_EACH = 8;
const CANDIDATES_MIN = 800;
/** An index proposes a candidate in the time that looking at this many rows takes. */
const ROWS_PER_CANDIDATE = 50;
/** Below this part of the table that an index covers, and of the index that is still in the table, it is not used. */
const MIN_COVERED = 0.75;

/** The slots nearest to a query, best first, with their cosine similarities. */
export interface Nearest {
  slots: Uint32Array;
  similarities: Float32Array;
}

/** An approximate index over some of the slots. */
interface Attached {
  index: VectorIndex;
  /** The slot that each key of the index stands for. */
  slotOfKey: Map<number, number>;
  /** 1 where the index holds the slot's present embedding. */
  covered: Uint8Array;
  coveredCount: number;
}

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
  #attached: Attached | null = null;

  readonly #indexFrom: number;

  /** `indexFrom`: rows from which on an attached index is used. */
  constructor(dimensions: number, { indexFrom = INDEX_FROM } = {}) {
    this.dimensions = dimensions;
    this.#indexFrom = indexFrom;
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
    this.#uncover(slot);
    if (!this.has(slot)) this.#size++;
    this.#present[slot] = 1;
    this.#slots = Math.max(this.#slots, slot + 1);
  }

  remove(slot: number): void {
    if (!this.has(slot)) return;
    this.#uncover(slot);
    this.#present[slot] = 0;
    this.#size--;
  }

  /** The cosine similarity of a unit vector with every slot's; `ABSENT` for slots without one. */
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

  /**
   * The `k` slots nearest to a unit vector, or all when there are fewer. Looks at all of them, unless
   * they are so many, and `k` is so small, that the attached index is faster; the similarities are
   * those of `similarities` in either case.
   */
  nearest(query: Float32Array, k: number): Nearest {
    const attached = this.#attached;
    const usable =
      attached !== null &&
      this.#size >= this.#indexFrom &&
      this.#size >= ROWS_PER_CANDIDATE * CANDIDATES_EACH * k &&
      attached.coveredCount >= MIN_COVERED * Math.max(this.#size, attached.index.size);
    if (!usable) return largest(this.similarities(query), Math.min(k, this.#size));
    return this.#nearestOf(this.#candidates(query, k, attached), query, k);
  }

  /**
   * Uses an index for `nearest`. What changes in the table later on is seen to: new embeddings are
   * compared one by one, gone ones left out.
   * @param keyOf the key under which the index has a slot's present embedding, if it has
   */
  attach(index: VectorIndex, keyOf: (slot: number) => number): void {
    const slots = this.#presentSlots();
    const keys = Float64Array.from(slots, keyOf);
    const held = index.has(keys);
    const slotOfKey = new Map<number, number>();
    const covered = new Uint8Array(this.#capacity);
    held.forEach((isHeld, i) => {
      if (!isHeld) return;
      slotOfKey.set(keys[i], slots[i]);
      covered[slots[i]] = 1;
    });
    this.#attached = { index, slotOfKey, covered, coveredCount: slotOfKey.size };
  }

  /** What an index is built from: every embedding under the key that `keyOf` gives its slot. */
  indexedVectors(keyOf: (slot: number) => number): IndexedVectors {
    const { dimensions } = this;
    const slots = this.#presentSlots();
    const vectors = new Int8Array(slots.length * dimensions);
    for (const [i, slot] of slots.entries()) {
      const start = (this.#rowBytes * (slot + 1)) / 2;
      for (let j = 0; j < dimensions; j++) {
        vectors[i * dimensions + j] = Math.round((this.#numbers[start + j] * 127) / SCALE);
      }
    }
    return { dimensions, keys: Float64Array.from(slots, keyOf), vectors };
  }

  /** Present slots that the index proposes, and those that it does not know. */
  #candidates(query: Float32Array, k: number, attached: Attached): Uint32Array {
    const { index, slotOfKey, covered, coveredCount } = attached;
    // Some of what the index finds is gone by now.
    const wanted = Math.max(CANDIDATES_EACH * k, CANDIDATES_MIN) * (index.size / coveredCount);
    const slots: number[] = [];
    for (const key of index.search(query, Math.min(Math.ceil(wanted), index.size))) {
      const slot = slotOfKey.get(key);
      if (slot !== undefined && covered[slot] === 1) slots.push(slot);
    }
    if (coveredCount < this.#size) {
      for (let slot = 0; slot < this.#slots; slot++) {
        if (this.#present[slot] === 1 && covered[slot] !== 1) slots.push(slot);
      }
    }
    return Uint32Array.from(slots);
  }

  #nearestOf(candidates: Uint32Array, query: Float32Array, k: number): Nearest {
    this.#write(0, query);
    const out = this.#rowBytes * (this.#capacity + 1);
    for (const [i, slot] of candidates.entries()) this.#score(slot, slot + 1, out + 4 * i);
    const scores = new Float32Array(this.#kernel.memory.buffer, out, candidates.length);
    const best = largest(scores, Math.min(k, candidates.length));
    return { ...best, slots: best.slots.map((i) => candidates[i]) };
  }

  #uncover(slot: number): void {
    const attached = this.#attached;
    if (attached?.covered[slot] !== 1) return;
    attached.covered[slot] = 0;
    attached.coveredCount--;
  }

  #presentSlots(): Uint32Array {
    const slots = new Uint32Array(this.#size);
    let next = 0;
    for (let slot = 0; slot < this.#slots; slot++) {
      if (this.#present[slot] === 1) slots[next++] = slot;
    }
    return slots;
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
      const scaled = vector[i] * SCALE;
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
