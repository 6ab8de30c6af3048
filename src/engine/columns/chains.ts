import { enlarged } from './growing.ts';

/** Chains of items, whole numbers from 0, in typed arrays. Each owner, a whole number too, has one; an item is in one at most. */
export class Chains {
  /** By owner: 1 + its first and its last item, or 0. */
  #first: Uint32Array;
  #last: Uint32Array;
  /** By item: 1 + the next one of its chain, or 0. */
  #next: Uint32Array;

  /** There is room at first for these; more is made as it is needed. */
  constructor(owners = 1024, items = 1024) {
    this.#first = new Uint32Array(owners);
    this.#last = new Uint32Array(owners);
    this.#next = new Uint32Array(items);
  }

  /** The first item of an owner's chain; -1 for none. */
  first(owner: number): number {
    return (this.#first[owner] ?? 0) - 1;
  }

  /** The item behind this one; -1 for none. */
  next(item: number): number {
    return (this.#next[item] ?? 0) - 1;
  }

  /** Puts an item, which is in no chain, at the end of its owner's. */
  append(owner: number, item: number): void {
    if (owner >= this.#first.length) {
      this.#first = enlarged(this.#first, owner + 1);
      this.#last = enlarged(this.#last, owner + 1);
    }
    if (item >= this.#next.length) this.#next = enlarged(this.#next, item + 1);
    this.#next[item] = 0;
    const last = this.#last[owner] ?? 0;
    if (last === 0) this.#first[owner] = item + 1;
    else this.#next[last - 1] = item + 1;
    this.#last[owner] = item + 1;
  }

  /** Takes an item out of its owner's chain; its `next` stays until it is in another. */
  remove(owner: number, item: number): void {
    let before = -1;
    for (let at = this.first(owner); at !== item; at = this.next(at)) before = at;
    const next = this.next(item) + 1;
    if (before < 0) this.#first[owner] = next;
    else this.#next[before] = next;
    if (next === 0) this.#last[owner] = before + 1;
  }
}
