/**
 * Dot products of one vector with many, 8 numbers at a time, as a WebAssembly function that is put together
 * byte by byte (`wasm.ts`). Its inner loop has eight steps: the first search, before V8 has optimised it, takes half so. The
 * query has 16 bits a number, the rows eight, which are made 16 as they are loaded. By
 * `lab/bench/vectors.ts` it takes a tenth of the time of a JavaScript loop over floats, and less than half that of usearch's
 * `exactSearch`, which reads four times the memory and sorts.
 *
 * The function, in WebAssembly's own words but infix:
 *
 *     loop                                        one row
 *       sums := (0, 0, 0, 0);  at := query
 *       loop                                      eight times 8 numbers of it
 *         sums += dot(widened(row), load(at)) + dot(widened(row + 8), load(at + 16)) + …
 *         row += 64;  at += 128
 *       until at = queryEnd
 *       store(out, float(sums[0] + sums[1] + sums[2] + sums[3]));  out += 4
 *       row += gap
 *     until row = rowsEnd
 */

import {
  advance,
  get,
  I32,
  kernelIn,
  load,
  loadWidened,
  loop,
  REPEAT_IF_DIFFERENT,
  type SharedMemory,
  set,
  tee,
  V128,
} from './wasm.ts';

/** So many numbers of a row are read at once: the query's bytes are a multiple of twice as many. */
export const ROW_ALIGNMENT = 64;

/**
 * Writes the dot product of the query with each row in `[rows, rowsEnd)` to `out`, as float32, in steps of both.
 * All are byte offsets in the memory; `rows < rowsEnd`. Half as many bytes as the query has are read of a row, and the next one
 * begins `gap` bytes behind them, or before their end where that is negative.
 */
export type DotKernel = (
  query: number,
  queryEnd: number,
  rows: number,
  rowsEnd: number,
  out: number,
  gap: number,
) => void;

/** The kernel of a thread, in a memory that others may have too. */
export function dotKernelIn(memory: SharedMemory): DotKernel {
  return kernelIn([I32, I32, I32, I32, I32, I32], [I32, V128], BODY, memory);
}

// Local variables: the parameters, then these two.
const [QUERY, QUERY_END, ROW, ROWS_END, OUT, GAP, AT, SUMS] = [0, 1, 2, 3, 4, 5, 6, 7];

const ZEROS = [0xfd, 12, ...new Array(16).fill(0)];
const lane = (index: number) => [...get(SUMS), 0xfd, 27, index];
const ADD_LANES = [0xfd, 0xae, 0x01];
const DOT_LANES = [0xfd, 0xba, 0x01];
const ADD = [0x6a];
const TO_FLOAT = [0xb2];
const STORE_FLOAT = [0x38, 2, 0];

const eightProducts = (place: number) => [
  ...loadWidened(ROW, 8 * place),
  ...load(AT, 16 * place),
  ...DOT_LANES,
  ...ADD_LANES,
];

const BODY = loop(
  ZEROS,
  set(SUMS),
  get(QUERY),
  set(AT),
  loop(
    get(SUMS),
    ...Array.from({ length: ROW_ALIGNMENT / 8 }, (_, place) => eightProducts(place)),
    set(SUMS),
    advance(ROW, ROW_ALIGNMENT),
    set(ROW),
    advance(AT, 2 * ROW_ALIGNMENT),
    tee(AT),
    get(QUERY_END),
    REPEAT_IF_DIFFERENT,
  ),
  get(OUT),
  [...lane(0), ...lane(1), ...ADD, ...lane(2), ...ADD, ...lane(3), ...ADD],
  [...TO_FLOAT, ...STORE_FLOAT],
  advance(OUT, 4),
  set(OUT),
  [...get(ROW), ...get(GAP), ...ADD],
  tee(ROW),
  get(ROWS_END),
  REPEAT_IF_DIFFERENT,
);
