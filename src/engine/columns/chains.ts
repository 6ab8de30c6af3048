import { enlarge } from './enlarge.ts';

/**
 * Linked lists in typed arrays. Owners and items are integers from 0. Each owner has one list, and an item is in at most one
 * list.
 */
export class Chains {
  /** By owner: 1 + its first item, or 0. */
  #first: Uint32Array;
  /** By owner: 1 + its last item, or 0. */
  #last: Uint32Array;
  /** By item: 1 + the next item of its list, or 0. */
  #next: Uint32Array;

  /**
   * @param owners initial capacity for owners; it grows as needed
   * @param items initial capacity for items
   */
  constructor(owners = 1024, items = 1024) {
    this.#first = new Uint32Array(owners);
    this.#last = new Uint32Array(owners);
    this.#next = new Uint32Array(items);
  }

  /** Returns the first item of an owner's list; -1 if it is empty. */
  first(owner: number): number {
    return (this.#first[owner] ?? 0) - 1;
  }

  /** Returns the item after this one; -1 if it is the last. */
  next(item: number): number {
    return (this.#next[item] ?? 0) - 1;
  }

  /** Adds an item, which must not be in a list, at the end of an owner's list. */
  append(owner: number, item: number): void {
    if (owner >= this.#first.length) {
      this.#first = enlarge(this.#first, owner + 1);
      this.#last = enlarge(this.#last, owner + 1);
    }
    if (item >= this.#next.length) this.#next = enlarge(this.#next, item + 1);
    this.#next[item] = 0;
    const last = this.#last[owner] ?? 0;
    if (last === 0) this.#first[owner] = item + 1;
    else this.#next[last - 1] = item + 1;
    this.#last[owner] = item + 1;
  }

  /** Removes an item from its owner's list. Its `next` stays valid until it is added again. */
  remove(owner: number, item: number): void {
    let before = -1;
    for (let at = this.first(owner); at !== item; at = this.next(at)) before = at;
    const next = this.next(item) + 1;
    if (before < 0) this.#first[owner] = next;
    else this.#next[before] = next;
    if (next === 0) this.#last[owner] = before + 1;
  }
}
