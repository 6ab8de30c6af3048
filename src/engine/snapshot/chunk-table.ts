import type { FileRole } from '../../shared/chunk.ts';
import { CHUNK_KINDS } from '../../shared/chunk-kind.ts';
import { appendTo } from '../../shared/lists-by-key.ts';
import { Chains } from '../columns/chains.ts';
import { enlarge } from '../columns/enlarge.ts';
import { type StringColumns, StringTable } from '../columns/string-table.ts';
import type { ChunkRecord } from '../store/file-versions.ts';
import type { ChunkList, IndexedChunk } from './types.ts';

export interface ChunkFileTraits {
  readonly path: string;
  readonly language: string;
  readonly role: FileRole;
}

/** Chunks in the form that is written to a file: numbers by chunk (see `COLUMNS`), and names. */
export interface ChunkColumns {
  numbers: Record<ChunkColumn, Uint32Array>;
  names: StringColumns;
}

/**
 * Columns of the table, one number per chunk. `parent` is 1 + a slot, or 0. `cell` is 0 for none. Names are numbers in a table of strings; `alias` is such
 * a number + 1, or 0.
 */
const COLUMNS = [
  'id',
  'qualifiedName',
  'name',
  'alias',
  'ordinal',
  'cell',
  'kind',
  'isTest',
  'startLine',
  'endLine',
  'parent',
  'length',
] as const;
export type ChunkColumn = (typeof COLUMNS)[number];

const INITIAL_CAPACITY = 1024;
const MODULE = CHUNK_KINDS.indexOf('module');
const SECTION = CHUNK_KINDS.indexOf('section');

/** Chunks of a snapshot in memory, as columns by slot. Objects are created only when a chunk is read. */
export class ChunkTable implements ChunkList {
  #numbers: Record<ChunkColumn, Uint32Array>;
  readonly #names: StringTable;
  /** By slot: 1 + the number of its file, or 0 if the chunk was removed. */
  #fileNumbers: Uint32Array;
  readonly #files: ChunkFileTraits[] = [];
  /** By the number of a name: its slots in order, without module code and sections. */
  readonly #slotsByName: Chains;
  /** By the number of an alias: its slots in order. Few chunks have one. */
  readonly #slotsByAlias = new Map<number, number[]>();
  #length = 0;
  #live = 0;
  #liveSections = 0;

