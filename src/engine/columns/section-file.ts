/**
 * Stores typed arrays (columns) in a file, so that each can be loaded with one read and without parsing. The file has a fixed
 * header, a listing in JSON, and the columns, compressed where that halves them. Ascending numbers, such as ids and offsets, are
 * compressed as steps, which takes a fifth of the space. The listing is the value that was written, with each column replaced by
 * its type, length and checksum. Numbers have the byte order of the machine, which the header shows.
 */
import { closeSync, fstatSync, readSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { crc32, zstdDecompressSync } from 'node:zlib';
import { openRegularFile } from '../../base/regular-file.ts';
import type { NumberArray } from './enlarge.ts';
import { compress } from './packed.ts';
import { readInThreadPool } from './read-in-thread-pool.ts';

/** The file is damaged or incomplete; `message` gives the reason. */
export class BrokenFile extends Error {
  override readonly name = 'BrokenFile';
}

const TYPES = { Uint8Array, Uint16Array, Uint32Array, Int32Array, Float64Array } as const;
type TypeName = keyof typeof TYPES;

/** Entry of the listing for a column. */
interface Section {
  column: TypeName;
  /** Number of elements. */
  length: number;
  /** CRC-32 of the bytes. */
  sum: number;
  /** Size in the file in bytes if the column is compressed with zstd. */
  packed?: number;
  /** True if each number but the first was replaced by its step from the one before it, and then compressed. */
  steps?: true;
}

interface Listing {
  /** Identifies the data that the columns were computed from. */
  state: string;
  /** The value, with a `Section` for each column. */
  outline: unknown;
}

/** Magic number. Its bytes are reversed in a file of a machine with the other byte order. */
const MAGIC = Buffer.from(new BigUint64Array([0x4c4f435553434f4cn]).buffer);
/** Size of the header: magic number, format, length of the listing, checksum of the listing. */
const HEAD_BYTES = 20;
const FORMAT = 4;
/** Minimum size of a column to compress, in bytes. */
const MIN_PACKED_BYTES = 4096;
const ALIGNMENT = 64;
const MAX_LISTING = 1 << 20;

/**
 * Writes a new file that only its user can read.
 * @param state identifies the data that the columns were computed from; readers compare it to see if they are current
 * @param value JSON value that may contain columns, but not in arrays
 * @throws the system's errors; `EEXIST` if the file exists
 */
export async function writeSections(path: string, state: string, value: object): Promise<void> {
  const columns: Uint8Array[] = [];
  const outline = replaceObjects(value, (object) => {
    if (!ArrayBuffer.isView(object)) return null;
    const column = object as NumberArray;
    const bytes = viewBytes(column);
    const steps = computeSteps(column);
    const packed = packColumn(steps ? viewBytes(steps) : bytes);
    columns.push(packed ?? bytes);
    const section: Section = {
      column: getTypeName(column),
      length: column.length,
      sum: crc32(bytes),
    };
    if (!packed) return section;
    return { ...section, packed: packed.length, ...(steps ? { steps: true } : {}) };
  });
  const listing = Buffer.from(JSON.stringify({ state, outline } satisfies Listing));
  const head = Buffer.alloc(HEAD_BYTES);
  MAGIC.copy(head);
  head.writeUInt32LE(FORMAT, 8);
  head.writeUInt32LE(listing.length, 12);
  head.writeUInt32LE(crc32(listing), 16);
  await using file = await open(path, 'wx', 0o600);
  let at = 0;
  for (const part of [head, listing, ...columns]) {
    const bytes = viewBytes(part);
    const start = part === head || part === listing ? at : align(at);
    for (let done = 0; done < bytes.length; ) {
      const { bytesWritten } = await file.write(bytes, done, bytes.length - done, start + done);
      done += bytesWritten;
    }
    at = start + bytes.length;
  }
}

/**
 * Reads a file of columns. Returns null if it has another `state`.
 * @throws BrokenFile; the system's errors
 */
export function readSections<Value>(path: string, state: string): Value | null {
  const file = openRegularFile(path, 'r');
  try {
    const { listing, end } = readListing(file, fstatSync(file).size);
    if (listing.state !== state) return null;
    const { value, columns } = allocateColumns(listing, end);
    for (const { stored, start } of columns) readExactly(file, stored, start);
    finishColumns(columns);
    return value as Value;
  } finally {
    closeSync(file);
  }
}

/** Columns that were read before it is known whether they are needed. */
export interface PrefetchedSections {
  path: string;
  /**
   * Returns the value of the file; null if it has another `state`.
   * @throws BrokenFile
   */
  sections<Value>(state: string): Value | null;
}

/**
 * Reads a file of columns in other threads, so that this thread can do other work.
 * Rejects with BrokenFile or the system's errors.
 */
export async function prefetchSections(path: string): Promise<PrefetchedSections> {
  // Opened synchronously: this thread will be busy by the time it could be notified of an opened file.
  const file = openRegularFile(path, 'r');
  try {
    const { listing, end } = readListing(file, fstatSync(file).size);
    const { value, columns } = allocateColumns(listing, end);
    const parts = columns.map(({ stored, start }) => ({ into: stored, position: start }));
    if (!(await readInThreadPool(file, parts))) throw createCutOffError();
    return {
      path,
      sections<Value>(state: string) {
        if (listing.state !== state) return null;
        finishColumns(columns);
        return value as Value;
      },
    };
  } finally {
    closeSync(file);
  }
}

interface ColumnToRead {
  section: Section;
  column: NumberArray;
  /** Bytes in the file: the column's own memory unless it is compressed. */
  stored: Uint8Array;
  /** Offset in the file, in bytes. */
  start: number;
}

/** Returns the value of a listing, with empty columns, and the location of each column in the file. */
function allocateColumns(
  { outline }: Listing,
  end: number,
): { value: unknown; columns: ColumnToRead[] } {
  const columns: ColumnToRead[] = [];
  let at = end;
  const value = replaceObjects(outline, (object) => {
    if (!('column' in object)) return null;
    const section = object as Section;
    const start = align(at);
    const column = allocateColumn(section);
    const { packed } = section;
    const stored = packed === undefined ? viewBytes(column) : Buffer.allocUnsafe(packed);
    at = start + stored.length;
    columns.push({ section, column, stored, start });
    return column;
  });
  return { value, columns };
}

/** Replaces each object by the result of `replace`. If that is null, replaces the objects in it. Arrays stay as they are. */
function replaceObjects(value: unknown, replace: (object: object) => object | null): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  const listEntries = () =>
    Object.entries(value).map(([key, item]) => [key, replaceObjects(item, replace)] as const);
  return replace(value) ?? Object.fromEntries(listEntries());
}

