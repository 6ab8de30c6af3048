/**
 * Runs a bag model on the CPU without onnxruntime: it looks up vectors, weighs them and adds them. This takes a tenth of
 * onnxruntime's memory, and generates the vectors of buckets only when they are needed.
 */

import { enlarge } from '../../columns/enlarge.ts';
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

/** Number of generated vectors that stay in memory, since the same pairs of words are in many chunks. A power of two. */
const CACHED_ROWS = 4096;

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
  const scratch = dimensions * (CACHED_ROWS + FLOAT_BYTES);
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
  /** Generated rows, at the start of the memory. A row is in the slot of its lowest bits. */
  readonly #cache: Uint32Array;
  /** Number of the row in each slot, or -1 for an empty slot. */
  readonly #cached = new Int32Array(CACHED_ROWS).fill(-1);
  /** The sum, after those rows in the memory. */
  readonly #sum: Float32Array;
  readonly #scales: Float64Array;
  /** Weights of the current row's tokens. */
  #weights = new Float64Array(512);

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
    const cacheBytes = CACHED_ROWS * dimensions;
    this.#cache = new Uint32Array(memory, 0, cacheBytes / Uint32Array.BYTES_PER_ELEMENT);
    this.#sum = new Float32Array(memory, cacheBytes, dimensions);
    this.#scales = new Float64Array(parts.fields);
  }

  embed(rows: readonly EncoderRow[]): Float32Array<ArrayBuffer> {
    const embeddings = new Float32Array(rows.length * this.#dimensions);
    for (const [i, row] of rows.entries()) {
      this.#sum.fill(0);
      this.#addRow(row);
      writeNormalized(this.#sum, embeddings, i * this.#dimensions);
    }
    return embeddings;
  }

  #addRow(row: EncoderRow): void {
    const { fields } = this.#parts;
    const { inputIds, tokenTypeIds } = row;
    const weights = this.#computeWeights(row);
    const scales = this.#computeScales(weights, tokenTypeIds);
    const to = this.#sum.byteOffset;
    for (let i = 0; i < inputIds.length; i++) {
      const at = this.#locateVector(inputIds[i]!);
      const scale = scales[tokenTypeIds[i]! % fields]!;
      this.#add(at, at + this.#dimensions, to, weights[i]! * scale);
    }
  }

  /** Returns the weight of each token: its learned weight times its weight in the row. */
  #computeWeights({ inputIds, tokenTypeIds, tokenWeights }: EncoderRow): Float64Array {
    const { weights: learned, tokens } = this.#parts;
    if (inputIds.length > this.#weights.length)
      this.#weights = enlarge(this.#weights, inputIds.length);
    const weights = this.#weights;
    for (let i = 0; i < inputIds.length; i++)
      weights[i] = learned[tokenTypeIds[i]! * tokens + inputIds[i]!]! * (tokenWeights?.[i] ?? 1);
    return weights;
  }

  /** Returns the factor of each field, by its sum of squared weights. */
  #computeScales(weights: Float64Array, types: Int32Array): Float64Array {
    const { fields, shortest, power } = this.#parts;
    const scales = this.#scales.fill(0);
    for (let i = 0; i < types.length; i++) scales[types[i]! % fields]! += weights[i]! ** 2;
    for (let field = 0; field < fields; field++)
      scales[field] = Math.max(scales[field]!, shortest) ** power;
    return scales;
  }

  /** Returns the offset of a token's vector in the memory. A generated vector is first written there, unless it is cached. */
  #locateVector(token: number): number {
    const { vectors, vectorCount, marks } = this.#parts;
    if (token < vectorCount) return vectors + token * this.#dimensions;
    const row = token - vectorCount;
    if (row >= this.#generatedCount) return marks + (row - this.#generatedCount) * this.#dimensions;
    const slot = row & (CACHED_ROWS - 1);
    const at = slot * this.#dimensions;
    if (this.#cached[slot] !== row) {
      this.#generated.write(row, this.#cache, at / Uint32Array.BYTES_PER_ELEMENT);
      this.#cached[slot] = row;
    }
    return at;
  }
}

/** Writes a vector scaled to length 1. A vector of length 0 stays as it is. */
function writeNormalized(vector: Float32Array, into: Float32Array, at: number): void {
  let square = 0;
  for (let i = 0; i < vector.length; i++) square += vector[i]! * vector[i]!;
  const length = Math.sqrt(square) || 1;
  for (let i = 0; i < vector.length; i++) into[at + i] = vector[i]! / length;
}
