import { log } from '../../base/log.ts';
import { Chains } from '../columns/chains.ts';
import { enlarged } from '../columns/growing.ts';
import type { QuantizedVector } from '../vectors/quantized.ts';
import type { VectorTable } from '../vectors/vector-table.ts';
import { createHnsw, type Hnsw } from './hnsw.ts';

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
  /** By row: the slots that were placed there. */
  readonly #slotsIn: Chains;
  readonly #outside = new Set<number>();

  private constructor(hnsw: Hnsw, table: VectorTable, generation: number, rows: number) {
    this.#hnsw = hnsw;
    this.#table = table;
    this.generation = generation;
    this.rows = rows;
    this.#slotsIn = new Chains(rows);
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
    if (slot >= this.#rowOf.length) this.#rowOf = enlarged(this.#rowOf, slot + 1);
    if (row >= this.rows || this.#rowOf[slot] || !this.#table.equals(slot, vector)) return;
    this.#rowOf[slot] = row + 1;
    this.#slotsIn.append(row, slot);
    this.#outside.delete(slot);
  }

  /** The slots of about the `count` rows nearest to a unit vector, and all that are outside; in order of slot. */
  candidates(query: Float32Array, count: number): Uint32Array {
    const found = [...this.#outside];
    for (const key of this.#hnsw.search(query, count, 1).keys) {
      const row = Number(key);
      for (let slot = this.#slotsIn.first(row); slot >= 0; slot = this.#slotsIn.next(slot))
        found.push(slot);
    }
    return Uint32Array.from(found).sort();
  }

  close(): void {
    this.#table.onChange = null;
  }

  #forget(slot: number): void {
    const row = (this.#rowOf[slot] ?? 0) - 1;
    if (row >= 0) {
      this.#slotsIn.remove(row, slot);
      this.#rowOf[slot] = 0;
    }
    if (this.#table.has(slot)) this.#outside.add(slot);
    else this.#outside.delete(slot);
  }
}
