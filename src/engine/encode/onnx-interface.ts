/** Reads the inputs and outputs of an ONNX file. Names are those of onnx.proto3. */
import { decodeText, getContent, readMessage } from './onnx-file.ts';

const MODEL = { graph: 7 };
const GRAPH = { initializer: 5, input: 11, output: 12 };
const TENSOR = { name: 8 };
const VALUE = { name: 1, type: 2 };
const TYPE = { tensor: 1 };
const TENSOR_TYPE = { shape: 2 };
const SHAPE = { dimension: 1 };
const DIMENSION = { value: 1 };

type Bytes = Uint8Array<ArrayBuffer>;

interface OnnxValue {
  name: string;
  /** Size of each dimension; null if it varies. */
  dims: (number | null)[];
}

export interface OnnxInterface {
  /** Inputs that a caller has to give. */
  inputs: OnnxValue[];
  outputs: OnnxValue[];
}

/** @throws RangeError if the bytes are not a protocol buffer */
export function readInterface(file: Bytes): OnnxInterface {
  const inputs: OnnxValue[] = [];
  const outputs: OnnxValue[] = [];
  const constants = new Set<string>();
  for (const graph of readAll(file, MODEL.graph)) {
    for (const [field, value] of readMessage(graph)) {
      if (field === GRAPH.input) inputs.push(readValue(getContent(value)));
      if (field === GRAPH.output) outputs.push(readValue(getContent(value)));
      if (field === GRAPH.initializer) constants.add(readName(getContent(value), TENSOR.name));
    }
  }
  // Older exports list constants among the inputs.
  return { inputs: inputs.filter(({ name }) => !constants.has(name)), outputs };
}

function* readAll(message: Bytes, wanted: number): Generator<Bytes> {
  for (const [field, value] of readMessage(message)) if (field === wanted) yield getContent(value);
}

function readName(message: Bytes, field: number): string {
  const [name] = readAll(message, field);
  return name ? decodeText(name) : '';
}

function readValue(message: Bytes): OnnxValue {
  const [type] = readAll(message, VALUE.type);
  const [tensor] = type ? readAll(type, TYPE.tensor) : [];
  const [shape] = tensor ? readAll(tensor, TENSOR_TYPE.shape) : [];
  const dims = shape ? [...readAll(shape, SHAPE.dimension)].map(readSize) : [];
  return { name: readName(message, VALUE.name), dims };
}

function readSize(dimension: Bytes): number | null {
  for (const [field, value] of readMessage(dimension))
    if (field === DIMENSION.value && typeof value === 'number') return value;
  return null;
}
