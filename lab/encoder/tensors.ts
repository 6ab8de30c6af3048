/** Writes arrays as a safetensors file, which Python reads, and reads them (https://github.com/huggingface/safetensors). */
import { closeSync, openSync, readFileSync, renameSync, writeSync } from 'node:fs';

type Numbers = Uint8Array | Uint16Array | Int32Array | Float32Array;

/** Rows of `width` numbers, or a list of numbers. */
export interface Tensor {
  numbers: Numbers;
  width?: number;
}

const TYPES = {
  Uint8Array: 'U8',
  Uint16Array: 'U16',
  Int32Array: 'I32',
  Float32Array: 'F32',
} as const;
type TypeName = keyof typeof TYPES;

/** Writes tensors to a file. It gets its name when it is complete. */
export function writeTensors(
  file: string,
  about: Readonly<Record<string, string>>,
  tensors: Readonly<Record<string, Tensor>>,
): void {
  let end = 0;
  const header = Object.entries(tensors).map(([name, { numbers, width }]) => {
    const start = end;
    end += numbers.byteLength;
    const shape = width === undefined ? [numbers.length] : [numbers.length / width, width];
    const dtype = TYPES[numbers.constructor.name as TypeName];
    return [name, { dtype, shape, data_offsets: [start, end] }];
  });
  const json = Buffer.from(JSON.stringify({ __metadata__: about, ...Object.fromEntries(header) }));
  const size = Buffer.alloc(8);
  size.writeBigUInt64LE(BigInt(json.length));
  const partial = `${file}.partial`;
  const output = openSync(partial, 'w');
  try {
    for (const { buffer, byteOffset, byteLength } of [
      size,
      json,
      ...Object.values(tensors).map(({ numbers }) => numbers),
    ])
      for (let at = 0; at < byteLength; )
        at += writeSync(output, new Uint8Array(buffer, byteOffset + at, byteLength - at));
  } finally {
    closeSync(output);
  }
  renameSync(partial, file);
}

/**
 * Reads an array of 32-bit floats.
 * @throws Error if the file has no such array
 */
export function readTensor(file: string, name: string): Float32Array {
  const content = readFileSync(file);
  const start = 8 + Number(content.readBigUInt64LE());
  const tensor = JSON.parse(content.toString('utf8', 8, start))[name];
  if (tensor?.dtype !== TYPES.Float32Array) throw new Error(`${file} has no floats ${name}.`);
  const [from, to]: [number, number] = tensor.data_offsets;
  return new Float32Array(Uint8Array.from(content.subarray(start + from, start + to)).buffer);
}
