import { present } from '../../shared/present.ts';
import { enlarged } from '../columns/growing.ts';
import { largest, type Nearest } from './largest.ts';
import { dequantize, type QuantizedVector, quantize, SCALE_BYTES } from './quantized.ts';
import { RowMemory, SCALE } from './row-memory.ts';

/** Of products, beside the scale of a row. */
const STEP = 1 / SCALE;
/** The similarity of a slot without an embedding: less than any cosine. */
export const ABSENT = -2;

const FIRST_CAPACITY = 1_024;
const NONE = new Float32Array(0);

/** How like a query all are, when the table had changed so often. */
interface Answer {
  query: Float32Array;
  changes: number;
  /** The largest of them; `ABSENT` where there is none. */
  most: number;
  /** Null until it is asked for: a glance wants the largest alone. */
  bySlot: Float32Array | null;
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
  /** What `#rowOf` was before they rested; null but while they are brought back. */
  #had: Uint32Array | null = null;
  /** By slot: 1 + its row; 0 where it has no embedding. */
  #rowOf = new Uint32Array(FIRST_CAPACITY);
  /** By row; 0 for one that no slot has. */
  #scales = new Float32Array(FIRST_CAPACITY);
  /** So many rows, the first, are of a file, and may be those of several slots. */
  #shared = 0;
  /** Whether a slot let go of one of these, which may be nobody's now. */
  #isLoose = false;
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
  /** How like it the rows are; `ABSENT` for those that no slot has. */
  #byRow = NONE;

  /** Told of every slot that gets an embedding, another one, or loses it. */
  onChange: ((slot: number) => void) | null = null;

  constructor(dimensions: number) {
    this.dimensions = dimensions;
    this.#rows = new RowMemory(dimensions, FIRST_CAPACITY);
  }

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
    return (this.#rowOf[slot] ?? 0) > 0;
  }

  /**
   * Lets go of the numbers until something is asked of them; which slots have an embedding stays known.
   * @param bringBack sets or takes the vectors of all slots again. What it does not find is no embedding any more; what was
   *   removed meanwhile stays removed.
   */
  rest(bringBack: () => void): void {
    this.#rows = null;
    this.#asked = null;
    this.#byRow = NONE;
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
    this.#scales = new Float32Array(Math.max(count, FIRST_CAPACITY));
    this.#shared = this.#used = count;
    this.#free = [];
    this.#isLoose = false;
  }