  /** @param columns initial chunks, which are not copied. They become part of the table as `adoptFile` adds their files. */
  constructor(columns?: ChunkColumns) {
    this.#names = new StringTable(columns?.names);
    this.#numbers = columns?.numbers ?? createColumns();
    const room = Math.max(INITIAL_CAPACITY, this.#numbers.id.length);
    this.#fileNumbers = new Uint32Array(room);
    this.#slotsByName = new Chains(Math.max(INITIAL_CAPACITY, this.#names.size), room);
  }

  /** Last slot + 1. */
  get length(): number {
    return this.#length;
  }

  /** Number of chunks that were not removed, without sections. */
  get liveCount(): number {
    return this.#live - this.#liveSections;
  }

  /** Number of sections that were not removed. */
  get sectionCount(): number {
    return this.#liveSections;
  }

  at(slot: number): IndexedChunk | null {
    return this.#fileNumbers[slot] ? new ChunkView(this, slot) : null;
  }

  *[Symbol.iterator](): IterableIterator<IndexedChunk | null> {
    for (let slot = 0; slot < this.#length; slot++) yield this.at(slot);
  }

  isLive(slot: number): boolean {
    return slot < this.#length && this.#fileNumbers[slot] !== 0;
  }

  /** Adds a file's chunks, in order of position. Returns the first slot. */
  add(file: ChunkFileTraits, rows: readonly ChunkRecord[]): number {
    const first = this.#length;
    this.#reserve(first + rows.length);
    const columns = this.#numbers;
    for (const [position, row] of rows.entries()) {
      const slot = first + position;
      columns.id[slot] = row.id;
      columns.qualifiedName[slot] = this.#names.intern(row.qualifiedName);
      columns.name[slot] = this.#names.intern(row.name);
      columns.alias[slot] = row.alias === undefined ? 0 : this.#names.intern(row.alias) + 1;
      columns.ordinal[slot] = row.ordinal;
      columns.cell[slot] = row.cell ?? 0;
      columns.kind[slot] = CHUNK_KINDS.indexOf(row.kind);
      columns.isTest[slot] = row.isTest ? 1 : 0;
      columns.startLine[slot] = row.startLine;
      columns.endLine[slot] = row.endLine;
      columns.parent[slot] = row.parent < 0 ? 0 : first + row.parent + 1;
      columns.length[slot] = row.length;
    }
    this.adoptFile(file, rows.length);
    return first;
  }

  /** Adds a file whose chunks are the next ones in the columns. */
  adoptFile(file: ChunkFileTraits, chunks: number): void {
    const number = this.#files.push(file);
    for (let left = chunks; left > 0; left--) {
      this.#fileNumbers[this.#length] = number;
      if (this.#isNamed(this.#length))
        this.#slotsByName.append(this.#getNameNumber(this.#length), this.#length);
      if (this.isSection(this.#length)) this.#liveSections++;
      const alias = this.getNumber('alias', this.#length);
      if (alias > 0 && !this.isSection(this.#length))
        appendTo(this.#slotsByAlias, alias - 1, this.#length);
      this.#length++;
    }
    this.#live += chunks;
  }

  remove(slot: number): void {
    if (!this.#fileNumbers[slot]) return;
    if (this.#isNamed(slot)) this.#slotsByName.remove(this.#getNameNumber(slot), slot);
    if (this.isSection(slot)) this.#liveSections--;
    const alias = this.getNumber('alias', slot) - 1;
    const others = this.#slotsByAlias.get(alias)?.filter((other) => other !== slot);
    if (others) this.#slotsByAlias.set(alias, others);
    this.#fileNumbers[slot] = 0;
    this.#live--;
  }

  /** Returns the slots of all chunks with a name, except module code and sections. */
  getSlotsByName(name: string): number[] {
    const slots: number[] = [];
    const number = this.#names.find(name);
    if (number < 0) return slots;
    for (let slot = this.#slotsByName.first(number); slot >= 0; slot = this.#slotsByName.next(slot))
      slots.push(slot);
    return slots;
  }

  /** Returns the slots of all chunks with an alias. */
  getSlotsByAlias(alias: string): readonly number[] {
    return this.#slotsByAlias.get(this.#names.find(alias)) ?? [];
  }

  getFile(slot: number): ChunkFileTraits {
    return this.#files[this.#fileNumbers[slot]! - 1]!;
  }

  getNumber(column: ChunkColumn, slot: number): number {
    return this.#numbers[column][slot]!;
  }

  getName(column: 'name' | 'qualifiedName', slot: number): string {
    return this.#names.getText(this.#numbers[column][slot]!);
  }

  /** Returns a text by its number. */
  getText(number: number): string {
    return this.#names.getText(number);
  }

  /** Returns the chunks of these slots as columns, in this order. `renumbered` maps old slots to new ones. */
  toColumns(slots: Uint32Array, renumbered: Uint32Array): ChunkColumns {
    const names = new StringTable();
    const known = new Uint32Array(this.#names.size);
    const renamed = (number: number) => {
      known[number] ||= names.intern(this.#names.getText(number)) + 1;
      return known[number] - 1;
    };
    const convert: Partial<Record<ChunkColumn, (value: number) => number>> = {
      qualifiedName: renamed,
      name: renamed,
      alias: (value) => (value === 0 ? 0 : renamed(value - 1) + 1),
      parent: (value) => (value === 0 ? 0 : renumbered[value - 1]! + 1),
    };
    const numbers = createColumns();
    for (const column of COLUMNS) {
      const from = this.#numbers[column];
      const { [column]: change = (value: number) => value } = convert;
      numbers[column] = slots.map((slot) => change(from[slot]!));
    }
    return { numbers, names: names.getSearchableColumns() };
  }

  isSection(slot: number): boolean {
    return this.#numbers.kind[slot] === SECTION;
  }

  #isNamed(slot: number): boolean {
    return this.#numbers.kind[slot] !== MODULE && !this.isSection(slot);
  }

  #getNameNumber(slot: number): number {
    return this.#numbers.name[slot]!;
  }

  #reserve(slots: number): void {
    for (const column of COLUMNS) {
      if (slots > this.#numbers[column].length)
        this.#numbers[column] = enlarge(this.#numbers[column], Math.max(INITIAL_CAPACITY, slots));
    }
    if (slots > this.#fileNumbers.length) this.#fileNumbers = enlarge(this.#fileNumbers, slots);
  }
}

/** View of a chunk in a table. It reads each field on access, since searches look at every chunk and need only a few fields. */
class ChunkView implements IndexedChunk {
  readonly #table: ChunkTable;
  readonly #slot: number;

  constructor(table: ChunkTable, slot: number) {
    this.#table = table;
    this.#slot = slot;
  }

  get id() {
    return this.#table.getNumber('id', this.#slot);
  }

  get path() {
    return this.#table.getFile(this.#slot).path;
  }

  get language() {
    return this.#table.getFile(this.#slot).language;
  }

  get role() {
    const { role } = this.#table.getFile(this.#slot);
    return role === 'source' && this.#table.getNumber('isTest', this.#slot) === 1 ? 'test' : role;
  }

  get qualifiedName() {
    return this.#table.getName('qualifiedName', this.#slot);
  }

  get name() {
    return this.#table.getName('name', this.#slot);
  }

  get alias() {
    const number = this.#table.getNumber('alias', this.#slot);
    return number === 0 ? undefined : this.#table.getText(number - 1);
  }

  get cell() {
    return this.#table.getNumber('cell', this.#slot) || undefined;
  }

  get ordinal() {
    return this.#table.getNumber('ordinal', this.#slot);
  }

  get kind() {
    return CHUNK_KINDS[this.#table.getNumber('kind', this.#slot)]!;
  }

  get startLine() {
    return this.#table.getNumber('startLine', this.#slot);
  }

  get endLine() {
    return this.#table.getNumber('endLine', this.#slot);
  }

  get parent() {
    return this.#table.getNumber('parent', this.#slot) - 1;
  }

  get length() {
    return this.#table.getNumber('length', this.#slot);
  }
}

function createColumns(): Record<ChunkColumn, Uint32Array> {
  const none = new Uint32Array(0);
  return Object.fromEntries(COLUMNS.map((name) => [name, none])) as Record<
    ChunkColumn,
    Uint32Array
  >;
}
