/**
 * Dot products of one vector with many, 8 numbers at a time, as a WebAssembly function that is put
 * together here byte by byte: JavaScript has no SIMD of its own, and this is too little code for a
 * compiler. By `lab/bench/vectors.ts` it takes a seventh of the time of a JavaScript loop over floats, and
 * half that of usearch's `exactSearch`, which reads twice the memory and sorts.
 *
 * The function, in WebAssembly's own words but infix:
 *
 *     loop                                        one row
 *       sums := (0, 0, 0, 0);  at := query
 *       loop                                      two times 8 numbers of it
 *         sums += dot(load(row), load(at)) + dot(load(row + 16), load(at + 16))
 *         row += 32;  at += 32
 *       until at = queryEnd
 *       store(out, float(sums[0] + sums[1] + sums[2] + sums[3]) * 1/SCALE²);  out += 4
 *     until row = rowsEnd
 */

import { SCALE } from './fixed-point.ts';

/** A row's bytes are a multiple of this. */
export const ROW_ALIGNMENT = 32;

/**
 * Writes the dot product of the row at `query` with each row in `[rows, rowsEnd)` to `out`, as float32.
 * All are byte offsets in the memory; `[query, queryEnd)` has the length of a row; `rows < rowsEnd`.
 */
export type DotKernel = (
  query: number,
  queryEnd: number,
  rows: number,
  rowsEnd: number,
  out: number,
) => void;

/** Memory that a kernel reads and writes. Growing it by pages of 64 KiB gives it a new `buffer`. */
export interface KernelMemory {
  readonly buffer: ArrayBuffer;
  grow(pages: number): number;
}

/** What is used of WebAssembly's API here; TypeScript has its types only together with the DOM's. */
declare const WebAssembly: {
  Memory: new (limits: { initial: number }) => KernelMemory;
  Module: new (bytes: Uint8Array<ArrayBuffer>) => object;
  Instance: new (module: object, imports: object) => { exports: { dots: DotKernel } };
};

/** The kernel with a memory of its own. */
export function createDotKernel(): { memory: KernelMemory; dots: DotKernel } {
  const memory = new WebAssembly.Memory({ initial: 1 });
  const module = new WebAssembly.Module(moduleBytes());
  const instance = new WebAssembly.Instance(module, { host: { memory } });
  return { memory, dots: instance.exports.dots };
}

// Local variables: the parameters, then these two.
const [QUERY, QUERY_END, ROW, ROWS_END, OUT, AT, SUMS] = [0, 1, 2, 3, 4, 5, 6];
const I32 = 0x7f;
const V128 = 0x7b;

// Instructions (WebAssembly core specification 2.0, chapter 5.4). All their numbers here are below
// 128, so that one byte holds each; SIMD instructions have the prefix 0xfd.
const END = 0x0b;
const get = (local: number) => [0x20, local];
const set = (local: number) => [0x21, local];
const tee = (local: number) => [0x22, local];
const advance = (local: number, bytes: number) => [...get(local), 0x41, bytes, 0x6a];
const loop = (...body: number[][]) => [0x03, 0x40, ...body.flat(), END];
/** Repeats the innermost loop while the two i32 on the stack differ. */
const REPEAT_IF_DIFFERENT = [0x47, 0x0d, 0];
const load = (local: number, offset: number) => [...get(local), 0xfd, 0, 4, offset];
const ZEROS = [0xfd, 12, ...new Array(16).fill(0)];
const lane = (index: number) => [...get(SUMS), 0xfd, 27, index];
const ADD_LANES = [0xfd, 0xae, 0x01];
const DOT_LANES = [0xfd, 0xba, 0x01];
const ADD = [0x6a];
const TO_FLOAT = [0xb2];
const MULTIPLY = [0x94];
const float = (value: number) => [0x43, ...new Uint8Array(new Float32Array([value]).buffer)];
const STORE_FLOAT = [0x38, 2, 0];

const eightProducts = (offset: number) => [
  ...load(ROW, offset),
  ...load(AT, offset),
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
    eightProducts(0),
    eightProducts(16),
    set(SUMS),
    advance(ROW, ROW_ALIGNMENT),
    set(ROW),
    advance(AT, ROW_ALIGNMENT),
    tee(AT),
    get(QUERY_END),
    REPEAT_IF_DIFFERENT,
  ),
  get(OUT),
  [...lane(0), ...lane(1), ...ADD, ...lane(2), ...ADD, ...lane(3), ...ADD],
  [...TO_FLOAT, ...float(1 / SCALE ** 2), ...MULTIPLY, ...STORE_FLOAT],
  advance(OUT, 4),
  set(OUT),
  get(ROW),
  get(ROWS_END),
  REPEAT_IF_DIFFERENT,
);

/** The module: imports `host.memory`, exports the function as `dots`. */
function moduleBytes(): Uint8Array<ArrayBuffer> {
  const code = [2, 1, I32, 1, V128, ...BODY, END];
  return Uint8Array.from([
    ...[0x00, 0x61, 0x73, 0x6d, 1, 0, 0, 0],
    ...section(1, [1, 0x60, 5, I32, I32, I32, I32, I32, 0]), // types: (5 times i32) -> ()
    ...section(2, [1, ...text('host'), ...text('memory'), 0x02, 0x00, 1]),
    ...section(3, [1, 0]), // one function, of type 0
    ...section(7, [1, ...text('dots'), 0x00, 0]),
    ...section(10, [1, ...size(code.length), ...code]),
  ]);
}

function section(id: number, content: number[]): number[] {
  return [id, ...size(content.length), ...content];
}

function text(name: string): number[] {
  return [name.length, ...new TextEncoder().encode(name)];
}

/** An unsigned number below 2^14 in LEB128. */
function size(value: number): number[] {
  return value < 128 ? [value] : [(value & 127) | 128, value >> 7];
}
