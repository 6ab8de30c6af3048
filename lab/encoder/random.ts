/** Random choices that depend only on a name, so that the same data gives the same rows everywhere. */
import { crc32 } from 'node:zlib';
import { assertPresent } from '../../src/shared/assert-present.ts';

export class Random {
  #state: number;

  constructor(name: string) {
    this.#state = crc32(name);
  }

  /** Returns a number in [0, 1), by mulberry32 (Ettinger, 2017). */
  next(): number {
    this.#state = (this.#state + 0x6d2b79f5) | 0;
    let x = Math.imul(this.#state ^ (this.#state >>> 15), this.#state | 1);
    x ^= x + Math.imul(x ^ (x >>> 7), x | 61);
    return ((x ^ (x >>> 14)) >>> 0) / 2 ** 32;
  }

  /** Returns true in that share of the calls. */
  chance(share: number): boolean {
    return this.next() < share;
  }

  /** Returns an integer from `low` to `high`, both included. */
  whole(low: number, high: number): number {
    return low + Math.floor(this.next() * (high - low + 1));
  }

  one<T>(items: readonly T[]): T {
    return assertPresent(items[this.whole(0, items.length - 1)], 'an item to choose');
  }

  /** Returns at most `count` different items, in random order. */
  some<T>(items: readonly T[], count: number): T[] {
    const left = [...items];
    const size = Math.min(count, left.length);
    return Array.from({ length: size }, (_, i) => {
      const at = this.whole(i, left.length - 1);
      const chosen = assertPresent(left[at], 'an item to choose');
      left[at] = assertPresent(left[i], 'an item to keep');
      return chosen;
    });
  }
}
