import { assertPresent } from '../../shared/assert-present.ts';
import { enlarge } from '../columns/enlarge.ts';
import { findLargest, type NearestSlots } from './largest.ts';
import { dequantize, type QuantizedVector, quantize, SCALE_BYTES } from './quantized.ts';
import { FIXED_POINT_SCALE, RowMemory } from './row-memory.ts';

/** Factor that turns a product times the scale of its row into a cosine similarity. */
const QUERY_STEP = 1 / FIXED_POINT_SCALE;
/** Similarity of a slot without an embedding: less than any cosine. */
export const ABSENT = -2;

const MIN_CAPACITY = 1_024;
const NONE = new Float32Array(0);

/** Similarities of all slots to a query. */
interface CachedSimilarities {
  query: Float32Array;
  /** Number of changes of the table at that time. */
  changes: number;
  /** Largest similarity; `ABSENT` if no slot has an embedding. */
  largest: number;
  /** Similarities by slot; null until they are needed. An estimate only needs the largest one. */
  bySlot: Float32Array | null;
}

/**
 * The embeddings of one snapshot, in memory by slot: one byte per number, and a scale for each vector. Similarities are within
 * 0.002 of those between the float vectors.
 */
export class VectorTable {
  readonly dimensions: number;
  /** Null while the table is unloaded. */
  #rows: RowMemory | null;
  #reload = () => {};
  /** `#rowBySlot` from before the table was unloaded; null except during a reload. */
  #rowBySlotBefore: Uint32Array | null = null;
  /** By slot: 1 + its row; 0 if it has no embedding. */
  #rowBySlot = new Uint32Array(MIN_CAPACITY);
  /** By row: its scale; 0 if no slot has the row. */
  #scales = new Float32Array(MIN_CAPACITY);
  /** Number of rows from a file. They come first, and several slots may share one. */
  #fileRows = 0;
  /** True if a slot no longer has its file row, so that some file rows may be unused. */
  #mayHaveUnusedRows = false;
  /** Number of rows, both used and free. */
  #rowCount = 0;
  /** Free rows after those of the file. */
  #freeRows: number[] = [];
  /** One more than the largest slot ever set. */
  #slotsEnd = 0;
  #size = 0;
  #changes = 0;
  /** Similarities to the last query: a search needs them more than once. */
  #cached: CachedSimilarities | null = null;
  /** Similarities of rows to the last query; `ABSENT` for unused rows. */
  #byRow = NONE;

  /** Called for every slot whose embedding is set, replaced or removed. */
  onChange: ((slot: number) => void) | null = null;

  constructor(dimensions: number) {
    this.dimensions = dimensions;
    this.#rows = new RowMemory(dimensions, MIN_CAPACITY);
  }

  /** Number of slots that have an embedding. */
  get size(): number {
    return this.#size;
  }

  /** Number of times that an embedding was set or removed. */
  get changes(): number {
    return this.#changes;
  }

  /** True if the vectors are in memory. */
  get isLoaded(): boolean {
    return this.#rows !== null;
  }