/**
 * Allocates memory for a section. V8 counts the memory of an ordinary array towards its heap: fifty megabytes at once start a
 * full garbage collection, which takes 20 ms and finds nothing yet. It does not count shared memory.
 */
function allocateColumn({ column, length }: Section): NumberArray {
  const Column: new (memory: SharedArrayBuffer) => NumberArray = TYPES[column];
  return new Column(new SharedArrayBuffer(length * TYPES[column].BYTES_PER_ELEMENT));
}

/** Compresses a column. Returns null unless that halves it. */
function packColumn(bytes: Uint8Array): Buffer | null {
  if (bytes.length < MIN_PACKED_BYTES) return null;
  const packed = compress(bytes);
  return packed.length * 2 <= bytes.length ? packed : null;
}

/** Returns a column of ascending numbers as steps. Returns null for another one. */
function computeSteps(column: NumberArray): Uint32Array | null {
  if (!(column instanceof Uint32Array)) return null;
  let last = 0;
  const isAscending = column.every((number) => {
    const before = last;
    last = number;
    return number >= before;
  });
  return isAscending ? column.map((number, i) => number - (column[i - 1] ?? 0)) : null;
}

/** Replaces steps by the numbers that `computeSteps` had. */
function addSteps(column: NumberArray): void {
  // A loop over indexes: `forEach` takes twice as long.
  for (let i = 1; i < column.length; i++) column[i] = (column[i] ?? 0) + (column[i - 1] ?? 0);
}

/** Unpacks the columns that were read, and checks them. */
function finishColumns(columns: readonly ColumnToRead[]): void {
  for (const { column, stored, section } of columns) {
    const bytes = viewBytes(column);
    if (stored.buffer !== bytes.buffer) unpackColumn(stored, bytes);
    if (section.steps) addSteps(column);
    if (crc32(bytes) !== section.sum) throw new BrokenFile('a column is damaged');
  }
}

function unpackColumn(packed: Uint8Array, into: Uint8Array): void {
  const { length } = into;
  let bytes: Buffer;
  try {
    bytes = zstdDecompressSync(packed, { chunkSize: length, maxOutputLength: length });
  } catch {
    // The cause says nothing more: the bytes are not what was written.
    throw new BrokenFile('a column is damaged');
  }
  if (bytes.length !== length) throw new BrokenFile('a column was cut off');
  into.set(bytes);
}

function readListing(file: number, size: number): { listing: Listing; end: number } {
  const head = Buffer.alloc(HEAD_BYTES);
  readExactly(file, head, 0);
  if (!head.subarray(0, 8).equals(MAGIC) || head.readUInt32LE(8) !== FORMAT)
    throw new BrokenFile('it has another format');
  const length = head.readUInt32LE(12);
  if (length > Math.min(MAX_LISTING, size)) throw new BrokenFile('its header is damaged');
  const text = Buffer.alloc(length);
  readExactly(file, text, HEAD_BYTES);
  if (crc32(text) !== head.readUInt32LE(16)) throw new BrokenFile('its header is damaged');
  return { listing: JSON.parse(text.toString()) as Listing, end: HEAD_BYTES + length };
}

function readExactly(file: number, into: Uint8Array, position: number): void {
  for (let done = 0; done < into.length; ) {
    const read = readSync(file, into, done, into.length - done, position + done);
    if (read === 0) throw createCutOffError();
    done += read;
  }
}

const createCutOffError = () => new BrokenFile('it was cut off');

/** Returns the type of a column. A `Buffer` is a column of bytes. */
function getTypeName(column: NumberArray): TypeName {
  const names = Object.keys(TYPES) as TypeName[];
  return names.find((name) => column instanceof TYPES[name]) ?? 'Uint8Array';
}

function align(at: number): number {
  return Math.ceil(at / ALIGNMENT) * ALIGNMENT;
}

function viewBytes({ buffer, byteOffset, byteLength }: NumberArray): Uint8Array {
  return new Uint8Array(buffer, byteOffset, byteLength);
}
