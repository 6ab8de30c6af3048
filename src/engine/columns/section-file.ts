/**
 * Columns in a file, to be read into memory with one read each and without being parsed: a fixed head, a list of sections
 * in JSON, and the sections, each with its checksum. Numbers are in the byte order of the machine, which the head says.
 */
import { closeSync, fstatSync, readSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { crc32 } from 'node:zlib';
import { openRegularFile } from '../../base/regular-file.ts';
import type { Numbers } from './growing.ts';
import { readElsewhere } from './read-elsewhere.ts';

/** What a file holds: columns by their names. */
export type Sections = ReadonlyMap<string, Numbers>;

/** The file is not, or not all of it, what was written; `message` says what. */
export class BrokenFile extends Error {
  override readonly name = 'BrokenFile';
}

const TYPES = { Uint8Array, Uint16Array, Uint32Array, Int32Array, Float64Array } as const;
type TypeName = keyof typeof TYPES;

interface Section {
  name: string;
  type: TypeName;
  /** Elements. */
  length: number;
  /** CRC-32 of its bytes. */
  sum: number;
}

interface Listing {
  /** What the columns were made of. */
  state: string;
  sections: Section[];
}

/** Reads as `LOCUSCOL` where the byte order is another. */
const MAGIC = Buffer.from(new BigUint64Array([0x4c4f435553434f4cn]).buffer);
/** Magic, format, length of the listing and its checksum. */
const HEAD_BYTES = 20;
const FORMAT = 1;
const ALIGNMENT = 64;
const MAX_LISTING = 1 << 20;

/**
 * Writes a new file, which only its user may read.
 * @param state what the columns were made of, by which a reader knows whether they are current
 * @throws the system's errors; `EEXIST` where there is a file of this name
 */
export async function writeSections(
  path: string,
  state: string,
  sections: Sections,
): Promise<void> {
  const listed = Array.from(sections, ([name, column]): Section => {
    const type = typeOf(column);
    return { name, type, length: column.length, sum: crc32(bytesOf(column)) };
  });
  const listing = Buffer.from(JSON.stringify({ state, sections: listed } satisfies Listing));
  const head = Buffer.alloc(HEAD_BYTES);
  MAGIC.copy(head);
  head.writeUInt32LE(FORMAT, 8);
  head.writeUInt32LE(listing.length, 12);
  head.writeUInt32LE(crc32(listing), 16);
  await using file = await open(path, 'wx', 0o600);
  let at = 0;
  for (const part of [head, listing, ...sections.values()]) {
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
 * Reads a file of sections; null where it was made of something else than `state`.
 * @throws BrokenFile, or the system's errors
 */
export function readSections(path: string, state: string): Sections | null {
  const file = openRegularFile(path, 'r');
  try {
    const { listing, end } = readListing(file, fstatSync(file).size);
    if (listing.state !== state) return null;
    const places = placesOf(listing, end);
    for (const { column, start } of places) readExactly(file, bytesOf(column), start);
    return checked(places);
  } finally {
    closeSync(file);
  }
}

/** Sections that were read before it was known whether they are wanted. */
export interface ReadAhead {
  path: string;
  /**
   * As `readSections`, but for reading.
   * @throws BrokenFile
   */
  sections(state: string): Sections | null;
}

/**
 * Reads a file of sections in other threads, while this one does something else.
 * Rejects with BrokenFile, or the system's errors.
 */
export async function readSectionsAhead(path: string): Promise<ReadAhead> {
  // At once: this thread has other things to do by the time that it would be told of an opened file.
  const file = openRegularFile(path, 'r');
  try {
    const { listing, end } = readListing(file, fstatSync(file).size);
    const places = placesOf(listing, end);
    const parts = places.map(({ column, start }) => ({ into: bytesOf(column), position: start }));
    if (!(await readElsewhere(file, parts))) throw cutOff();
    const sections = (state: string) => (listing.state === state ? checked(places) : null);
    return { path, sections };
  } finally {
    closeSync(file);
  }
}

interface Place {
  section: Section;
  column: Numbers;
  /** In the file. */
  start: number;
}

/** Each section with memory for it, and where in the file it is. */
function placesOf({ sections }: Listing, end: number): Place[] {
  let at = end;
  return sections.map((section) => {
    const start = aligned(at);
    const column = unaccounted(section);
    at = start + column.byteLength;
    return { section, column, start };
  });
}

/**
 * Memory for a section. V8 counts a plain array's against its heap: fifty megabytes at once have it collect all garbage, of which
 * there is none yet, for 20 ms. It does not count what threads may share.
 */
function unaccounted({ type, length }: Section): Numbers {
  const Column: new (memory: SharedArrayBuffer) => Numbers = TYPES[type];
  return new Column(new SharedArrayBuffer(length * TYPES[type].BYTES_PER_ELEMENT));
}

function checked(places: readonly Place[]): Sections {
  for (const { section, column } of places)
    if (crc32(bytesOf(column)) !== section.sum) throw new BrokenFile(`${section.name} is damaged`);
  return new Map(places.map(({ section, column }) => [section.name, column]));
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
