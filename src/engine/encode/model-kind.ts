import { assertPresent } from '../../shared/assert-present.ts';
import type { ModelFiles } from './model-files.ts';
import type { EncoderRow, InputMaker } from './types.ts';

/** Input tensors of a model by name, row by row: `BigInt64Array` for int64, `Float32Array` for float32. */
export type Tensors = Record<string, BigInt64Array | Float32Array>;

/** Embeds rows of tokens. Returns a vector of `dimensions` numbers for each, of length 1, or 0 for a row without tokens. */
export type Embed = (rows: readonly EncoderRow[]) => Float32Array<ArrayBuffer>;

/** Output of a model in ONNX Runtime. */
export interface ModelOutput {
  data: Float32Array;
  dims: readonly number[];
}

/** A kind of model; each has a file under `kinds/`, and one with the schema of its manifest. */
export interface ModelKind<Manifest = Record<string, unknown>> {
  createInputs(files: ModelFiles, model: Manifest): Promise<InputMaker>;
  /** True if a GPU can be faster than the CPU. */
  readonly benefitsFromGpu: boolean;
  /** Number of threads for one run on the CPU; 0 for one per core. */
  readonly threads: number;
  /** Maximum number of tokens, padding included, for one run on the CPU. */
  readonly batchTokens: number;
  /** Returns, by name, the model's constants that are generated instead of stored in its file. */
  generateConstants?(model: Manifest, dimensions: number): Record<string, Int8Array<ArrayBuffer>>;
  /** Opens a model on the CPU without onnxruntime; null if its graph is not supported. */
  openDirectly?(
    files: ModelFiles,
    name: string,
    model: Manifest,
    dimensions: number,
  ): Promise<Embed | null>;
  /** True if the model need not have all inputs that `tensors` returns. */
  readonly skipsUnknownInputs?: boolean;
  /** True if the model returns a score for each row instead of a vector of length 1. */
  readonly isScore?: boolean;
  /**
   * Turns an output into the numbers of each row; by default the output has them.
   * @throws Error if the shape of the output does not fit
   */
  readOutput?(
    model: Manifest,
    output: ModelOutput,
    rows: readonly EncoderRow[],
    dimensions: number,
  ): Float32Array<ArrayBuffer>;
  /** Returns the model's input tensors, of shape `[rows, length]`, for rows of at most `length` tokens. */
  tensors(rows: readonly EncoderRow[], length: number): Tensors;
}

/** Returns numbers of each row as int64, padded with 0. They must not be negative: the upper half of each stays 0. */
export function padInt64(
  rows: readonly EncoderRow[],
  length: number,
  numbers: (row: EncoderRow) => Int32Array,
): BigInt64Array {
  const padded = new BigInt64Array(rows.length * length);
  // Converting every number to a BigInt would take longer than running a bag model.
  const halves = new Int32Array(padded.buffer);
  rows.forEach((row, i) => {
    const values = numbers(row);
    for (let j = 0; j < values.length; j++) {
      halves[2 * (i * length + j)] = assertPresent(values[j], 'a number of the row');
    }
  });
  return padded;
}
