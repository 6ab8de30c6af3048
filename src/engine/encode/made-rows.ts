/**
 * Rows of a model's vectors that a rule makes, so that no file has to hold them: those of buckets, which are random and
 * learn nothing. `made_rows` of `lab/encoder/runs.py` makes the same.
 */

/** Numbers of a row that one hash decides about. */
const BITS = 32;

/**
 * Rows of `value` and `-value`: by the bits, lowest first, of a hash of their place, lowbias32 (Wellons, Prospecting for
 * Hash Functions, 2018). Any two are as good as at right angles to each other.
 */
export class MadeRows {
  readonly #blocks: number;
  readonly #quarters: Uint32Array;

  /**
   * @param dimensions a multiple of 32
   * @param value 1 to 127
   */
  constructor(dimensions: number, value: number) {
    this.#blocks = dimensions / BITS;
    this.#quarters = quartersOf(value);
  }

  /** Writes the numbers of a row, four to a number of `into` from `at` on. */
  write(row: number, into: Uint32Array, at = 0): void {
    let to = at;
    for (let block = 1; block <= this.#blocks; block++) {
      const hash = lowbias32(row * this.#blocks + block);
      for (let shift = 0; shift < BITS; shift += 4)
        into[to++] = this.#quarters[(hash >>> shift) & 15] ?? 0;
    }
  }
}

/** The first rows, one after the other: `rows × dimensions` numbers. */
export function madeRows(rows: number, dimensions: number, value: number): Int8Array<ArrayBuffer> {
  const numbers = dimensions / Uint32Array.BYTES_PER_ELEMENT;
  const made = new Uint32Array(rows * numbers);
  const maker = new MadeRows(dimensions, value);
  for (let row = 0; row < rows; row++) maker.write(row, made, row * numbers);
  return new Int8Array(made.buffer);
}

/** For each four bits the four numbers that they stand for, in the order of the processor's bytes. */
function quartersOf(value: number): Uint32Array {
  const numbers = Int8Array.from({ length: 16 * 4 }, (_, i) =>
    ((i >> 2) >> (i & 3)) & 1 ? value : -value,
  );
  return new Uint32Array(numbers.buffer);
}

function lowbias32(place: number): number {
  let x = place;
  x = Math.imul(x ^ (x >>> 16), 0x7feb352d);
  x = Math.imul(x ^ (x >>> 15), 0x846ca68b);
  return (x ^ (x >>> 16)) >>> 0;
}
