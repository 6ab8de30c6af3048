import { enlarge } from '../../columns/enlarge.ts';

const INITIAL_LENGTH = 64;
/** Slots per hash that fits, so that a search ends after few steps. */
const SPARSENESS = 4;

/**
 * Counts 32-bit hashes, in order of first occurrence. A `Map` would make an object of each hash above 2^31, and of each of its
 * entries. The memory is used again after `clear`.
 */
export class HashCounter {
  size = 0;
  #hashes = new Uint32Array(INITIAL_LENGTH);
  #counts = new Uint32Array(INITIAL_LENGTH);
  /** Slot of each hash. */
  #places = new Uint32Array(INITIAL_LENGTH);
  /** Position of a hash + 1; 0 is an empty slot. */
  #slots = new Uint32Array(SPARSENESS * INITIAL_LENGTH);

  /** @param hash unsigned */
  add(hash: number): void {
    const mask = this.#slots.length - 1;
    let slot = hash & mask;
    for (let at = this.#slots[slot]!; at !== 0; at = this.#slots[slot]!) {
      if (this.#hashes[at - 1] === hash) {
        this.#counts[at - 1]!++;
        return;
      }
      slot = (slot + 1) & mask;
    }
    if (this.size === this.#hashes.length) {
      this.#grow();
      this.add(hash);
      return;
    }
    this.#hashes[this.size] = hash;
    this.#counts[this.size] = 1;
    this.#places[this.size] = slot;
    this.#slots[slot] = ++this.size;
  }

  /** Returns a hash by its position in the order of first occurrence. */
  getHash(position: number): number {
    return this.#hashes[position]!;
  }

  getCount(position: number): number {
    return this.#counts[position]!;
  }

  clear(): void {
    for (let i = 0; i < this.size; i++) this.#slots[this.#places[i]!] = 0;
    this.size = 0;
  }

  #grow(): void {
    const length = 2 * this.#hashes.length;
    this.#hashes = enlarge(this.#hashes, length);
    this.#counts = enlarge(this.#counts, length);
    this.#places = enlarge(this.#places, length);
    this.#slots = new Uint32Array(SPARSENESS * length);
    const mask = this.#slots.length - 1;
    for (let i = 0; i < this.size; i++) {
      let slot = this.#hashes[i]! & mask;
      while (this.#slots[slot] !== 0) slot = (slot + 1) & mask;
      this.#slots[slot] = i + 1;
      this.#places[i] = slot;
    }
  }
}
