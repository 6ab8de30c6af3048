/**
 * Generates rows of a model's vectors, so that no file has to store them. They are the vectors of hash buckets, which are
 * random and not trained. `made_rows` in `lab/encoder/runs.py` generates the same rows.
 */

/** Number of values of a row that one hash determines. */
const BITS = 32;

/**
 * Generates rows of `value` and `-value`, chosen by the bits of a hash of their index, lowest first. The hash is lowbias32
 * (Wellons, Prospecting for Hash Functions, 2018). Any two rows are nearly orthogonal.
 */
export class GeneratedRows {
  readonly #blocks: number;
  readonly #quarters: Uint32Array;

  /**
   * @param dimensions a multiple of 32
   * @param value 1 to 127
   */
  constructor(dimensions: number, value: number) {
    this.#blocks = dimensions / BITS;
    this.#quarters = packQuarters(value);
  }

  /** Writes the numbers of a row to `into` from index `at`, four numbers to each element. */
  write(row: number, into: Uint32Array, at = 0): void {
    let to = at;
    for (let block = 1; block <= this.#blocks; block++) {
      const hash = lowbias32(row * this.#blocks + block);
      for (let shift = 0; shift < BITS; shift += 4)
        into[to++] = this.#quarters[(hash >>> shift) & 15] ?? 0;
    }
  }
}

/** Generates the first rows, one after the other: `rows × dimensions` numbers. */
export function generateRows(
  rows: number,
  dimensions: number,
  value: number,
): Int8Array<ArrayBuffer> {
  const rowLength = dimensions / Uint32Array.BYTES_PER_ELEMENT;
  const packed = new Uint32Array(rows * rowLength);
  const generator = new GeneratedRows(dimensions, value);
  for (let row = 0; row < rows; row++) generator.write(row, packed, row * rowLength);
  return new Int8Array(packed.buffer);
}

/** Returns, for each value of four bits, the four numbers that they mean, packed in the processor's byte order. */
function packQuarters(value: number): Uint32Array {
  const numbers = Int8Array.from({ length: 16 * 4 }, (_, i) =>
    ((i >> 2) >> (i & 3)) & 1 ? value : -value,
  );
  return new Uint32Array(numbers.buffer);
}

function lowbias32(index: number): number {
  let x = index;
  x = Math.imul(x ^ (x >>> 16), 0x7feb352d);
  x = Math.imul(x ^ (x >>> 15), 0x846ca68b);
  return (x ^ (x >>> 16)) >>> 0;
}
