/**
 * A bag model's graph worked out here, on the CPU: what it does is to look vectors up, weigh them and add them. Beside
 * onnxruntime it takes a tenth of the memory, and rows that a rule makes are made when they are wanted.
 */
import type { Embed } from '../kind.ts';
import { MadeRows } from '../made-rows.ts';
import type { ModelFiles } from '../model-files.ts';
import { FLOAT, INT8, INT64, type OnnxConstant, type OnnxFile, readOnnx } from '../onnx-file.ts';
import { createSumKernel, SUM_ALIGNMENT, type SumKernel } from '../sum-kernel.ts';
import type { EncoderRow } from '../types.ts';

/** What `graph` of `lab/encoder/export.py` writes; another graph is another function. */
const OPERATORS =
  'Concat Mul Add Gather Mul Mod Unsqueeze Equal Mul Unsqueeze Where ReduceSum Max Pow GatherElements Mul Unsqueeze Gather Cast MatMul Squeeze LpNormalization';

const PAGE = 1 << 16;
const FLOAT_BYTES = Float32Array.BYTES_PER_ELEMENT;

/** Rows that the file lacks, between the first and the last of the table. */
interface Made {
  rows: number;
  value: number;
}

/** Reads a model; null if its graph is another one. @throws LocusError `bad-model`; RangeError without enough memory */
export async function openBagSum(
  files: ModelFiles,
  name: string,
  dimensions: number,
  made: Made | undefined,
): Promise<Embed | null> {
  const { memory, add } = createSumKernel();
  const scratch = dimensions * (1 + FLOAT_BYTES);
  const file = await files.readOnnx(name, (size) => makeRoom(memory, scratch, size));
  const parts = partsOf(file, dimensions, made?.rows ?? 0);
  if (!parts || dimensions % SUM_ALIGNMENT !== 0) return null;
  const sum = new BagSum(memory.buffer, add, dimensions, parts, made);
  return (rows) => sum.embed(rows);
}

/** Returns `size` bytes of the kernel's memory behind its first `offset` bytes. */
function makeRoom(
  memory: ReturnType<typeof createSumKernel>['memory'],
  offset: number,
  size: number,
): Uint8Array<ArrayBuffer> {
  const missing = offset + size - memory.buffer.byteLength;
  if (missing > 0) memory.grow(Math.ceil(missing / PAGE));
  return new Uint8Array(memory.buffer, offset, size);
}

interface Parts {
  /** Offsets of the first rows of the table and of its last in the memory, and how many the first are. */
  vectors: number;
  vectorCount: number;
  marks: number;
  /** Of each type of token and token. */
  weights: Float32Array;
  tokens: number;
  /** Token types that are numbered from 0 again for issues. */
  fields: number;
  shortest: number;
  power: number;
}

function partsOf(file: Uint8Array<ArrayBuffer>, dimensions: number, made: number): Parts | null {
  let read: OnnxFile | null = null;
  try {
    read = readOnnx(file);
  } catch {
    // onnxruntime says what is wrong with it.
  }
  if (read?.operators.join(' ') !== OPERATORS) return null;
  const { constants } = read;
  const constant = (name: string, type: number): OnnxConstant | null => {
    const found = constants.get(name);
    return found?.type === type ? found : null;
  };
  const number = (name: string, type: number) => numbersOf(constant(name, type))[0] ?? Number.NaN;
  const vectors = constant('vectors', INT8);
  const marks = constant('marks', INT8);
  const weights = numbersOf(constant('weights', FLOAT));
  const tokens = number('tokens', INT64);
  if (!vectors || !marks) return null;
  const rows = (vectors.bytes.length + marks.bytes.length) / dimensions + made;
  if (rows !== tokens || weights.length % tokens !== 0) return null;
  return {
    vectors: vectors.bytes.byteOffset,
    vectorCount: vectors.bytes.length / dimensions,
    marks: marks.bytes.byteOffset,
    ...{ weights, tokens },
    fields: number('many', INT64),
    shortest: number('shortest', FLOAT),
    power: number('power', FLOAT),
  };
}

/** A constant's numbers, float32 or int64, copied to where they are aligned. */
function numbersOf(constant: OnnxConstant | null): Float32Array {
  const { buffer } = constant?.bytes.slice() ?? new Uint8Array();
  if (constant?.type !== INT64) return new Float32Array(buffer);
  return Float32Array.from(new BigInt64Array(buffer), Number);
}

class BagSum {
  readonly #add: SumKernel;
  readonly #dimensions: number;
  readonly #parts: Parts;
  readonly #madeCount: number;
  readonly #made: MadeRows;
  /** The beginning of the memory: a row that a rule made, and the sum. */
  readonly #row: Uint32Array;
  readonly #sum: Float32Array;
  readonly #squares: Float64Array;

  constructor(
    memory: ArrayBuffer,
    add: SumKernel,
    dimensions: number,
    parts: Parts,
    made: Made | undefined,
  ) {
    this.#add = add;
    this.#dimensions = dimensions;
    this.#parts = parts;
    this.#madeCount = made?.rows ?? 0;
    this.#made = new MadeRows(dimensions, made?.value ?? 1);
    this.#row = new Uint32Array(memory, 0, dimensions / Uint32Array.BYTES_PER_ELEMENT);
    this.#sum = new Float32Array(memory, dimensions, dimensions);
    this.#squares = new Float64Array(parts.fields);
  }

  embed(rows: readonly EncoderRow[]): Float32Array<ArrayBuffer> {
    const embeddings = new Float32Array(rows.length * this.#dimensions);
    for (const [i, row] of rows.entries()) {
      this.#sum.fill(0);
      this.#addRow(row);
      embeddings.set(normalised(this.#sum), i * this.#dimensions);
    }
    return embeddings;
  }

  #addRow(row: EncoderRow): void {
    const { fields, shortest, power } = this.#parts;
    const own = this.#weightsOf(row);
    const types = row.tokenTypeIds;
    const squares = this.#squares.fill(0);
    for (let i = 0; i < own.length; i++) squares[types[i]! % fields]! += own[i]! ** 2;
    const scales = squares.map((sum) => Math.max(sum, shortest) ** power);
    for (let i = 0; i < own.length; i++) {
      const at = this.#placeOf(row.inputIds[i]!);
      const scale = scales[types[i]! % fields]!;
      this.#add(at, at + this.#dimensions, this.#dimensions, own[i]! * scale);
    }
  }

  /** By id and type, times how often the token occurs. */
  #weightsOf({ inputIds, tokenTypeIds, tokenWeights }: EncoderRow): Float64Array {
    const { weights, tokens } = this.#parts;
    const own = new Float64Array(inputIds.length);
    for (let i = 0; i < own.length; i++)
      own[i] = weights[tokenTypeIds[i]! * tokens + inputIds[i]!]! * (tokenWeights?.[i] ?? 1);
    return own;
  }

  /** Where a token's vector begins in the memory; one that a rule makes is made there. */
  #placeOf(token: number): number {
    const { vectors, vectorCount, marks } = this.#parts;
    if (token < vectorCount) return vectors + token * this.#dimensions;
    const made = token - vectorCount;
    if (made >= this.#madeCount) return marks + (made - this.#madeCount) * this.#dimensions;
    this.#made.write(made, this.#row);
    return 0;
  }
}

/** In place. A sum of length 0 stays as it is. */
function normalised(sum: Float32Array): Float32Array {
  let square = 0;
  for (const value of sum) square += value * value;
  const length = Math.sqrt(square);
  if (length > 0) for (let i = 0; i < sum.length; i++) sum[i] = (sum[i] ?? 0) / length;
  return sum;
}
