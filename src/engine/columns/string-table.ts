import { enlarge } from './enlarge.ts';

/** A string table as it is stored in a file. */
export interface StringColumns {
  /** All strings in UTF-8. */
  bytes: Uint8Array;
  /** Start of each string in `bytes`, and the end of the last one. */
  offsets: Uint32Array;
  /** Hash table of a `StringTable`. If it is left out, it is computed when it is first needed. */
  table?: Uint32Array | undefined;
}

/** Minimum number of entries of the hash table for each string. */
const MIN_ENTRIES_PER_STRING = 2;

/**
 * Unique strings, numbered from 0 in order of insertion. It takes a few bytes for each; a `Map` takes about a hundred. Strings
 * are equal if their UTF-8 is equal.
 */
export class StringTable {
  #bytes: Buffer;
  #offsets: Uint32Array;
  #size: number;
  /** Hash table with linear probing: 1 + the number of a string, or 0. Null until it is needed. */
  #table: Uint32Array | null = null;

  /** @param columns initial strings; they are not copied, and must not be written to afterwards */
  constructor(columns: StringColumns = { bytes: new Uint8Array(0), offsets: new Uint32Array(1) }) {
    this.#bytes = asBuffer(columns.bytes);
    this.#offsets = columns.offsets;
    this.#size = columns.offsets.length - 1;
    this.#table = columns.table ?? null;
  }

  get size(): number {
    return this.#size;
  }

  /** Returns the number of a string; -1 if it is missing. */
  find(text: string): number {
    const bytes = isAscii(text) ? null : Buffer.from(text);
    return this.#locate(text, bytes).number;
  }

  /** Returns the number of a string. Adds the string if it is missing. */
  intern(text: string): number {
    const bytes = isAscii(text) ? null : Buffer.from(text);
    const { number, at } = this.#locate(text, bytes);
    if (number >= 0) return number;
    this.#append(text, bytes);
    this.#getTable()[at] = this.#size;
    if (this.#size * MIN_ENTRIES_PER_STRING > this.#getTable().length) this.#table = null;
    return this.#size - 1;
  }

  getText(number: number): string {
    return this.#bytes.toString('utf8', this.#offsets[number]!, this.#offsets[number + 1]!);
  }

  /** Returns all strings by number. ASCII strings are decoded together, which is many times as fast. */
  getTexts(): string[] {
    // One character per byte.
    const all = this.#bytes.toString('latin1', 0, this.#offsets[this.#size]!);
    return Array.from({ length: this.#size }, (_, number) => {
      const text = all.slice(this.#offsets[number]!, this.#offsets[number + 1]!);
      return isAscii(text) ? text : this.getText(number);
    });
  }

  /** Removes the strings from this number on. */
  truncate(size: number): void {
    if (size >= this.#size) return;
    this.#size = size;
    this.#table = null;
  }

  /** Returns the strings as columns, valid until the table changes. */
  getColumns(): StringColumns {
    const offsets = this.#offsets.subarray(0, this.#size + 1);
    return { bytes: this.#bytes.subarray(0, offsets[this.#size]!), offsets };
  }

  /** Returns the columns with the hash table, so that a reader need not hash all strings again. */
  getSearchableColumns(): StringColumns {
    return { ...this.getColumns(), table: this.#getTable() };
  }

  /** Finds the entry of a string, or the free entry for it, in the hash table. `bytes` is its UTF-8, or null if it is ASCII. */
  #locate(text: string, bytes: Buffer | null): { number: number; at: number } {
    const table = this.#getTable();
    const mask = table.length - 1;
    let at = (bytes ? hashBytes(bytes, 0, bytes.length) : hashAscii(text)) & mask;
    for (;;) {
      const number = table[at]! - 1;
      if (number < 0 || this.#equals(number, text, bytes)) return { number, at };
      at = (at + 1) & mask;
    }
  }

  #equals(number: number, text: string, bytes: Buffer | null): boolean {
    const start = this.#offsets[number]!;
    const length = this.#offsets[number + 1]! - start;
    if (bytes) return bytes.equals(this.#bytes.subarray(start, start + length));
    if (length !== text.length) return false;
    for (let i = 0; i < length; i++)
      if (this.#bytes[start + i] !== text.charCodeAt(i)) return false;
    return true;
  }

  #append(text: string, bytes: Buffer | null): void {
    const start = this.#offsets[this.#size]!;
    const end = start + (bytes?.length ?? text.length);
    if (end > this.#bytes.length) this.#bytes = asBuffer(enlarge(viewBytes(this.#bytes), end));
    if (this.#size + 2 > this.#offsets.length)
      this.#offsets = enlarge(this.#offsets, this.#size + 2);
    if (bytes) this.#bytes.set(bytes, start);
    else this.#bytes.write(text, start, 'latin1');
    this.#offsets[++this.#size] = end;
  }

  #getTable(): Uint32Array {
    this.#table ??= this.#buildTable();
    return this.#table;
  }

  #buildTable(): Uint32Array {
    const minLength = (this.#size + 1) * MIN_ENTRIES_PER_STRING * 1.5;
    const length = 2 ** Math.ceil(Math.log2(Math.max(16, minLength)));
    const table = new Uint32Array(length);
    for (let number = 0; number < this.#size; number++) {
      const [start, end] = [this.#offsets[number]!, this.#offsets[number + 1]!];
      let at = hashBytes(this.#bytes, start, end) & (length - 1);
      while (table[at] !== 0) at = (at + 1) & (length - 1);
      table[at] = number + 1;
    }
    return table;
  }
}

/** Returns strings in this order as columns of a table. They may repeat; a table finds the first of equal strings. */
export function packStrings(texts: readonly string[]): StringColumns {
  const bytes = Buffer.from(texts.join(''));
  const offsets = new Uint32Array(texts.length + 1);
  for (const [i, text] of texts.entries())
    offsets[i + 1] = (offsets[i] ?? 0) + Buffer.byteLength(text);
  return { bytes, offsets };
}

function isAscii(text: string): boolean {
  for (let i = 0; i < text.length; i++) if (text.charCodeAt(i) > 127) return false;
  return true;
}

/** Returns the FNV-1a hash (Fowler, Noll and Vo). Its last bits are mixed, since the table uses only the low ones. */
function hashAscii(text: string): number {
  let hash = 0x811c9dc5;
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193);
  return hash ^ (hash >>> 15);
}

function hashBytes(bytes: Uint8Array, start: number, end: number): number {
  let hash = 0x811c9dc5;
  for (let i = start; i < end; i++) hash = Math.imul(hash ^ bytes[i]!, 0x01000193);
  return hash ^ (hash >>> 15);
}

function viewBytes({ buffer, byteOffset, byteLength }: Buffer): Uint8Array {
  return new Uint8Array(buffer, byteOffset, byteLength);
}

function asBuffer({ buffer, byteOffset, byteLength }: Uint8Array): Buffer {
  return Buffer.from(buffer, byteOffset, byteLength);
}
