/**
 * Counts by key and field, in bytes: those of a chunk by term, or those of a term by chunk. Keys ascend, so that of each is kept
 * by how much it is more than the one before, the first by itself: `step << 5 | field << 2 | count` as a varint (LEB128: seven
 * bits a byte, the lowest first, the eighth set but in the last). A count above 3 is 0 there and in a byte of its own behind it.
 * Three counts of four take one byte.
 */

/** A key's step above the one before, below 2²⁷. */
export const STEP_SHIFT = 5;
export const FIELD_SHIFT = 2;
export const FIELD_MASK = 7;
/** The largest count that needs no byte of its own. */
export const SMALL = 3;

/** Bytes that a count takes at most. */
export const MAX_BYTES = 6;

/** Bytes of the count of a key that is `step` more than the one before. */
export function bytesOfCount(step: number, count: number): number {
  const own = count > SMALL ? 1 : 0;
  if (step < 1 << 2) return 1 + own;
  if (step < 1 << 9) return 2 + own;
  if (step < 1 << 16) return 3 + own;
  return (step < 1 << 23 ? 4 : 5) + own;
}

/**
 * Writes a count, from 1 to 255, of the key that is `step` more than the one before, in a field from 0 to 7.
 * @returns where the next one goes
 */
export function putCount(
  bytes: Uint8Array,
  at: number,
  step: number,
  field: number,
  count: number,
): number {
  let end = at;
  let left = ((step << STEP_SHIFT) | (field << FIELD_SHIFT) | (count > SMALL ? 0 : count)) >>> 0;
  for (; left > 127; left >>>= 7) bytes[end++] = left | 128;
  bytes[end++] = left;
  if (count > SMALL) bytes[end++] = count;
  return end;
}

/** Reads the counts in `bytes[at, end)`, one after the other. */
export class CountReader {
  /** Of the count that was read last. */
  key = 0;
  field = 0;
  count = 0;
  readonly #bytes: Uint8Array;
  #at: number;
  readonly #end: number;

  constructor(bytes: Uint8Array, at: number, end: number) {
    this.#bytes = bytes;
    this.#at = at;
    this.#end = end;
  }

  /** Reads the next count; false where there is none. */
  next(): boolean {
    let at = this.#at;
    if (at >= this.#end) return false;
    const bytes = this.#bytes;
    let value = bytes[at++]!;
    if (value > 127) {
      let byte = bytes[at++]!;
      value = (value & 127) | ((byte & 127) << 7);
      for (let shift = 14; byte > 127; shift += 7) {
        byte = bytes[at++]!;
        value |= (byte & 127) << shift;
      }
    }
    this.count = value & SMALL || bytes[at++]!;
    this.field = (value >>> FIELD_SHIFT) & FIELD_MASK;
    this.key += value >>> STEP_SHIFT;
    this.#at = at;
    return true;
  }
}
