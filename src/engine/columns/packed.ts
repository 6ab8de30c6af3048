/** Packs texts and bytes with zstd. */
import { zstdCompressSync, zstdDecompressSync } from 'node:zlib';

const WORD = Uint32Array.BYTES_PER_ELEMENT;
/** Smallest chunk of output that zlib accepts, and largest one that is reserved because a frame says so. */
const MIN_CHUNK = 64;
const MAX_CHUNK = 1 << 26;

/** Compresses texts together, so that similar ones (a file and its chunks) take little more space than the first of them. */
export function packTexts(texts: readonly string[]): Buffer {
  const lengths = texts.map((text) => Buffer.byteLength(text));
  let end = (1 + texts.length) * WORD;
  const bytes = Buffer.allocUnsafe(lengths.reduce((sum, length) => sum + length, end));
  bytes.writeUInt32LE(texts.length);
  for (const [i, text] of texts.entries()) {
    bytes.writeUInt32LE(lengths[i] ?? 0, (i + 1) * WORD);
    end += bytes.write(text, end);
  }
  return compress(bytes);
}

/** Texts packed by `packTexts`. A text is decoded when it is read, and shares no memory with the others. */
export class PackedTexts {
  readonly #bytes: Buffer;
  readonly #ends: number[] = [];
  readonly #start: number;

  constructor(packed: Uint8Array) {
    this.#bytes = decompress(packed);
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
    return this.getBytes(position)?.toString('utf8');
  }

  /** Returns a text in UTF-8, or undefined past the end. It shares the memory of all texts. */
  getBytes(position: number): Buffer | undefined {
    const end = this.#ends[position];
    if (end === undefined) return undefined;
    return this.#bytes.subarray(this.#ends[position - 1] ?? this.#start, end);
  }
}

export function packText(text: string): Buffer {
  return compress(Buffer.from(text));
}

export function unpackText(packed: Uint8Array): string {
  return decompress(packed).toString('utf8');
}

/** Compresses lists of bytes together. */
export function packLists(lists: readonly Uint8Array[]): Buffer {
  const head = Uint32Array.of(lists.length, ...lists.map(({ length }) => length));
  return compress(Buffer.concat([toBytes(head), ...lists]));
}

/** Returns the lists that `packLists` packed. They share memory. */
export function unpackLists(packed: Uint8Array): Uint8Array[] {
  const bytes = decompress(packed);
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

/** Decompresses bytes. If they say how long the result is, it is written in place, which takes half the time. */
export function decompress(packed: Uint8Array): Buffer {
  const size = readContentSize(packed);
  if (size === null || size >= MAX_CHUNK) return zstdDecompressSync(packed);
  // With a byte to spare, zlib knows that nothing follows.
  return zstdDecompressSync(packed, { chunkSize: Math.max(MIN_CHUNK, size + 1) });
}

/** Returns the size that the header of a zstd frame states (RFC 8878, section 3.1.1.1); null if it states none. */
export function readContentSize(packed: Uint8Array): number | null {
  const frame = new DataView(packed.buffer, packed.byteOffset, packed.byteLength);
  if (frame.byteLength < MAX_HEADER || frame.getUint32(0, true) !== MAGIC) return null;
  const descriptor = frame.getUint8(4);
  const isSingleSegment = (descriptor & 0x20) !== 0;
  const dictionaryBytes = [0, 1, 2, 4][descriptor & 3] ?? 0;
  const at = 5 + (isSingleSegment ? 0 : 1) + dictionaryBytes;
  switch (descriptor >> 6) {
    case 0:
      return isSingleSegment ? frame.getUint8(at) : null;
    case 1:
      return frame.getUint16(at, true) + 256;
    case 2:
      return frame.getUint32(at, true);
    default:
      return Number(frame.getBigUint64(at, true));
  }
}

const MAGIC = 0xfd2fb528;
/** Maximum length of a frame's header. Shorter frames are not worth a look. */
const MAX_HEADER = 18;

function toBytes(words: Uint32Array): Buffer {
  return Buffer.from(words.buffer, words.byteOffset, words.byteLength);
}
