/**
 * Runs a bag model on the CPU without onnxruntime: it looks up vectors, weighs them and adds them. This takes a tenth of
 * onnxruntime's memory, and generates the vectors of buckets only when they are needed.
 */

import { GeneratedRows } from '../generated-rows.ts';
import type { ModelFiles } from '../model-files.ts';
import type { Embed } from '../model-kind.ts';
import { FLOAT, INT8, INT64, type OnnxConstant, type OnnxFile, readOnnx } from '../onnx-file.ts';
import { createSumKernel, SUM_ALIGNMENT, type SumKernel } from '../sum-kernel.ts';
import type { EncoderRow } from '../types.ts';

/** Operators of the graph that `graph` in `lab/encoder/export.py` writes. Any other graph is a different function. */
const OPERATORS =
  'Concat Mul Add Gather Mul Mod Unsqueeze Equal Mul Unsqueeze Where ReduceSum Max Pow GatherElements Mul Unsqueeze Gather Cast MatMul Squeeze LpNormalization';

const PAGE = 1 << 16;
const FLOAT_BYTES = Float32Array.BYTES_PER_ELEMENT;

/** Generated rows, which the file does not store. They are between the first and the last rows of the table. */
interface GeneratedTable {
  rows: number;
  value: number;
}

/** Opens a model; null if its graph is a different one. @throws LocusError `bad-model`; RangeError without enough memory */
export async function openBagSum(
  files: ModelFiles,
  name: string,
  dimensions: number,
  generated: GeneratedTable | undefined,
): Promise<Embed | null> {
  const { memory, add } = createSumKernel();
  const scratch = dimensions * (1 + FLOAT_BYTES);
  const file = await files.readOnnx(name, (size) => makeRoom(memory, scratch, size));
  const parts = readParts(file, dimensions, generated?.rows ?? 0);
  if (!parts || dimensions % SUM_ALIGNMENT !== 0) return null;
  const sum = new BagSum(memory.buffer, add, dimensions, parts, generated);
  return (rows) => sum.embed(rows);
}

/** Returns `size` bytes of the kernel's memory after its first `offset` bytes. Grows the memory if necessary. */
function makeRoom(
  memory: ReturnType<typeof createSumKernel>['memory'],
  offset: number,
  size: number,
): Uint8Array<ArrayBuffer> {
  const missing = offset + size - memory.buffer.byteLength;
  if (missing > 0) memory.grow(Math.ceil(missing / PAGE));
  return new Uint8Array(memory.buffer, offset, size);
}

/** Constants of a model. The table of vectors has those of words first, then generated ones, then those of marks. */
interface ModelParts {
  /** Offset of the vectors of words in the memory. */
  vectors: number;
  vectorCount: number;
  /** Offset of the vectors of marks in the memory. */
  marks: number;
  /** Weights by type and token. */
  weights: Float32Array;
  /** Number of tokens. */
  tokens: number;
  /** Number of token types after which the types of issues start at 0 again. */
  fields: number;
  /** Lower bound of a field's sum of squares. */
  shortest: number;
  /** Exponent that turns a field's sum of squares into its scale. */
  power: number;
}

function readParts(
  file: Uint8Array<ArrayBuffer>,
  dimensions: number,
  generatedRows: number,
): ModelParts | null {
  let read: OnnxFile | null = null;
  try {
    read = readOnnx(file);
  } catch {
    // onnxruntime will report the problem.
  }
  if (read?.operators.join(' ') !== OPERATORS) return null;
  const { constants } = read;
  const getConstant = (name: string, type: number): OnnxConstant | null => {
    const found = constants.get(name);
    return found?.type === type ? found : null;
  };
  const getNumber = (name: string, type: number) =>
    readNumbers(getConstant(name, type))[0] ?? Number.NaN;
  const vectors = getConstant('vectors', INT8);
  const marks = getConstant('marks', INT8);
  const weights = readNumbers(getConstant('weights', FLOAT));
  const tokens = getNumber('tokens', INT64);
  if (!vectors || !marks) return null;
  const rows = (vectors.bytes.length + marks.bytes.length) / dimensions + generatedRows;
  if (rows !== tokens || weights.length % tokens !== 0) return null;
  return {
    vectors: vectors.bytes.byteOffset,
    vectorCount: vectors.bytes.length / dimensions,
    marks: marks.bytes.byteOffset,
    ...{ weights, tokens },
    fields: getNumber('many', INT64),
    shortest: getNumber('shortest', FLOAT),
    power: getNumber('power', FLOAT),
  };
}

