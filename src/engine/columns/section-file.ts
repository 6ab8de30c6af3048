/**
 * Columns in a file, to be read into memory with one read each and without being parsed: a fixed head, a listing in JSON, and
 * the columns. The listing is the value that was written, with the type, length and checksum of a column in its place. Numbers
 * are in the byte order of the machine, which the head says.
 */
import { closeSync, fstatSync, readSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { crc32 } from 'node:zlib';
import { openRegularFile } from '../../base/regular-file.ts';
import type { Numbers } from './growing.ts';
import { readElsewhere } from './read-elsewhere.ts';

/** The file is not, or not all of it, what was written; `message` says what. */
export class BrokenFile extends Error {
  override readonly name = 'BrokenFile';
}

const TYPES = { Uint8Array, Uint16Array, Uint32Array, Int32Array, Float64Array } as const;
type TypeName = keyof typeof TYPES;

/** The listing's entry for a column. */
interface Section {
  column: TypeName;
  /** Elements. */
  length: number;
  /** CRC-32 of its bytes. */
  sum: number;
}

interface Listing {
  /** What the columns were made of. */
  state: string;
  outline: unknown;
}

/** Reads as `LOCUSCOL` where the byte order is another. */
const MAGIC = Buffer.from(new BigUint64Array([0x4c4f435553434f4cn]).buffer);
/** Magic, format, length of the listing and its checksum. */
const HEAD_BYTES = 20;
const FORMAT = 2;
const ALIGNMENT = 64;
const MAX_LISTING = 1 << 20;

/**
 * Writes a new file, which only its user may read.
 * @param value JSON with columns in it, none of them in a list
 * @param state what the columns were made of, by which a reader knows whether they are current
 * @throws the system's errors; `EEXIST` where there is a file of this name
 */
export async function writeSections(path: string, state: string, value: object): Promise<void> {
  const columns: Numbers[] = [];
  const outline = replaceIn(value, (part) => {
    if (!ArrayBuffer.isView(part)) return null;
    const column = part as Numbers;
    columns.push(column);
    const sum = crc32(bytesOf(column));
    return { column: typeOf(column), length: column.length, sum } satisfies Section;
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
    const bytes = bytesOf(part);
    const start = part === head || part === listing ? at : aligned(at);
    for (let done = 0; done < bytes.length; ) {
      const { bytesWritten } = await file.write(bytes, done, bytes.length - done, start + done);
      done += bytesWritten;
    }
    at = start + bytes.length;
  }
}

/**
 * Reads a file of columns; null where it was made of something else than `state`.
 * @throws BrokenFile, or the system's errors
 */
export function readSections<Value>(path: string, state: string): Value | null {
  const file = openRegularFile(path, 'r');
  try {
    const { listing, end } = readListing(file, fstatSync(file).size);
    if (listing.state !== state) return null;
    const { value, places } = locateSections(listing, end);
    for (const { column, start } of places) readExactly(file, bytesOf(column), start);
    check(places);
    return value as Value;
  } finally {
    closeSync(file);
  }
}

/** Columns that were read before it was known whether they are wanted. */
export interface ReadAhead {
  path: string;
  /**
   * As `readSections`, but for reading.
   * @throws BrokenFile
   */
  sections<Value>(state: string): Value | null;
}

/**
 * Reads a file of columns in other threads, while this one does something else.
 * Rejects with BrokenFile, or the system's errors.
 */
export async function readSectionsAhead(path: string): Promise<ReadAhead> {
  // At once: this thread has other things to do by the time that it would be told of an opened file.
  const file = openRegularFile(path, 'r');
  try {
    const { listing, end } = readListing(file, fstatSync(file).size);
    const { value, places } = locateSections(listing, end);
    const parts = places.map(({ column, start }) => ({ into: bytesOf(column), position: start }));
    if (!(await readElsewhere(file, parts))) throw cutOff();
    return {
      path,
      sections<Value>(state: string) {
        if (listing.state !== state) return null;
        check(places);
        return value as Value;
      },
    };
  } finally {
    closeSync(file);
  }
}

interface Place {
  sum: number;
  column: Numbers;
  start: number;
}

/** The value of a listing, with memory for its columns, and where each is in the file. */
function locateSections({ outline }: Listing, end: number): { value: unknown; places: Place[] } {
  const places: Place[] = [];
  let at = end;
  const value = replaceIn(outline, (part) => {
    if (!('column' in part)) return null;
    const section = part as Section;
    const start = aligned(at);
    const column = unaccounted(section);
    at = start + column.byteLength;
    places.push({ sum: section.sum, column, start });
    return column;
  });
  return { value, places };
}

/** Puts in place of each object what `replace` returns; looks into those for which it returns null, and into no list. */
function replaceIn(value: unknown, replace: (part: object) => object | null): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  const entries = () =>
    Object.entries(value).map(([key, part]) => [key, replaceIn(part, replace)] as const);
  return replace(value) ?? Object.fromEntries(entries());
}

/**
 * Memory for a section. V8 counts a plain array's against its heap: fifty megabytes at once have it collect all garbage, of which
 * there is none yet, for 20 ms. It does not count what threads may share.
 */
function unaccounted({ column, length }: Section): Numbers {
  const Column: new (memory: SharedArrayBuffer) => Numbers = TYPES[column];
  return new Column(new SharedArrayBuffer(length * TYPES[column].BYTES_PER_ELEMENT));
}

function check(places: readonly Place[]): void {
  for (const { column, sum } of places)
    if (crc32(bytesOf(column)) !== sum) throw new BrokenFile('a column is damaged');
}

function readListing(file: number, size: number): { listing: Listing; end: number } {
  const head = Buffer.alloc(HEAD_BYTES);
  readExactly(file, head, 0);
  if (!head.subarray(0, 8).equals(MAGIC) || head.readUInt32LE(8) !== FORMAT)
    throw new BrokenFile('it is of another format');
  const length = head.readUInt32LE(12);
  if (length > Math.min(MAX_LISTING, size)) throw new BrokenFile('its head is damaged');
  const text = Buffer.alloc(length);
  readExactly(file, text, HEAD_BYTES);
  if (crc32(text) !== head.readUInt32LE(16)) throw new BrokenFile('its head is damaged');
  return { listing: JSON.parse(text.toString()) as Listing, end: HEAD_BYTES + length };
}

function readExactly(file: number, into: Uint8Array, position: number): void {
  for (let done = 0; done < into.length; ) {
    const read = readSync(file, into, done, into.length - done, position + done);
    if (read === 0) throw cutOff();
    done += read;
  }
}

const cutOff = () => new BrokenFile('it was cut off');

/** A `Buffer` is one of bytes. */
function typeOf(column: Numbers): TypeName {
  const names = Object.keys(TYPES) as TypeName[];
  return names.find((name) => column instanceof TYPES[name]) ?? 'Uint8Array';
}

function aligned(at: number): number {
  return Math.ceil(at / ALIGNMENT) * ALIGNMENT;
}

function bytesOf({ buffer, byteOffset, byteLength }: Numbers): Uint8Array {
  return new Uint8Array(buffer, byteOffset, byteLength);
}
