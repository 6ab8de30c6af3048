import { enlarged } from '../columns/growing.ts';
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
  /** By slot, of those that have an embedding. */
  #rowOf = new Uint32Array(FIRST_CAPACITY);
  /** So many rows, the first, are of a file, and may be those of several slots. */
  #shared = 0;
  /** Rows in use, or free. */
  #used = 0;
  /** Rows behind those of a file that no slot has any more. */
  #free: number[] = [];
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
    const rows = this.#resident();
    const row = this.#ownRow(slot, rows);
    rows.put(row, numbers);
    this.#hold(slot, row, scale);
  }

  /**
   * Takes memory that rows of a file were read into for that of the table, which is empty; `take` says whose they are.
   * @param count rows that were read; those that no slot takes stay unused
   */
  adopt(memory: RowMemory, count: number): void {
    this.#rows = memory;
    this.#shared = this.#used = count;
    this.#free = [];
  }

  /** Gives a slot a row of `adopt`, which has its scale before its numbers; other slots may have it, too. */
  take(slot: number, row: number): void {
    const rows = this.#resident();
    if (row >= this.#shared) throw new RangeError(`there is no row ${row}`);
    this.#hold(slot, row, rows.float(row, rows.shape.numbersAt - SCALE_BYTES));
  }

  /** A row that is this slot's alone. */
  #ownRow(slot: number, rows: RowMemory): number {
    const row = this.#rowOf[slot] ?? 0;
    if (this.has(slot) && row >= this.#shared && !this.#back) return row;
    const free = this.#free.pop();
    if (free !== undefined) return free;
    if (this.#used === rows.capacity) rows.grow(Math.max(FIRST_CAPACITY, 2 * rows.capacity));
    return this.#used++;
  }

  #hold(slot: number, row: number, scale: number): void {
    if (this.#back) {
      if (!this.has(slot)) return;
      this.#back[slot] = 1;
    } else {
      if (slot >= this.#scales.length) this.#reach(slot + 1);
      if (!this.has(slot)) this.#size++;
      this.#slots = Math.max(this.#slots, slot + 1);
    }
    this.#rowOf[slot] = row;
    this.#scales[slot] = scale;
    if (!this.#back) this.#changed(slot);
  }

  remove(slot: number): void {
    if (!this.has(slot)) return;
    const row = this.#rowOf[slot] ?? 0;
    if (this.#rows && row >= this.#shared) this.#free.push(row);
    this.#lose(slot);
  }

  #lose(slot: number): void {
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
    const held = this.#resident().numbers(this.#rowOf[slot] ?? 0);
    return numbers.every((number, i) => number === held[i]);
  }

  /** A slot's embedding; null where there is none. */
  vector(slot: number): Float32Array | null {
    const rows = this.#resident();
    if (!this.has(slot)) return null;
    const numbers = rows.numbers(this.#rowOf[slot] ?? 0);
    return dequantize({ scale: this.#scaleOf(slot), numbers });
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
    const similarities = new Float32Array(this.#slots);
    const products = this.#used === 0 ? NONE : rows.products(0, this.#used);
    const most = scaleAll(products, this.#rowOf, this.#scales, similarities);
    const answer = { query: query.slice(), changes, similarities, most };
    this.#asked = answer;
    return answer;
  }

  /** The same for these slots alone, in their order. */
  similaritiesOf(query: Float32Array, slots: Uint32Array | readonly number[]): Float32Array {
    const rows = this.#ask(query);
    return Float32Array.from(slots, (slot) => {
      if (!this.has(slot)) return ABSENT;
      const row = this.#rowOf[slot] ?? 0;
      return similarityOf(rows.products(row, row + 1)[0] ?? 0, this.#scaleOf(slot));
    });
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
    const back = new Uint8Array(this.#slots);
    [this.#rows, this.#back] = [new RowMemory(this.dimensions, FIRST_CAPACITY), back];
    [this.#shared, this.#used, this.#free] = [0, 0, []];
    try {
      this.#bringBack();
    } catch (error) {
      this.#rows = null;
      throw error;
    } finally {
      this.#back = null;
    }
    for (let slot = 0; slot < this.#slots; slot++)
      if (!back[slot] && this.has(slot)) this.#lose(slot);
    return this.#rows;
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

  /** Makes room for this many slots. */
  #reach(slots: number): void {
    this.#scales = enlarged(this.#scales, slots);
    this.#rowOf = enlarged(this.#rowOf, slots);
  }
}

const NONE = new Float32Array(0);

/**
 * Makes similarities by slot of the products of a query with each row, in steps of both: `ABSENT` where the scale is 0. A function
 * of its own, since it sees every chunk: V8 makes it quick after a few calls.
 * @returns the largest
 */
function scaleAll(
  products: Float32Array,
  rowOf: Uint32Array,
  scales: Float32Array,
  similarities: Float32Array,
): number {
  let most = ABSENT;
  for (let slot = 0; slot < similarities.length; slot++) {
    const similarity = similarityOf(products[rowOf[slot] ?? 0] ?? 0, scales[slot] ?? 0);
    similarities[slot] = similarity;
    if (similarity > most) most = similarity;
  }
  return Math.fround(most);
}

/** @param product with the query, in steps of both */
function similarityOf(product: number, scale: number): number {
  return scale > 0 ? product * scale * STEP : ABSENT;
}
