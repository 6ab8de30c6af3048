/** Packs the chunks of a file, without their texts, into columns. */
import { assertPresent } from '../../shared/assert-present.ts';
import { CHUNK_KINDS, type ChunkKind } from '../../shared/chunk-kind.ts';
import { compress, decompress } from '../columns/packed.ts';
import type { ParsedChunk } from './types.ts';

/** Columns of numbers, in order. `parent` and `docStart` are stored plus 1; 0 means a chunk without a parent or docstring. */
const COLUMNS = [
  'ordinal',
  'kind',
  'isTest',
  'startLine',
  'endLine',
  'parent',
  'signatureEnd',
  'docStart',
  'docEnd',
  'length',
] as const;
type Column = (typeof COLUMNS)[number];

const WORD = Uint32Array.BYTES_PER_ELEMENT;

/** Chunk without its text. */
export interface ChunkRow {
  qualifiedName: string;
  name: string;
  ordinal: number;
  kind: ChunkKind;
  isTest?: true;
  alias?: string;
  cell?: number;
  startLine: number;
  endLine: number;
  parent: number;
  /** Length of the text in UTF-16 units. */
  length: number;
}

type RareTraits = Pick<ChunkRow, 'alias' | 'cell'>;

/** Packs chunks: a count, the columns, and the names as JSON: two of each chunk, then what few have, by position. */
export function packChunks(chunks: readonly ParsedChunk[]): Buffer {
  const numbers = new Uint32Array(1 + COLUMNS.length * chunks.length);
  let at = 0;
  numbers[at++] = chunks.length;
  for (const column of COLUMNS) {
    const read = readers[column];
    for (const chunk of chunks) numbers[at++] = read(chunk);
  }
  const names = chunks.flatMap(({ qualifiedName, name }) => [qualifiedName, name]);
  const rare = chunks.flatMap(({ alias, cell }, i): [number, RareTraits][] =>
    alias === undefined && cell === undefined ? [] : [[i, { alias, cell }]],
  );
  const json = JSON.stringify(rare.length > 0 ? [...names, rare] : names);
  return compress(Buffer.concat([Buffer.from(numbers.buffer), Buffer.from(json)]));
}

const readers: Record<Column, (chunk: ParsedChunk) => number> = {
  ordinal: ({ ordinal }) => ordinal,
  kind: ({ kind }) => CHUNK_KINDS.indexOf(kind),
  isTest: ({ isTest }) => (isTest ? 1 : 0),
  startLine: ({ startLine }) => startLine,
  endLine: ({ endLine }) => endLine,
  parent: ({ parent }) => parent + 1,
  signatureEnd: ({ signatureEnd }) => signatureEnd,
  docStart: ({ doc }) => (doc ? doc[0] + 1 : 0),
  docEnd: ({ doc }) => doc?.[1] ?? 0,
  length: ({ text }) => text.length,
};

/** Chunks packed by `packChunks`, by their position in the file. */
export class PackedChunks {
  readonly count: number;
  readonly #numbers: Uint32Array;
  readonly #json: Buffer;

  constructor(packed: Uint8Array) {
    const bytes = decompress(packed);
    this.count = bytes.readUInt32LE(0);
    const end = WORD * (1 + COLUMNS.length * this.count);
    // Copied, because Node does not guarantee the alignment of buffers.
    this.#numbers = new Uint32Array(
      bytes.buffer.slice(bytes.byteOffset + WORD, bytes.byteOffset + end),
    );
    this.#json = bytes.subarray(end);
  }

  /** Returns all chunks, in order of position. */
  getRows(): ChunkRow[] {
    const names = JSON.parse(this.#json.toString());
    const rare = new Map<number, RareTraits>(names[2 * this.count]);
    return Array.from({ length: this.count }, (_, i) => ({
      qualifiedName: assertPresent<string>(names[2 * i], 'the qualified name of a chunk'),
      name: assertPresent<string>(names[2 * i + 1], 'the name of a chunk'),
      ordinal: this.#get('ordinal', i),
      kind: assertPresent(CHUNK_KINDS[this.#get('kind', i)], 'the kind of a chunk'),
      ...(this.#get('isTest', i) === 1 && { isTest: true }),
      ...rare.get(i),
      startLine: this.#get('startLine', i),
      endLine: this.#get('endLine', i),
      parent: this.#get('parent', i) - 1,
      length: this.#get('length', i),
    }));
  }

  getSignatureEnd(position: number): number {
    return this.#get('signatureEnd', position);
  }

  /** Returns the start and end of the docstring in the text, or null for a chunk without one. */
  getDoc(position: number): [number, number] | null {
    const start = this.#get('docStart', position);
    return start === 0 ? null : [start - 1, this.#get('docEnd', position)];
  }

  #get(column: Column, position: number): number {
    const at = COLUMNS.indexOf(column) * this.count + position;
    return assertPresent(this.#numbers[at], 'a number of a chunk');
  }
}