  has(slot: number): boolean {
    return (this.#rowBySlot[slot] ?? 0) > 0;
  }

  /**
   * Frees the vectors until they are needed. The table still knows which slots have an embedding.
   * @param reload sets the vectors of all slots again, or assigns their rows. A slot that it leaves out loses its embedding;
   *   one that was removed in the meantime stays removed.
   */
  unload(reload: () => void): void {
    this.#rows = null;
    this.#cached = null;
    this.#byRow = NONE;
    this.#reload = reload;
  }

  /**
   * Sets or replaces the embedding of a slot.
   * @throws RangeError if `vector` has another length or a norm above 1
   */
  set(slot: number, vector: Float32Array): void {
    this.setQuantized(slot, quantize(vector));
  }

  /**
   * Sets or replaces the embedding of a slot, with a quantized vector.
   * @throws RangeError if it has another length
   */
  setQuantized(slot: number, { scale, numbers }: QuantizedVector): void {
    this.#checkLength(numbers.length);
    const rows = this.#getRows();
    const row = this.#allocateRow(slot, rows);
    rows.setNumbers(row, numbers);
    this.#setRow(slot, row, scale);
  }

  /**
   * Makes memory with the rows of a file the memory of this table, which must be empty. `assignRow` then gives them to slots.
   * @param count number of rows in the memory; rows that no slot gets stay unused
   */
  adoptRows(memory: RowMemory, count: number): void {
    this.#rows = memory;
    this.#scales = new Float32Array(Math.max(count, MIN_CAPACITY));
    this.#fileRows = this.#rowCount = count;
    this.#freeRows = [];
    this.#mayHaveUnusedRows = false;
  }

  /** Gives a slot a file row of `adoptRows`, whose scale is before its numbers. Several slots may share a row. */
  assignRow(slot: number, row: number): void {
    const rows = this.#getRows();
    if (row >= this.#fileRows) throw new RangeError(`there is no row ${row}`);
    this.#setRow(slot, row, rows.readFloat(row, rows.shape.numbersAt - SCALE_BYTES));
  }

  /** Returns a row that only this slot has. */
  #allocateRow(slot: number, rows: RowMemory): number {
    const row = this.#getRow(slot);
    if (row >= this.#fileRows) return row;
    const free = this.#freeRows.pop();
    if (free !== undefined) return free;
    if (this.#rowCount === rows.capacity) rows.grow(Math.max(MIN_CAPACITY, 2 * rows.capacity));
    if (this.#rowCount === this.#scales.length)
      this.#scales = enlarge(this.#scales, this.#rowCount + 1);
    return this.#rowCount++;
  }

  #setRow(slot: number, row: number, scale: number): void {
    const slotsBefore = this.#rowBySlotBefore;
    if (slotsBefore && !slotsBefore[slot]) return;
    if (slot >= this.#rowBySlot.length) this.#rowBySlot = enlarge(this.#rowBySlot, slot + 1);
    const before = this.#getRow(slot);
    if (before >= 0 && before < this.#fileRows && before !== row) this.#mayHaveUnusedRows = true;
    if (before < 0 && !slotsBefore) this.#size++;
    this.#slotsEnd = Math.max(this.#slotsEnd, slot + 1);
    this.#rowBySlot[slot] = row + 1;
    this.#scales[row] = scale;
    if (!slotsBefore) this.#reportChange(slot);
  }

  remove(slot: number): void {
    const row = this.#getRow(slot);
    if (row < 0) return;
    this.#rowBySlot[slot] = 0;
    if (row < this.#fileRows) this.#mayHaveUnusedRows = true;
    else if (this.#rows) {
      this.#scales[row] = 0;
      this.#freeRows.push(row);
    }
    this.#size--;
    this.#reportChange(slot);
  }

  /** Returns the row of a slot; -1 if it has none. */
  #getRow(slot: number): number {
    return (this.#rowBySlot[slot] ?? 0) - 1;
  }

  #reportChange(slot: number): void {
    this.#changes++;
    this.onChange?.(slot);
  }

  /** Yields the slots that have an embedding, in order. */
  *listSlots(): IterableIterator<number> {
    for (let slot = 0; slot < this.#slotsEnd; slot++) if (this.has(slot)) yield slot;
  }

  /** Returns true if this is the embedding of a slot. */
  equals(slot: number, { scale, numbers }: QuantizedVector): boolean {
    const rows = this.#getRows();
    const row = this.#getRow(slot);
    if (row < 0 || this.#scales[row] !== scale) return false;
    const current = rows.getNumbers(row);
    return numbers.every((number, i) => number === current[i]);
  }

  /** Returns the embedding of a slot; null if it has none. */
  getVector(slot: number): Float32Array | null {
    const rows = this.#getRows();
    const row = this.#getRow(slot);
    if (row < 0) return null;
    return dequantize({ scale: this.#scales[row] ?? 0, numbers: rows.getNumbers(row) });
  }

  /**
   * Returns the cosine similarity of a unit vector to every slot's embedding; `ABSENT` for slots without one. For a shorter
   * vector it is the dot product. The result is cached, so callers must not write to it.
   */
  getSimilarities(query: Float32Array): Float32Array {
    const found = this.#computeSimilarities(query);
    found.bySlot ??= spreadToSlots(this.#byRow, this.#rowBySlot, new Float32Array(this.#slotsEnd));
    return found.bySlot;
  }

  /** Returns the similarity of the slot most similar to a unit vector; `ABSENT` if no slot has an embedding. */
  getLargestSimilarity(query: Float32Array): number {
    return this.#computeSimilarities(query).largest;
  }

  #computeSimilarities(query: Float32Array): CachedSimilarities {
    const rows = this.#setQuery(query);
    const { changes } = this;
    const cached = this.#cached;
    if (cached?.changes === changes && cached.query.every((value, i) => value === query[i]))
      return cached;
    if (this.#mayHaveUnusedRows) this.#clearUnusedRows();
    if (this.#byRow.length < this.#rowCount) this.#byRow = new Float32Array(rows.capacity);
    const products = this.#rowCount === 0 ? NONE : rows.computeProducts(0, this.#rowCount);
    const largest = scaleAll(products, this.#scales, this.#byRow);
    const found = { query: query.slice(), changes, largest, bySlot: null };
    this.#cached = found;
    return found;
  }

  #clearUnusedRows(): void {
    const isUsed = new Uint8Array(this.#fileRows);
    for (let slot = 0; slot < this.#slotsEnd; slot++) {
      const row = this.#getRow(slot);
      if (row >= 0 && row < this.#fileRows) isUsed[row] = 1;
    }
    for (let row = 0; row < this.#fileRows; row++) if (!isUsed[row]) this.#scales[row] = 0;
    this.#mayHaveUnusedRows = false;
  }

  /** Returns the similarities of only these slots, in their order. */
  getSimilaritiesOf(query: Float32Array, slots: Uint32Array | readonly number[]): Float32Array {
    const rows = this.#setQuery(query);
    return Float32Array.from(slots, (slot) => {
      const row = this.#getRow(slot);
      if (row < 0) return ABSENT;
      return toSimilarity(rows.computeProducts(row, row + 1)[0] ?? 0, this.#scales[row] ?? 0);
    });
  }

  /** Returns the `k` slots nearest to a unit vector, or all if there are fewer. */
  findNearest(query: Float32Array, k: number): NearestSlots {
    return findLargest(this.getSimilarities(query), Math.min(k, this.#size));
  }

  /** Returns the rows. Reloads them if they are unloaded. */
  #getRows(): RowMemory {
    return this.#rows ?? this.#reloadRows();
  }

  #reloadRows(): RowMemory {
    const before = this.#rowBySlot;
    [this.#rowBySlotBefore, this.#rowBySlot] = [before, new Uint32Array(before.length)];
    this.adoptRows(new RowMemory(this.dimensions, MIN_CAPACITY), 0);
    try {
      this.#reload();
    } catch (error) {
      [this.#rows, this.#rowBySlot] = [null, before];
      throw error;
    } finally {
      this.#rowBySlotBefore = null;
    }
    for (let slot = 0; slot < this.#slotsEnd; slot++) {
      if (!before[slot] || this.has(slot)) continue;
      this.#size--;
      this.#reportChange(slot);
    }
    return assertPresent(this.#rows, 'the reloaded rows');
  }

  #setQuery(query: Float32Array): RowMemory {
    this.#checkLength(query.length);
    const rows = this.#getRows();
    rows.setQuery(query);
    return rows;
  }

  #checkLength(length: number): void {
    if (length !== this.dimensions)
      throw new RangeError(`expected ${this.dimensions} dimensions, got ${length}`);
  }
}

/**
 * Turns the products of a query with each row into similarities; `ABSENT` if the scale is 0. It is a function of its own, since
 * it visits every chunk, and V8 optimizes it after a few calls.
 * @returns the largest similarity
 */
function scaleAll(products: Float32Array, scales: Float32Array, byRow: Float32Array): number {
  let largest = ABSENT;
  for (let row = 0; row < products.length; row++) {
    const similarity = toSimilarity(products[row] ?? 0, scales[row] ?? 0);
    byRow[row] = similarity;
    if (similarity > largest) largest = similarity;
  }
  return Math.fround(largest);
}

/** Copies the similarities of rows to their slots. */
function spreadToSlots(
  byRow: Float32Array,
  rowBySlot: Uint32Array,
  bySlot: Float32Array,
): Float32Array {
  for (let slot = 0; slot < bySlot.length; slot++) {
    const row = rowBySlot[slot] ?? 0;
    bySlot[slot] = row > 0 ? (byRow[row - 1] ?? ABSENT) : ABSENT;
  }
  return bySlot;
}

/** @param product product with the query, in units of both scales */
function toSimilarity(product: number, scale: number): number {
  return scale > 0 ? product * scale * QUERY_STEP : ABSENT;
}
