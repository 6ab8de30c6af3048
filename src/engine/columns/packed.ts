/** Packs texts and bytes with zstd. */
import { zstdCompressSync, zstdDecompressSync } from 'node:zlib';

const WORD = Uint32Array.BYTES_PER_ELEMENT;
/** Smallest chunk of output that zlib accepts. */
const MIN_CHUNK = 64;

/** Compresses texts together, so that similar ones (a file and its chunks) take little more space than the first of them. */
export function packTexts(texts: readonly string[]): Buffer {
  return packLists(texts.map((text) => Buffer.from(text)));
}

/** Texts packed by `packTexts`. A text is decoded when it is read, and shares no memory with the others. */
export class PackedTexts {
  readonly #bytes: Buffer;
  readonly #ends: number[] = [];
  readonly #start: number;

  constructor(packed: Uint8Array) {
    this.#bytes = zstdDecompressSync(packed);
    const count = this.#bytes.readUInt32LE(0);
    let end = (1 + count) * WORD;
    this.#start = end;
    for (let i = 1; i <= count; i++) {
      end += this.#bytes.readUInt32LE(i * WORD);
      this.#ends.push(end);
    }
  }

  /** Size in memory. */
  get bytes(): number {
    return this.#bytes.length;
  }

  /** Returns a text by its position, or undefined past the end. */
  at(position: number): string | undefined {
    const end = this.#ends[position];
    if (end === undefined) return undefined;
    return this.#bytes.toString('utf8', this.#ends[position - 1] ?? this.#start, end);
  }
}

export function packText(text: string): Buffer {
  return compress(Buffer.from(text));
}

export function unpackText(packed: Uint8Array): string {
  return zstdDecompressSync(packed).toString('utf8');
}

/** Compresses lists of bytes together. */
export function packLists(lists: readonly Uint8Array[]): Buffer {
  const head = Uint32Array.of(lists.length, ...lists.map(({ length }) => length));
  return compress(Buffer.concat([toBytes(head), ...lists]));
}

/** Returns the lists that `packLists` packed. They share memory. */
export function unpackLists(packed: Uint8Array): Uint8Array[] {
  const bytes = zstdDecompressSync(packed);
  const count = bytes.readUInt32LE(0);
  let end = (1 + count) * WORD;
  return Array.from({ length: count }, (_, i) => {
    const start = end;
    end += bytes.readUInt32LE((1 + i) * WORD);
    return new Uint8Array(bytes.buffer, bytes.byteOffset + start, end - start);
  });
}

/** Compresses bytes. The result fits one chunk of zlib's output, so it is not copied together from several. */
export function compress(bytes: Uint8Array): Buffer {
  return zstdCompressSync(bytes, { chunkSize: Math.max(MIN_CHUNK, bytes.length) });
}

function toBytes(words: Uint32Array): Buffer {
  return Buffer.from(words.buffer, words.byteOffset, words.byteLength);
}
