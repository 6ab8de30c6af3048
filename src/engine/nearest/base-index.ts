import { log } from '../../base/log.ts';
import { Chains } from '../columns/chains.ts';
import { enlarge } from '../columns/enlarge.ts';
import type { QuantizedVector } from '../vectors/quantized.ts';
import type { VectorTable } from '../vectors/vector-table.ts';
import { createHnsw, type Hnsw } from './hnsw.ts';

/**
 * A memory-mapped index over the first rows of an embedding file, with the slots of a snapshot that have these rows. New and
 * changed chunks have an embedding but none of the rows: they are *outside*. The index follows changes of the table.
 */
export class BaseIndex {
  /** Generation of the embedding file. */
  readonly generation: number;
  readonly rows: number;
  readonly #hnsw: Hnsw;
  readonly #table: VectorTable;
  /** 1 + the row of a slot; 0 for none. */
  #rowNumbers = new Uint32Array(0);
  /** Slots by row. */
  readonly #slotsByRow: Chains;
  readonly #outside = new Set<number>();

  private constructor(hnsw: Hnsw, table: VectorTable, generation: number, rows: number) {
    this.#hnsw = hnsw;
    this.#table = table;
    this.generation = generation;
    this.rows = rows;
    this.#slotsByRow = new Chains(rows);
    for (const slot of table.listSlots()) this.#outside.add(slot);
    table.onChange = (slot) => this.#updateSlot(slot);
  }

  /** Maps a checked file; null if usearch is unavailable or rejects it. At first, all slots are outside. */
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

  /** Number of slots outside, which every search compares with. */
  get outsideCount(): number {
    return this.#outside.size;
  }

  /** Assigns a row to a slot. Does nothing if the row is not indexed, or the slot's embedding has changed. */
  assignRow(slot: number, row: number, vector: QuantizedVector): void {
    if (slot >= this.#rowNumbers.length) this.#rowNumbers = enlarge(this.#rowNumbers, slot + 1);
    if (row >= this.rows || this.#rowNumbers[slot] || !this.#table.equals(slot, vector)) return;
    this.#rowNumbers[slot] = row + 1;
    this.#slotsByRow.append(row, slot);
    this.#outside.delete(slot);
  }

  /** Returns the slots of about the `count` rows nearest to a unit vector, and all slots outside; sorted. */
  candidates(query: Float32Array, count: number): Uint32Array {
    const found = [...this.#outside];
    for (const key of this.#hnsw.search(query, count, 1).keys) {
      const row = Number(key);
      for (let slot = this.#slotsByRow.first(row); slot >= 0; slot = this.#slotsByRow.next(slot))
        found.push(slot);
    }
    return Uint32Array.from(found).sort();
  }

  close(): void {
    this.#table.onChange = null;
  }

  #updateSlot(slot: number): void {
    const row = (this.#rowNumbers[slot] ?? 0) - 1;
    if (row >= 0) {
      this.#slotsByRow.remove(row, slot);
      this.#rowNumbers[slot] = 0;
    }
    if (this.#table.has(slot)) this.#outside.add(slot);
    else this.#outside.delete(slot);
  }
}
