import { KEY_BYTES } from './row-format.ts';

const FIRST_CAPACITY = 1_024;

/**
 * Which row has which key: open addressing with linear probing over two typed arrays, 28 bytes a row, where a `Map` of
 * strings takes a hundred. Keys are digests, so four of their bytes are hash enough.
 */
export class KeyTable {
  /** By row; zeroes where a row has no place here. */
  #keys = Buffer.alloc(0);
  /** Row + 1 by place; 0 is an empty place. Twice as many as rows, at least. */
  #places = new Int32Array(0);

  constructor() {
    this.#grow(FIRST_CAPACITY);
  }

  /** The row of this key; -1 for none. */
  find(key: Uint8Array): number {
    return (this.#places[this.#placeOf(key)] ?? 0) - 1;
  }

  /** Says that a row has this key; the first row of a key is the one that is found. */
  add(key: Uint8Array, row: number): void {
    if (row >= this.#keys.length / KEY_BYTES) this.#grow(2 * row);
    this.#keys.set(key, row * KEY_BYTES);
    const place = this.#placeOf(key);
    this.#places[place] ||= row + 1;
  }

  #placeOf(key: Uint8Array): number {
    const mask = this.#places.length - 1;
    const wanted = Buffer.from(key.buffer, key.byteOffset, KEY_BYTES);
    for (let place = wanted.readUInt32LE(0) & mask; ; place = (place + 1) & mask) {
      const row = (this.#places[place] ?? 0) - 1;
      if (row < 0 || this.#hasKey(row, wanted)) return place;
    }
  }

  #hasKey(row: number, key: Buffer): boolean {
    const at = row * KEY_BYTES;
    return this.#keys.compare(key, 0, KEY_BYTES, at, at + KEY_BYTES) === 0;
  }

  #grow(rows: number): void {
    const capacity = 2 ** Math.ceil(Math.log2(rows));
    const keys = Buffer.alloc(capacity * KEY_BYTES);
    keys.set(this.#keys);
    const known = this.#places.filter((row) => row > 0).sort();
    this.#keys = keys;
    this.#places = new Int32Array(2 * capacity);
    for (const row of known) {
      const at = (row - 1) * KEY_BYTES;
      this.#places[this.#placeOf(keys.subarray(at, at + KEY_BYTES))] = row;
    }
  }
}
