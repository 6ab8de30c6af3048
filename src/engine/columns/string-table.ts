import { enlarged } from './growing.ts';

/** A string table as it is written to a file: all strings in UTF-8, and where each begins and the last one ends. */
export interface StringColumns {
  bytes: Uint8Array;
  /** One more than there are strings. */
  offsets: Uint32Array;
  /** Where strings are found, as `StringTable` keeps it; made when it is first needed where it is left out. */
  table?: Uint32Array | undefined;
}

/** Slots of the hash table for each string, at least. */
const ROOM = 2;

/**
 * Different strings, numbered from 0 in the order in which they came: a few bytes each, where a `Map` of them takes a
 * hundred. Strings are equal when their UTF-8 is.
 */
export class StringTable {
  #bytes: Buffer;
  #offsets: Uint32Array;
  #size: number;
  /** Open addressing by linear probing: 1 + the number of a string, or 0. Made when it is first needed. */
  #table: Uint32Array | null = null;

  /** @param columns what it holds from the beginning; they are not copied, and must not be written to any more. */
  constructor(columns: StringColumns = { bytes: new Uint8Array(0), offsets: new Uint32Array(1) }) {
    this.#bytes = asBuffer(columns.bytes);
    this.#offsets = columns.offsets;
    this.#size = columns.offsets.length - 1;
    this.#table = columns.table ?? null;
  }

  get size(): number {
    return this.#size;
  }

  /** The number of a string; -1 for one that is not there. */
  find(text: string): number {
    const bytes = isAscii(text) ? null : Buffer.from(text);
    return this.#place(text, bytes).number;
  }

  /** The number of a string, which it gets if it has none. */
  intern(text: string): number {
    const bytes = isAscii(text) ? null : Buffer.from(text);
    const { number, at } = this.#place(text, bytes);
    if (number >= 0) return number;
    this.#append(text, bytes);
    this.#tableOf()[at] = this.#size;
    if (this.#size * ROOM > this.#tableOf().length) this.#table = null;
    return this.#size - 1;
  }

  text(number: number): string {
    return this.#bytes.toString('utf8', this.#offsets[number]!, this.#offsets[number + 1]!);
  }

  /** All strings by their numbers: those that are ASCII are decoded together, which is many times as fast. */
  texts(): string[] {
    // A character a byte.
    const all = this.#bytes.toString('latin1', 0, this.#offsets[this.#size]!);
    return Array.from({ length: this.#size }, (_, number) => {
      const text = all.slice(this.#offsets[number]!, this.#offsets[number + 1]!);
      return isAscii(text) ? text : this.text(number);
    });
  }

  /** Forgets the strings from this number on. */
  truncate(size: number): void {
    if (size >= this.#size) return;
    this.#size = size;
    this.#table = null;
  }

  /** What it holds; valid until it changes. */
  columns(): StringColumns {
    const offsets = this.#offsets.subarray(0, this.#size + 1);
    return { bytes: this.#bytes.subarray(0, offsets[this.#size]!), offsets };
  }

  /** The same with where each is found, which takes hashing all of them otherwise. */
  searchable(): StringColumns {
    return { ...this.columns(), table: this.#tableOf() };
  }

  /** Where a string is, or would be, in the table. `bytes` are its UTF-8 unless it is ASCII. */
  #place(text: string, bytes: Buffer | null): { number: number; at: number } {
    const table = this.#tableOf();
    const mask = table.length - 1;
    let at = (bytes ? hashOfBytes(bytes, 0, bytes.length) : hashOfAscii(text)) & mask;
    for (;;) {
      const number = table[at]! - 1;
      if (number < 0 || this.#is(number, text, bytes)) return { number, at };
      at = (at + 1) & mask;
    }
  }

  #is(number: number, text: string, bytes: Buffer | null): boolean {
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
    if (end > this.#bytes.length) this.#bytes = asBuffer(enlarged(bytesOf(this.#bytes), end));
    if (this.#size + 2 > this.#offsets.length)
      this.#offsets = enlarged(this.#offsets, this.#size + 2);
    if (bytes) this.#bytes.set(bytes, start);
    else this.#bytes.write(text, start, 'latin1');
    this.#offsets[++this.#size] = end;
  }

  #tableOf(): Uint32Array {
    this.#table ??= this.#makeTable();
    return this.#table;
  }

  #makeTable(): Uint32Array {
    const length = 2 ** Math.ceil(Math.log2(Math.max(16, (this.#size + 1) * ROOM * 1.5)));
    const table = new Uint32Array(length);
    for (let number = 0; number < this.#size; number++) {
      const [start, end] = [this.#offsets[number]!, this.#offsets[number + 1]!];
      let at = hashOfBytes(this.#bytes, start, end) & (length - 1);
      while (table[at] !== 0) at = (at + 1) & (length - 1);
      table[at] = number + 1;
    }
    return table;
  }
}

/** Strings in this order, as columns of a table; there may be equal ones among them, of which a table finds the first. */
export function listOf(texts: readonly string[]): StringColumns {
  const bytes = Buffer.from(texts.join(''));
  const offsets = new Uint32Array(texts.length + 1);
  for (const [place, text] of texts.entries())
    offsets[place + 1] = (offsets[place] ?? 0) + Buffer.byteLength(text);
  return { bytes, offsets };
}

function isAscii(text: string): boolean {
  for (let i = 0; i < text.length; i++) if (text.charCodeAt(i) > 127) return false;
  return true;
}

/** FNV-1a (Fowler, Noll and Vo) with the last bits mixed, since tables take the low ones. */
function hashOfAscii(text: string): number {
  let hash = 0x811c9dc5;
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193);
  return hash ^ (hash >>> 15);
}

function hashOfBytes(bytes: Uint8Array, start: number, end: number): number {
  let hash = 0x811c9dc5;
  for (let i = start; i < end; i++) hash = Math.imul(hash ^ bytes[i]!, 0x01000193);
  return hash ^ (hash >>> 15);
}

function bytesOf({ buffer, byteOffset, byteLength }: Buffer): Uint8Array {
  return new Uint8Array(buffer, byteOffset, byteLength);
}

function asBuffer({ buffer, byteOffset, byteLength }: Uint8Array): Buffer {
  return Buffer.from(buffer, byteOffset, byteLength);
}
