import type { Match } from './grammar.ts';

/** Nodes that lie in each other, such as blocks, by their number: that of an outer one is less. */
export class Extents {
  readonly #starts: readonly number[];
  readonly #ends: readonly number[];
  readonly #parents: number[] = [];

  /** Of the captures `node`. */
  constructor(matches: readonly Match[]) {
    const nodes = matches.map((match) => match.get('node'));
    nodes.sort((a, b) => a.startIndex - b.startIndex || b.endIndex - a.endIndex);
    this.#starts = nodes.map(({ startIndex }) => startIndex);
    this.#ends = nodes.map(({ endIndex }) => endIndex);
    for (const start of this.#starts) this.#parents.push(this.#up(this.#parents.length - 1, start));
  }

  /** The innermost one around an index of the text; -1 outside of all. */
  around(at: number): number {
    let [low, high] = [0, this.#starts.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.#starts[middle] ?? 0) <= at) low = middle + 1;
      else high = middle;
    }
    return this.#up(low - 1, at);
  }

  /** Whether an index of the text lies in one; all do in -1. */
  holds(extent: number, at: number): boolean {
    return (
      (this.#starts[extent] ?? 0) <= at && at < (this.#ends[extent] ?? Number.POSITIVE_INFINITY)
    );
  }

  /** The first of one and those around it that ends behind an index. */
  #up(from: number, at: number): number {
    let extent = from;
    while (extent >= 0 && (this.#ends[extent] ?? 0) <= at) extent = this.#parents[extent] ?? -1;
    return extent;
  }
}
