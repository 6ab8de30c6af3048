/**
 * Reads the operators and constants of a small ONNX file, a protocol buffer (onnx.proto3), as `lab/encoder/onnx_file.py`
 * writes it.
 */

export interface OnnxFile {
  /** Operators of the model, in order. */
  operators: string[];
  /** Constants by name, except those outside the file. */
  constants: Map<string, OnnxConstant>;
}

export interface OnnxConstant {
  /** Number of the type in onnx.proto3. */
  type: number;
  /** View of the file's bytes. */
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

/** Reads an ONNX file. @throws RangeError if the bytes are not a protocol buffer */
export function readOnnx(bytes: Uint8Array<ArrayBuffer>): OnnxFile {
  const read: OnnxFile = { operators: [], constants: new Map() };
  for (const [field, graph] of readMessage(bytes)) {
    if (field !== MODEL.graph) continue;
    for (const [graphField, content] of readMessage(getContent(graph))) {
      if (graphField === GRAPH.node) read.operators.push(readOperator(getContent(content)));
      if (graphField === GRAPH.constant) addConstant(read.constants, getContent(content));
    }
  }
  return read;
}

function readOperator(node: Uint8Array<ArrayBuffer>): string {
  for (const [field, value] of readMessage(node))
    if (field === NODE.operator) return decodeText(getContent(value));
  return '';
}

function addConstant(constants: Map<string, OnnxConstant>, tensor: Uint8Array<ArrayBuffer>): void {
  let name = '';
  let type = 0;
  let bytes: Uint8Array<ArrayBuffer> | null = null;
  for (const [field, value] of readMessage(tensor)) {
    if (field === TENSOR.type) type = Number(value);
    else if (field === TENSOR.name) name = decodeText(getContent(value));
    else if (field === TENSOR.bytes) bytes = getContent(value);
  }
  if (bytes) constants.set(name, { type, bytes });
}

export const decodeText = (bytes: Uint8Array): string => new TextDecoder().decode(bytes);

/** Returns the bytes of a field. @throws RangeError if the field is a number */
export function getContent(value: Value): Uint8Array<ArrayBuffer> {
  if (typeof value === 'number') throw new RangeError('there is a number instead of a message');
  return value;
}

/** Scale of the last seven-bit group of a 64-bit number. */
const MAX_SCALE = 2 ** 63;
/** Largest key of a field: protocol buffers use 32 bits and ignore the rest. */
const MAX_KEY = 2 ** 32 - 1;

/** Yields the fields of a message, by number. @throws RangeError if the bytes are not a protocol buffer */
export function* readMessage(bytes: Uint8Array<ArrayBuffer>): Generator<[number, Value]> {
  let at = 0;
  const readVarint = (): number => {
    let value = 0;
    for (let scale = 1; ; scale *= 128) {
      const byte = bytes[at++];
      if (byte === undefined) throw new RangeError('the message ends in a number');
      if (scale > MAX_SCALE) throw new RangeError('a number has more than 64 bits');
      value += (byte & 127) * scale;
      if (byte < 128) return value;
    }
  };
  const readContent = (length: number): Uint8Array<ArrayBuffer> => {
    if (at + length > bytes.length) throw new RangeError('the message is cut off');
    at += length;
    return bytes.subarray(at - length, at);
  };
  while (at < bytes.length) {
    const key = readVarint();
    if (key > MAX_KEY) throw new RangeError('the number of a field is too large');
    const field = Math.floor(key / 8);
    const kind = key % 8;
    if (kind === VARINT) yield [field, readVarint()];
    else if (kind === CONTENT) yield [field, readContent(readVarint())];
    else if (kind === FIXED32) yield [field, readContent(4)];
    else if (kind === FIXED64) yield [field, readContent(8)];
    else throw new RangeError(`a field has the unknown kind ${kind}`);
  }
}
