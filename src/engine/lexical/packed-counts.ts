/**
 * Packed counts by key and field: those of a chunk by term, or those of a term by chunk. Keys ascend, so each is stored as its
 * step from the previous one: `step << 5 | field << 2 | count` as a varint (LEB128: seven bits a byte, lowest first, the
 * eighth set except in the last byte). A count above 3 is 0 there, and follows in a byte of its own. Three of four counts
 * take one byte.
 */

/** Position of a key's step, which is below 2²⁷. */
export const STEP_SHIFT = 5;
export const FIELD_SHIFT = 2;
export const FIELD_MASK = 7;
/** The largest count that needs no byte of its own. */
export const MAX_SMALL_COUNT = 3;

/** Maximum bytes of a count. */
export const MAX_COUNT_BYTES = 6;

/** Returns the bytes of a count whose key is `step` above the previous one. */
export function getCountBytes(step: number, count: number): number {
  return getCodeBytes(step << STEP_SHIFT) + (count > MAX_SMALL_COUNT ? 1 : 0);
}

/** Reads the varint at `at`: a step, a field, and a count or 0. */
export function readCode(bytes: Uint8Array, at: number): number {
  let byte = bytes[at]!;
  if (byte < 128) return byte;
  let code = byte & 127;
  for (let shift = 7; byte > 127; shift += 7) {
    byte = bytes[++at]!;
    code |= (byte & 127) << shift;
  }
  return code >>> 0;
}

/** Returns the bytes of a varint in its shortest form. */
export function getCodeBytes(code: number): number {
  if (code >>> 7 === 0) return 1;
  if (code >>> 14 === 0) return 2;
  if (code >>> 21 === 0) return 3;
  return code >>> 28 === 0 ? 4 : 5;
}

/**
 * Writes a count from 1 to 255, in a field from 0 to 7, whose key is `step` above the previous one.
 * @returns the end of the count
 */
export function writeCount(
  bytes: Uint8Array,
  at: number,
  step: number,
  field: number,
  count: number,
): number {
  let end = at;
  let left =
    ((step << STEP_SHIFT) | (field << FIELD_SHIFT) | (count > MAX_SMALL_COUNT ? 0 : count)) >>> 0;
  for (; left > 127; left >>>= 7) bytes[end++] = left | 128;
  bytes[end++] = left;
  if (count > MAX_SMALL_COUNT) bytes[end++] = count;
  return end;
}

/** Position of the term in an entry of `TermCounts`. */
const TERM_SHIFT = 11;
const ENTRY_FIELD_SHIFT = 8;

/** Packs the entries of a chunk, as in `TermCounts`, in order of term and field. */
export function packEntries(entries: Uint32Array): Uint8Array {
  const bytes = new Uint8Array(entries.length * MAX_COUNT_BYTES);
  let end = 0;
  let last = 0;
  const sorted = entries.toSorted();
  for (let i = 0; i < sorted.length; i++) {
    const entry = sorted[i]!;
    const term = entry >>> TERM_SHIFT;
    const field = (entry >>> ENTRY_FIELD_SHIFT) & FIELD_MASK;
    end = writeCount(bytes, end, term - last, field, entry & 255);
    last = term;
  }
  return bytes.slice(0, end);
}

/** Returns the entries that `packEntries` packed, in order of term and field. */
export function unpackEntries(bytes: Uint8Array): Uint32Array {
  const entries: number[] = [];
  for (const counts = new CountReader(bytes, 0, bytes.length); counts.next(); )
    entries.push((counts.key << TERM_SHIFT) | (counts.field << ENTRY_FIELD_SHIFT) | counts.count);
  return Uint32Array.from(entries);
}

/** Reads the counts in `bytes[at, end)` in order. */
export class CountReader {
  /** Key, field and count that `next` read last. */
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

  /** Reads the next count; returns false at the end. */
  next(): boolean {
    let at = this.#at;
    if (at >= this.#end) return false;
    const bytes = this.#bytes;
    const code = readCode(bytes, at);
    at += getCodeBytes(code);
    this.count = code & MAX_SMALL_COUNT || bytes[at++]!;
    this.field = (code >>> FIELD_SHIFT) & FIELD_MASK;
    this.key += code >>> STEP_SHIFT;
    this.#at = at;
    return true;
  }
}
