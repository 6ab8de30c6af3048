/**
 * What a small ONNX file holds: a protocol buffer (onnx.proto3) of which the operators and constants are read, as
 * `lab/encoder/onnx_file.py` writes them.
 */

/** The operators of a model in their order, and its constants by name, less those that it is given. */
export interface OnnxFile {
  operators: string[];
  constants: Map<string, OnnxConstant>;
}

/** A constant's type as onnx.proto3 numbers them, and its bytes: a view of the file's. */
export interface OnnxConstant {
  type: number;
  bytes: Uint8Array<ArrayBuffer>;
}

export const FLOAT = 1;
export const INT8 = 3;
export const INT64 = 7;

// Fields of the messages.
const MODEL = { graph: 7 };
const GRAPH = { node: 1, constant: 5 };
const NODE = { operator: 4 };
const TENSOR = { type: 2, name: 8, bytes: 9 };

const VARINT = 0;
const FIXED64 = 1;
const CONTENT = 2;
const FIXED32 = 5;

type Value = number | Uint8Array<ArrayBuffer>;

/** @throws RangeError where the bytes are no protocol buffer */
export function readOnnx(bytes: Uint8Array<ArrayBuffer>): OnnxFile {
  const read: OnnxFile = { operators: [], constants: new Map() };
  for (const [field, graph] of readMessage(bytes)) {
    if (field !== MODEL.graph) continue;
    for (const [part, content] of readMessage(getContent(graph))) {
      if (part === GRAPH.node) read.operators.push(operatorOf(getContent(content)));
      if (part === GRAPH.constant) addConstant(read.constants, getContent(content));
    }
  }
  return read;
}

function operatorOf(node: Uint8Array<ArrayBuffer>): string {
  for (const [field, value] of readMessage(node))
    if (field === NODE.operator) return textOf(getContent(value));
  return '';
}

function addConstant(constants: Map<string, OnnxConstant>, tensor: Uint8Array<ArrayBuffer>): void {
  let name = '';
  let type = 0;
  let bytes: Uint8Array<ArrayBuffer> | null = null;
  for (const [field, value] of readMessage(tensor)) {
    if (field === TENSOR.type) type = Number(value);
    else if (field === TENSOR.name) name = textOf(getContent(value));
    else if (field === TENSOR.bytes) bytes = getContent(value);
  }
  if (bytes) constants.set(name, { type, bytes });
}

export const textOf = (bytes: Uint8Array): string => new TextDecoder().decode(bytes);

/** @throws RangeError if the field is a number */
export function getContent(value: Value): Uint8Array<ArrayBuffer> {
  if (typeof value === 'number') throw new RangeError('a number stands where a message should');
  return value;
}

/** Scale of the last seven-bit group of a 64-bit number. */
const MAX_SCALE = 2 ** 63;
/** Largest key of a field, and largest length: protocol buffers have 32 bits for them, and cut off what is more. */
const MAX_KEY = 2 ** 32 - 1;

/** Yields the fields of a message, by number. @throws RangeError where the bytes are no protocol buffer */
export function* readMessage(bytes: Uint8Array<ArrayBuffer>): Generator<[number, Value]> {
  let at = 0;
  const varint = (): number => {
    let value = 0;
    for (let scale = 1; ; scale *= 128) {
      const byte = bytes[at++];
      if (byte === undefined) throw new RangeError('the message ends in a number');
      if (scale > MAX_SCALE) throw new RangeError('a number has more than 64 bits');
      value += (byte & 127) * scale;
      if (byte < 128) return value;
    }
  };
  const content = (length: number): Uint8Array<ArrayBuffer> => {
    if (at + length > bytes.length) throw new RangeError('the message is cut off');
    at += length;
    return bytes.subarray(at - length, at);
  };
  while (at < bytes.length) {
    const key = varint();
    if (key > MAX_KEY) throw new RangeError('the number of a field is too large');
    const field = Math.floor(key / 8);
    const kind = key % 8;
    if (kind === VARINT) yield [field, varint()];
    else if (kind === CONTENT) yield [field, content(varint())];
    else if (kind === FIXED32) yield [field, content(4)];
    else if (kind === FIXED64) yield [field, content(8)];
    else throw new RangeError(`a field of kind ${kind}`);
  }
}