/** Returns a constant's numbers, float32 or int64, copied so that they are aligned. */
function readNumbers(constant: OnnxConstant | null): Float32Array {
  const { buffer } = constant?.bytes.slice() ?? new Uint8Array();
  if (constant?.type !== INT64) return new Float32Array(buffer);
  return Float32Array.from(new BigInt64Array(buffer), Number);
}

class BagSum {
  readonly #add: SumKernel;
  readonly #dimensions: number;
  readonly #parts: ModelParts;
  readonly #generatedCount: number;
  readonly #generated: GeneratedRows;
  /** The current generated row, at the start of the memory. */
  readonly #row: Uint32Array;
  /** The sum, after that row in the memory. */
  readonly #sum: Float32Array;
  readonly #squares: Float64Array;

  constructor(
    memory: ArrayBuffer,
    add: SumKernel,
    dimensions: number,
    parts: ModelParts,
    generated: GeneratedTable | undefined,
  ) {
    this.#add = add;
    this.#dimensions = dimensions;
    this.#parts = parts;
    this.#generatedCount = generated?.rows ?? 0;
    this.#generated = new GeneratedRows(dimensions, generated?.value ?? 1);
    this.#row = new Uint32Array(memory, 0, dimensions / Uint32Array.BYTES_PER_ELEMENT);
    this.#sum = new Float32Array(memory, dimensions, dimensions);
    this.#squares = new Float64Array(parts.fields);
  }

  embed(rows: readonly EncoderRow[]): Float32Array<ArrayBuffer> {
    const embeddings = new Float32Array(rows.length * this.#dimensions);
    for (const [i, row] of rows.entries()) {
      this.#sum.fill(0);
      this.#addRow(row);
      embeddings.set(normalize(this.#sum), i * this.#dimensions);
    }
    return embeddings;
  }

  #addRow(row: EncoderRow): void {
    const { fields, shortest, power } = this.#parts;
    const weights = this.#computeWeights(row);
    const types = row.tokenTypeIds;
    const squares = this.#squares.fill(0);
    for (let i = 0; i < weights.length; i++) squares[types[i]! % fields]! += weights[i]! ** 2;
    const scales = squares.map((sum) => Math.max(sum, shortest) ** power);
    for (let i = 0; i < weights.length; i++) {
      const at = this.#locateVector(row.inputIds[i]!);
      const scale = scales[types[i]! % fields]!;
      this.#add(at, at + this.#dimensions, this.#dimensions, weights[i]! * scale);
    }
  }

  /** Returns the weight of each token: its learned weight times its weight in the row. */
  #computeWeights({ inputIds, tokenTypeIds, tokenWeights }: EncoderRow): Float64Array {
    const { weights: learned, tokens } = this.#parts;
    const weights = new Float64Array(inputIds.length);
    for (let i = 0; i < weights.length; i++)
      weights[i] = learned[tokenTypeIds[i]! * tokens + inputIds[i]!]! * (tokenWeights?.[i] ?? 1);
    return weights;
  }

  /** Returns the offset of a token's vector in the memory. A generated vector is first written there. */
  #locateVector(token: number): number {
    const { vectors, vectorCount, marks } = this.#parts;
    if (token < vectorCount) return vectors + token * this.#dimensions;
    const row = token - vectorCount;
    if (row >= this.#generatedCount) return marks + (row - this.#generatedCount) * this.#dimensions;
    this.#generated.write(row, this.#row);
    return 0;
  }
}

/** Scales a vector to length 1, in place. A vector of length 0 stays as it is. */
function normalize(sum: Float32Array): Float32Array {
  let square = 0;
  for (const value of sum) square += value * value;
  const length = Math.sqrt(square);
  if (length > 0) for (let i = 0; i < sum.length; i++) sum[i] = (sum[i] ?? 0) / length;
  return sum;
}