  /** Gives a slot a row of `adopt`, which has its scale before its numbers; other slots may have it, too. */
  take(slot: number, row: number): void {
    const rows = this.#resident();
    if (row >= this.#shared) throw new RangeError(`there is no row ${row}`);
    this.#hold(slot, row, rows.float(row, rows.shape.numbersAt - SCALE_BYTES));
  }

  /** A row that is this slot's alone. */
  #ownRow(slot: number, rows: RowMemory): number {
    const row = this.#row(slot);
    if (row >= this.#shared) return row;
    const free = this.#free.pop();
    if (free !== undefined) return free;
    if (this.#used === rows.capacity) rows.grow(Math.max(FIRST_CAPACITY, 2 * rows.capacity));
    if (this.#used === this.#scales.length) this.#scales = enlarged(this.#scales, this.#used + 1);
    return this.#used++;
  }

  #hold(slot: number, row: number, scale: number): void {
    if (this.#had && !this.#had[slot]) return;
    if (slot >= this.#rowOf.length) this.#rowOf = enlarged(this.#rowOf, slot + 1);
    const before = this.#row(slot);
    if (before >= 0 && before < this.#shared && before !== row) this.#isLoose = true;
    if (before < 0 && !this.#had) this.#size++;
    this.#slots = Math.max(this.#slots, slot + 1);
    this.#rowOf[slot] = row + 1;
    this.#scales[row] = scale;
    if (!this.#had) this.#changed(slot);
  }

  remove(slot: number): void {
    const row = this.#row(slot);
    if (row < 0) return;
    this.#rowOf[slot] = 0;
    if (row < this.#shared) this.#isLoose = true;
    else if (this.#rows) {
      this.#scales[row] = 0;
      this.#free.push(row);
    }
    this.#size--;
    this.#changed(slot);
  }

  /** -1 for none. */
  #row(slot: number): number {
    return (this.#rowOf[slot] ?? 0) - 1;
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
    const rows = this.#resident();
    const row = this.#row(slot);
    if (row < 0 || this.#scales[row] !== scale) return false;
    const held = rows.numbers(row);
    return numbers.every((number, i) => number === held[i]);
  }

  /** A slot's embedding; null where there is none. */
  vector(slot: number): Float32Array | null {
    const rows = this.#resident();
    const row = this.#row(slot);
    if (row < 0) return null;
    return dequantize({ scale: this.#scales[row] ?? 0, numbers: rows.numbers(row) });
  }

  /**
   * The cosine similarity of a unit vector with every slot's, of a shorter one its dot product; `ABSENT` for slots without one.
   * Not to be written to: who asks the same again gets the same.
   */
  similarities(query: Float32Array): Float32Array {
    const answer = this.#answer(query);
    answer.bySlot ??= spread(this.#byRow, this.#rowOf, new Float32Array(this.#slots));
    return answer.bySlot;
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
    if (this.#isLoose) this.#forgetLooseRows();
    if (this.#byRow.length < this.#used) this.#byRow = new Float32Array(rows.capacity);
    const products = this.#used === 0 ? NONE : rows.products(0, this.#used);
    const most = scaleAll(products, this.#scales, this.#byRow);
    const answer = { query: query.slice(), changes, most, bySlot: null };
    this.#asked = answer;
    return answer;
  }

  #forgetLooseRows(): void {
    const isHeld = new Uint8Array(this.#shared);
    for (let slot = 0; slot < this.#slots; slot++) {
      const row = this.#row(slot);
      if (row >= 0 && row < this.#shared) isHeld[row] = 1;
    }
    for (let row = 0; row < this.#shared; row++) if (!isHeld[row]) this.#scales[row] = 0;
    this.#isLoose = false;
  }

  /** The same for these slots alone, in their order. */
  similaritiesOf(query: Float32Array, slots: Uint32Array | readonly number[]): Float32Array {
    const rows = this.#ask(query);
    return Float32Array.from(slots, (slot) => {
      const row = this.#row(slot);
      if (row < 0) return ABSENT;
      return similarityOf(rows.products(row, row + 1)[0] ?? 0, this.#scales[row] ?? 0);
    });
  }

  /** The `k` slots nearest to a unit vector, or all when there are fewer. */
  nearest(query: Float32Array, k: number): Nearest {
    return largest(this.similarities(query), Math.min(k, this.#size));
  }

  /** The rows, brought back where they rest. */
  #resident(): RowMemory {
    return this.#rows ?? this.#broughtBack();
  }

  #broughtBack(): RowMemory {
    const had = this.#rowOf;
    [this.#had, this.#rowOf] = [had, new Uint32Array(had.length)];
    this.adopt(new RowMemory(this.dimensions, FIRST_CAPACITY), 0);
    try {
      this.#bringBack();
    } catch (error) {
      [this.#rows, this.#rowOf] = [null, had];
      throw error;
    } finally {
      this.#had = null;
    }
    for (let slot = 0; slot < this.#slots; slot++) {
      if (!had[slot] || this.has(slot)) continue;
      this.#size--;
      this.#changed(slot);
    }
    return present(this.#rows, 'the rows that were brought back');
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
}

/**
 * Makes similarities of the products of a query with each row, in steps of both: `ABSENT` where the scale is 0. A function of its
 * own, since it sees every chunk: V8 makes it quick after a few calls.
 * @returns the largest
 */
function scaleAll(products: Float32Array, scales: Float32Array, byRow: Float32Array): number {
  let most = ABSENT;
  for (let row = 0; row < products.length; row++) {
    const similarity = similarityOf(products[row] ?? 0, scales[row] ?? 0);
    byRow[row] = similarity;
    if (similarity > most) most = similarity;
  }
  return Math.fround(most);
}

/** The similarities of rows by slot. */
function spread(byRow: Float32Array, rowOf: Uint32Array, bySlot: Float32Array): Float32Array {
  for (let slot = 0; slot < bySlot.length; slot++) {
    const row = rowOf[slot] ?? 0;
    bySlot[slot] = row > 0 ? (byRow[row - 1] ?? ABSENT) : ABSENT;
  }
  return bySlot;
}

/** @param product with the query, in steps of both */
function similarityOf(product: number, scale: number): number {
  return scale > 0 ? product * scale * STEP : ABSENT;
}
