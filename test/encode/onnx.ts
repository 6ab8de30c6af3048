/* Writes small ONNX models, as protocol buffers with only the fields that they need (onnx.proto3). */

/** @param content fields of an attribute that is neither */
type Attribute = { name: string; ints?: number[]; int?: number; content?: Uint8Array };

export interface Node {
  op: string;
  inputs: string[];
  output: string;
  attributes?: Attribute[];
}

/** Writes a constant: floats for a `Float32Array`, int64 for a `BigInt64Array`. */
export interface Constant {
  name: string;
  dims: number[];
  data: Float32Array<ArrayBuffer> | BigInt64Array<ArrayBuffer>;
}

const FLOAT = 1;
const INT64 = 7;
const INT = 2;
const INTS = 7;

/** Writes a model with int64 inputs `[batch, sequence]` and one float output `[batch, dimensions]`. */
export function onnxModel(graph: {
  nodes: Node[];
  constants: (Constant | Uint8Array)[];
  inputs: string[];
  output: string;
  dimensions: number;
  /** True if the output has a vector for each token. */
  byToken?: boolean;
}): Uint8Array {
  const encoded = bytes(
    ...graph.nodes.map((node) => message(1, nodeBytes(node))),
    text(2, 'graph'),
    ...graph.constants.map((constant) =>
      message(5, constant instanceof Uint8Array ? constant : constantBytes(constant)),
    ),
    ...graph.inputs.map((name) => message(11, valueBytes(name, INT64, ['batch', 'sequence']))),
    message(
      12,
      valueBytes(graph.output, FLOAT, [
        'batch',
        ...(graph.byToken ? ['sequence'] : []),
        graph.dimensions,
      ]),
    ),
  );
  const opset = bytes(text(1, ''), number(2, 17));
  return bytes(number(1, 8), message(7, encoded), message(8, opset));
}

function nodeBytes({ op, inputs, output, attributes = [] }: Node): Uint8Array {
  return bytes(
    ...inputs.map((name) => text(1, name)),
    text(2, output),
    text(4, op),
    ...attributes.map((attribute) => message(5, attributeBytes(attribute))),
  );
}

function attributeBytes({ name, int, ints = [], content }: Attribute): Uint8Array {
  if (content) return bytes(text(1, name), content);
  if (int !== undefined) return bytes(text(1, name), number(3, int), number(20, INT));
  return bytes(text(1, name), ...ints.map((i) => number(8, i)), number(20, INTS));
}

function constantBytes({ name, dims, data }: Constant): Uint8Array {
  const type = data instanceof Float32Array ? FLOAT : INT64;
  return bytes(
    ...dims.map((size) => number(1, size)),
    number(2, type),
    text(8, name),
    message(9, new Uint8Array(data.buffer)),
  );
}

function valueBytes(name: string, type: number, dims: (string | number)[]): Uint8Array {
  const shape = dims.map((size) =>
    message(1, typeof size === 'string' ? text(2, size) : number(1, size)),
  );
  const tensor = bytes(number(1, type), message(2, bytes(...shape)));
  return bytes(text(1, name), message(2, message(1, tensor)));
}

export function number(field: number, value: number): Uint8Array {
  return Uint8Array.from([...varint(field << 3), ...varint(value)]);
}

export function text(field: number, value: string): Uint8Array {
  return message(field, new TextEncoder().encode(value));
}

export function message(field: number, content: Uint8Array): Uint8Array {
  return bytes(Uint8Array.from([...varint((field << 3) | 2), ...varint(content.length)]), content);
}

function varint(value: number): number[] {
  return value < 128 ? [value] : [(value % 128) | 128, ...varint(Math.floor(value / 128))];
}

export function bytes(...parts: Uint8Array[]): Uint8Array {
  return new Uint8Array(Buffer.concat(parts));
}
