/**
 * Checks a model file, which may come from anyone, for content that would let ONNX Runtime read other files or run forever.
 * Names are those of onnx.proto3.
 */
import { decodeText, getContent, readMessage } from './onnx-file.ts';

type Bytes = Uint8Array<ArrayBuffer>;
type Value = number | Bytes;

// Fields of the messages.
const MODEL = { graph: 7, trainingInfo: 20, functions: 25 };
const GRAPH = { node: 1, initializer: 5, sparseInitializer: 15 };
const NODE = { attribute: 5 };
const ATTRIBUTE = { tensor: 5, graph: 6, tensors: 10, graphs: 11, sparse: 22, sparses: 23 };
const SPARSE = { values: 1, indices: 2 };
const TENSOR = { externalData: 13, dataLocation: 14 };
const ENTRY = { key: 1, value: 2 };

/** Marker of a file in ONNX Runtime's own format, which it can read too. */
const ORT_FORMAT = 'ORTM';
const ORT_FORMAT_AT = 4;

/**
 * Returns why a model is refused, as "it reads the file weights.bin", or null.
 * @param given names of the constants that Locus passes to ONNX Runtime; only these may be outside of the file
 */
export function findForbiddenContent(file: Bytes, given: readonly string[]): string | null {
  if (decodeText(file.subarray(ORT_FORMAT_AT, ORT_FORMAT_AT + ORT_FORMAT.length)) === ORT_FORMAT)
    return 'it is in the format of ONNX Runtime instead of ONNX';
  try {
    checkModel(file, new Set(given));
    return null;
  } catch (error) {
    if (error instanceof Forbidden) return error.message;
    if (error instanceof RangeError) return `it is not an ONNX file (${error.message})`;
    throw error;
  }
}

class Forbidden extends Error {}

/** Callbacks for the fields of a message, by field number. Other fields are skipped. */
type Visitor = Readonly<Record<number, (value: Value) => void>>;

function visit(message: Value, visitor: Visitor): void {
  for (const [field, value] of readMessage(getContent(message))) visitor[field]?.(value);
}

function refuse(reason: string): () => never {
  return () => {
    throw new Forbidden(reason);
  };
}

const NONE: ReadonlySet<string> = new Set();

function checkModel(file: Bytes, given: ReadonlySet<string>): void {
  const checkEmbedded = (value: Value) => checkTensor(value, NONE);
  const checkSparse = (value: Value) =>
    visit(value, { [SPARSE.values]: checkEmbedded, [SPARSE.indices]: checkEmbedded });
  const refuseLoops = refuse('it has loops or branches, which may never end');
  const attribute: Visitor = {
    [ATTRIBUTE.tensor]: checkEmbedded,
    [ATTRIBUTE.tensors]: checkEmbedded,
    [ATTRIBUTE.sparse]: checkSparse,
    [ATTRIBUTE.sparses]: checkSparse,
    [ATTRIBUTE.graph]: refuseLoops,
    [ATTRIBUTE.graphs]: refuseLoops,
  };
  const node: Visitor = { [NODE.attribute]: (value) => visit(value, attribute) };
  const graph: Visitor = {
    [GRAPH.node]: (value) => visit(value, node),
    [GRAPH.initializer]: (value) => checkTensor(value, given),
    [GRAPH.sparseInitializer]: checkSparse,
  };
  visit(file, {
    [MODEL.graph]: (value) => visit(value, graph),
    [MODEL.functions]: refuse('it defines functions of its own'),
    [MODEL.trainingInfo]: refuse('it has a graph for training'),
  });
}

/** Refuses a tensor whose numbers are in another file, which ONNX Runtime would open, or at an address in memory. */
function checkTensor(value: Value, given: ReadonlySet<string>): void {
  let isExternal = false;
  let location: string | null = null;
  visit(value, {
    [TENSOR.dataLocation]: (dataLocation) => {
      isExternal ||= dataLocation !== 0;
    },
    [TENSOR.externalData]: (entry) => {
      const fields = new Map(readMessage(getContent(entry)));
      const readText = (field: number) =>
        decodeText(getContent(fields.get(field) ?? new Uint8Array()));
      const [key, name] = [readText(ENTRY.key), readText(ENTRY.value)];
      isExternal = true;
      if (key !== 'location') return;
      location = name;
      // Each location is checked, since any of several may be the one that ONNX Runtime uses.
      if (!given.has(name)) throw new Forbidden(`it reads the file ${name.slice(0, 200)}`);
    },
  });
  if (isExternal && location === null) throw new Forbidden('it reads a file without a name');
}
