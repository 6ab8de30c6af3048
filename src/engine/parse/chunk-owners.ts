import { assertPresent } from '../../shared/assert-present.ts';
import { appendTo } from '../../shared/lists-by-key.ts';
import { type Definition, findEnclosingClass } from './definitions.ts';

/** Tells which chunk a row or a position of a source belongs to. */
export class ChunkOwners {
  /** Index of the innermost chunk, by row; the last one for a row that several share. */
  readonly byRow: Int32Array;
  readonly #indexOf: ReadonlyMap<Definition, number>;
  /** Definitions on rows that several share, in order of their start. */
  readonly #onSharedRow = new Map<number, Definition[]>();

  /** @param indexOf indexes of chunks, in order of their start, outer before inner */
  constructor(rows: number, indexOf: ReadonlyMap<Definition, number>) {
    this.byRow = new Int32Array(rows);
    this.#indexOf = indexOf;
    for (const [definition, index] of indexOf) {
      const { startRow, firstColumn, endRow, lastColumn } = definition;
      this.byRow.fill(index, startRow, endRow + 1);
      const sharesLast = Number.isFinite(lastColumn);
      if (firstColumn > 0 || (sharesLast && startRow === endRow))
        appendTo(this.#onSharedRow, startRow, definition);
      if (sharesLast && startRow !== endRow) appendTo(this.#onSharedRow, endRow, definition);
    }
  }

  /** Returns the index of the innermost chunk at a row and an index of the text, which is -1 if only the row is known. */
  find(row: number, at: number): number {
    const chunk = this.byRow[Math.min(row, this.byRow.length - 1)] ?? 0;
    const shared = this.#onSharedRow.get(row);
    if (!shared || at < 0) return chunk;
    const around = shared.findLast(({ startIndex, endIndex }) => startIndex <= at && at < endIndex);
    if (around) return this.#getIndex(around);
    const [first] = shared;
    const outer = first ? findEnclosingClass(first) : null;
    return outer ? this.#getIndex(outer) : 0;
  }

  #getIndex(definition: Definition): number {
    return assertPresent(this.#indexOf.get(definition), 'the index of a chunk');
  }
}
