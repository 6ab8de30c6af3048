import { SCALE } from './fixed-point.ts';
import { largest, type Nearest } from './largest.ts';
import { dequantize, type QuantizedVector, quantize, SCALE_BYTES } from './quantized.ts';
import { RowMemory } from './row-memory.ts';

/** Of products, beside the scale of a row. */
const STEP = 1 / SCALE;
/** The similarity of a slot without an embedding: less than any cosine. */
export const ABSENT = -2;

const FIRST_CAPACITY = 1_024;

/** How like a query all slots are, when the table had changed so often. */
interface Answer {
  query: Float32Array;
  changes: number;
  similarities: Float32Array;
  /** The largest of them; `ABSENT` where there is none. */
  most: number;
}

/**
 * The embeddings of one snapshot, in memory by slot: a byte a number, and a scale for each. A
 * similarity read from it is within 0.002 of the one between the float vectors.
 */
export class VectorTable {
  readonly dimensions: number;
  /** Null while they rest. */
  #rows: RowMemory | null;
  #bringBack = () => {};
  /** Of each slot, whether it was brought back so far; null but while they are. */
  #back: Uint8Array | null = null;
  /** By slot; 0 where it has no embedding. */
  #scales = new Float32Array(FIRST_CAPACITY);
  /** One more than the largest slot ever set. */
  #slots = 0;
  #size = 0;
  #changes = 0;
  /** The last question with its answer: a search asks more than once how like its issue all are. */
  #asked: Answer | null = null;

  /** Told of every slot that gets an embedding, another one, or loses it. */
  onChange: ((slot: number) => void) | null = null;

  constructor(dimensions: number) {
    this.dimensions = dimensions;
    this.#rows = new RowMemory(dimensions, FIRST_CAPACITY);
  }

  /** How many slots have an embedding. */
  get size(): number {
    return this.#size;
  }

  /** How often a slot got an embedding, or lost it. */
  get changes(): number {
    return this.#changes;
  }

  /** Whether the numbers are in memory. */
  get resident(): boolean {
    return this.#rows !== null;
  }

  has(slot: number): boolean {
    return this.#scaleOf(slot) > 0;
  }

  /**
   * Lets go of the numbers until something is asked of them; which slots have an embedding stays known.
   * @param bringBack sets or takes the vectors of all slots again. What it does not find is no embedding any more; what was
   *   removed meanwhile stays removed.
   */
  rest(bringBack: () => void): void {
    this.#rows = null;
    this.#asked = null;
    this.#bringBack = bringBack;
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
    this.#resident().put(slot, numbers);
    this.#hold(slot, scale);
  }

  /** Makes room for this many slots, and none for more. */
  reserve(slots: number): void {
    if (slots > this.#resident().capacity) this.#grow(slots);
  }

  /** Memory behind the rows to read into what `take` copies; good until there is room for more slots. */
  staging(bytes: number): Uint8Array {
    return this.#resident().staging(bytes);
  }

  /** Gives a slot, for which there is room, the vector that begins at an offset of `staging`: its scale, then its numbers. */
  take(slot: number, from: number): void {
    const rows = this.#resident();
    if (slot >= rows.capacity) throw new RangeError(`there is no room for slot ${slot}`);
    rows.take(slot, from + SCALE_BYTES);
    this.#hold(slot, rows.stagedFloat(from));
  }

  #hold(slot: number, scale: number): void {
    if (this.#back) {
      if (!this.has(slot)) return;
      this.#back[slot] = 1;
      this.#scales[slot] = scale;
      return;
    }
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
    const held = this.#resident().numbers(slot);
    return numbers.every((number, i) => number === held[i]);
  }

  /** A slot's embedding; null where there is none. */
  vector(slot: number): Float32Array | null {
    const rows = this.#resident();
    if (!this.has(slot)) return null;
    return dequantize({ scale: this.#scaleOf(slot), numbers: rows.numbers(slot) });
  }

  /**
   * The cosine similarity of a unit vector with every slot's, of a shorter one its dot product; `ABSENT` for slots without one.
   * Not to be written to: who asks the same again gets the same.
   */
  similarities(query: Float32Array): Float32Array {
    return this.#answer(query).similarities;
  }

  /** How like a unit vector the most similar slot is; `ABSENT` where no slot has an embedding. */
  largestSimilarity(query: Float32Array): number {
    return this.#answer(query).most;
  }

  #answer(query: Float32Array): Answer {
    const rows = this.#ask(query);
    const { changes } = this;
    const asked = this.#asked;
    if (asked?.changes === changes && asked.query.every((value, i) => value === query[i]))
      return asked;
    const similarities =
      this.#slots === 0 ? new Float32Array(0) : rows.products(0, this.#slots).slice();
    const most = scaleAll(similarities, this.#scales);
    const answer = { query: query.slice(), changes, similarities, most };
    this.#asked = answer;
    return answer;
  }

  /** The same for these slots alone, in their order. */
  similaritiesOf(query: Float32Array, slots: Uint32Array | readonly number[]): Float32Array {
    const rows = this.#ask(query);
    return Float32Array.from(slots, (slot) =>
      this.has(slot)
        ? similarityOf(rows.products(slot, slot + 1)[0] ?? 0, this.#scaleOf(slot))
        : ABSENT,
    );
  }

  /** The `k` slots nearest to a unit vector, or all when there are fewer. */
  nearest(query: Float32Array, k: number): Nearest {
    return largest(this.similarities(query), Math.min(k, this.#size));
  }

  #scaleOf(slot: number): number {
    return this.#scales[slot] ?? 0;
  }

  /** The rows, brought back where they rest. */
  #resident(): RowMemory {
    if (this.#rows) return this.#rows;
    const rows = new RowMemory(this.dimensions, this.#scales.length);
    const back = new Uint8Array(this.#slots);
    [this.#rows, this.#back] = [rows, back];
    try {
      this.#bringBack();
    } catch (error) {
      this.#rows = null;
      throw error;
    } finally {
      this.#back = null;
    }
    for (let slot = 0; slot < this.#slots; slot++) if (!back[slot]) this.remove(slot);
    return rows;
  }

  #ask(query: Float32Array): RowMemory {
    this.#checkLength(query.length);
    const rows = this.#resident();
    rows.ask(query);
    return rows;
  }

  #checkLength(length: number): void {
    if (length !== this.dimensions)
      throw new RangeError(`expected ${this.dimensions} dimensions, got ${length}`);
  }

  #reserve(slots: number): void {
    const { capacity } = this.#resident();
    if (slots > capacity) this.#grow(Math.max(slots, 2 * capacity));
  }

  /** Makes room for this many slots. */
  #grow(capacity: number): void {
    this.#resident().grow(capacity);
    const scales = new Float32Array(capacity);
    scales.set(this.#scales);
    this.#scales = scales;
  }
}

/**
 * Makes similarities of the products of a query with each slot, in steps of both: `ABSENT` where the scale is 0. A function of
 * its own, since it sees every chunk: V8 makes it quick after a few calls.
 * @returns the largest
 */
function scaleAll(products: Float32Array, scales: Float32Array): number {
  let most = ABSENT;
  for (let slot = 0; slot < products.length; slot++) {
    const similarity = similarityOf(products[slot] ?? 0, scales[slot] ?? 0);
    products[slot] = similarity;
    if (similarity > most) most = similarity;
  }
  return Math.fround(most);
}

/** @param product with the query, in steps of both */
function similarityOf(product: number, scale: number): number {
  return scale > 0 ? product * scale * STEP : ABSENT;
}
