import { log } from '../../base/log.ts';
import { enlarged } from '../columns/growing.ts';
import type { QuantizedVector } from '../vectors/quantized.ts';
import type { VectorTable } from '../vectors/vector-table.ts';
import { createHnsw, type Hnsw } from './hnsw.ts';

/** In place of the row of a slot whose embedding changed: it stays outside, for its place in the row's list is taken. */
const LEFT = 2 ** 32 - 1;

/**
 * A mapped index over the first rows of a file of embeddings, and which slots of a snapshot have these rows. What has an
 * embedding and none of the rows is *outside*: new and changed chunks. Changes of the table are followed.
 */
export class BaseIndex {
  /** Of the file. */
  readonly generation: number;
  readonly rows: number;
  readonly #hnsw: Hnsw;
  readonly #table: VectorTable;
  /** By slot: 1 + its row; 0 for none. */
  #rowOf = new Uint32Array(0);
  /** By row: 1 + the last slot that was placed there; by slot: the one placed before. */
  readonly #lastIn: Uint32Array;
  #before = new Uint32Array(0);
  readonly #outside = new Set<number>();

  private constructor(hnsw: Hnsw, table: VectorTable, generation: number, rows: number) {
    this.#hnsw = hnsw;
    this.#table = table;
    this.generation = generation;
    this.rows = rows;
    this.#lastIn = new Uint32Array(rows);
    for (const slot of table.slots()) this.#outside.add(slot);
    table.onChange = (slot) => this.#forget(slot);
  }

  /**
   * Maps a file that was checked; null where usearch does not run, or does not take it. All of the table is outside at first.
   */
  static async map(
    path: string,
    table: VectorTable,
    generation: number,
    rows: number,
  ): Promise<BaseIndex | null> {
    const hnsw = await createHnsw(table.dimensions);
    try {
      hnsw?.view(path);
    } catch (error) {
      log('ignored', { work: 'read-vectors', error });
      return null;
    }
    return hnsw && new BaseIndex(hnsw, table, generation, rows);
  }

  /** How many slots every search has to compare with. */
  get outside(): number {
    return this.#outside.size;
  }

  /** Says that the embedding of a slot is this row. Does nothing where it is not: neither the row nor, by now, the embedding. */
  place(slot: number, row: number, vector: QuantizedVector): void {
    this.#reserve(slot + 1);
    if (row >= this.rows || this.#rowOf[slot] || !this.#table.equals(slot, vector)) return;
    this.#rowOf[slot] = row + 1;
    this.#before[slot] = this.#lastIn[row] ?? 0;
    this.#lastIn[row] = slot + 1;
    this.#outside.delete(slot);
  }

  /** The slots of about the `count` rows nearest to a unit vector, and all that are outside; in order of slot. */
  candidates(query: Float32Array, count: number): Uint32Array {
    const found = [...this.#outside];
    for (const key of this.#hnsw.search(query, count, 1).keys) {
      const row = Number(key);
      for (let at = this.#lastIn[row] ?? 0; at > 0; at = this.#before[at - 1] ?? 0)
        if (this.#rowOf[at - 1] === row + 1) found.push(at - 1);
    }
    return Uint32Array.from(found).sort();
  }

  /** Follows the table no longer. */
  close(): void {
    this.#table.onChange = null;
  }

  #forget(slot: number): void {
    if (this.#rowOf[slot]) this.#rowOf[slot] = LEFT;
    if (this.#table.has(slot)) this.#outside.add(slot);
    else this.#outside.delete(slot);
  }

  #reserve(slots: number): void {
    if (slots <= this.#rowOf.length) return;
    this.#rowOf = enlarged(this.#rowOf, slots);
    this.#before = enlarged(this.#before, slots);
  }
}
