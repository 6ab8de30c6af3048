import type { z } from 'zod';
import { present } from '../../shared/present.ts';
import type { ModelFiles } from './model-files.ts';
import type { EncoderRow, InputMaker } from './types.ts';

/** Model inputs by name, row after row: `BigInt64Array` for int64 tensors, `Float32Array` for float32. */
export type Tensors = Record<string, BigInt64Array | Float32Array>;

/** Embeds rows of tokens: `dimensions` numbers each, of length 1, or 0 for a row without tokens. */
export type Embed = (rows: readonly EncoderRow[]) => Float32Array<ArrayBuffer>;

/** What the engine knows of a kind of model; one file each under `kinds/`. */
export interface ModelKind<Schema extends z.ZodObject = z.ZodObject> {
  readonly manifest: Schema;
  createInputs(files: ModelFiles, model: z.infer<Schema>): Promise<InputMaker>;
  /** Whether a GPU can be faster than the CPU. */
  readonly gainsFromGpu: boolean;
  /** Threads that one run uses on the CPU; 0: as many as there are cores. */
  readonly threads: number;
  /** Tokens, padding included, that one run takes on a CPU. */
  readonly batchTokens: number;
  /** Constants of the model that its file lacks, by name: what a rule makes need not be kept. */
  given?(model: z.infer<Schema>, dimensions: number): Record<string, Int8Array<ArrayBuffer>>;
  /** Opens a model on the CPU without onnxruntime; null for a file whose function it does not know. */
  embedHere?(
    files: ModelFiles,
    name: string,
    model: z.infer<Schema>,
    dimensions: number,
  ): Promise<Embed | null>;
  /** Rows of at most `length` tokens as the model's input tensors, `[rows, length]`. */
  tensors(rows: readonly EncoderRow[], length: number): Tensors;
}

/** Numbers of each row, padded with 0, as int64. They are not negative, so each one's upper half is 0. */
export function padInt64(
  rows: readonly EncoderRow[],
  length: number,
  numbers: (row: EncoderRow) => Int32Array,
): BigInt64Array {
  const padded = new BigInt64Array(rows.length * length);
  // Making a BigInt of every number would take longer than running a bag model on it.
  const halves = new Int32Array(padded.buffer);
  rows.forEach((row, i) => {
    const values = numbers(row);
    for (let j = 0; j < values.length; j++) {
      halves[2 * (i * length + j)] = present(values[j], 'a number of the row');
    }
  });
  return padded;
}
