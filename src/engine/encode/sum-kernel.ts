/**
 * A WebAssembly function that computes a weighted sum of int8 rows, 8 numbers at a time. In pseudocode with WebAssembly's
 * operations:
 *
 *     weights := (weight, weight, weight, weight)
 *     loop                                        8 numbers of the row
 *       eight := load(row), 8 bits a number widened to 16
 *       store(sum,      load(sum)      + weights * float(low half of eight))
 *       store(sum + 16, load(sum + 16) + weights * float(high half of eight))
 *       row += 8;  sum += 32
 *     until row = rowEnd
 */
import {
  advance,
  createKernel,
  F32,
  get,
  I32,
  type KernelMemory,
  load,
  loop,
  REPEAT_IF_DIFFERENT,
  set,
  tee,
  V128,
} from '../vectors/wasm.ts';

/** The number of bytes of a row must be a multiple of this. */
export const SUM_ALIGNMENT = 8;

/**
 * Adds `weight` times the int8 numbers in `[row, rowEnd)` to the float32 numbers at `sum`. `row`, `rowEnd` and `sum` are
 * byte offsets in the memory; `row < rowEnd`.
 */
export type SumKernel = (row: number, rowEnd: number, sum: number, weight: number) => void;

export function createSumKernel(): { memory: KernelMemory; add: SumKernel } {
  const { memory, kernel } = createKernel<SumKernel>([I32, I32, I32, F32], [V128, V128], BODY);
  return { memory, add: kernel };
}

// Indices of local variables: the parameters, then two more.
const [ROW, ROW_END, SUM, WEIGHT, WEIGHTS, EIGHT] = [0, 1, 2, 3, 4, 5];

const SPLAT = [0xfd, 0x13];
const LOAD_WIDENED = [0xfd, 0x01, 3, 0];
const LOW_HALF = [0xfd, 0xa7, 0x01];
const HIGH_HALF = [0xfd, 0xa8, 0x01];
const TO_FLOATS = [0xfd, 0xfa, 0x01];
const ADD_FLOATS = [0xfd, 0xe4, 0x01];
const MULTIPLY_FLOATS = [0xfd, 0xe6, 0x01];
const store = (offset: number) => [0xfd, 11, 4, offset];

const addHalf = (half: number[], offset: number) => [
  ...get(SUM),
  ...load(SUM, offset),
  ...get(WEIGHTS),
  ...get(EIGHT),
  ...half,
  ...TO_FLOATS,
  ...MULTIPLY_FLOATS,
  ...ADD_FLOATS,
  ...store(offset),
];

const BODY = [
  ...get(WEIGHT),
  ...SPLAT,
  ...set(WEIGHTS),
  ...loop(
    get(ROW),
    LOAD_WIDENED,
    set(EIGHT),
    addHalf(LOW_HALF, 0),
    addHalf(HIGH_HALF, 16),
    advance(SUM, 32),
    set(SUM),
    advance(ROW, SUM_ALIGNMENT),
    tee(ROW),
    get(ROW_END),
    REPEAT_IF_DIFFERENT,
  ),
];
