/** Tables of a grammar that give the nodes of its trees their types, aliases and fields. */
import type { Language as TreeSitterLanguage } from 'web-tree-sitter';
import { getAddress } from './tree-address.ts';

/** Offsets of members of `TSLanguage` in bytes, from the `parser.h` with which grammars are compiled. */
const PRODUCTION_COUNT = 28;
const ALIASES_PER_PRODUCTION = 36;
const FIELD_SLICES = 64;
const FIELD_ENTRIES = 68;
const SYMBOL_INFO = 72;
const PUBLIC_SYMBOLS = 76;
const ALIASES = 84;
/** Bytes of an entry of symbol information: is visible, is named, is a supertype. */
const INFO_SIZE = 3;

/** Symbol of text that the parser skipped, and of the hidden nodes in it. */
const ERROR = 0xffff;
const ERROR_REPEAT = 0xfffe;

/** Types that have a number, as in a grammar's compiled form. */
export class GrammarTables {
  /** Name of each kind. */
  readonly types: readonly string[];
  readonly fields: readonly (string | null)[];
  /** Kind of text that the parser skipped. */
  readonly errorKind: number;
  /** Lists of the supertypes of nodes, by number. */
  readonly supertypeLists: number[][] = [[]];
  private readonly language: TreeSitterLanguage;
  private readonly kinds: Uint16Array;
  private readonly info: Uint8Array;
  private readonly aliasesPerProduction: number;
  private readonly aliases: Uint16Array;
  /** Fields by production and position of the child, `fieldsPerProduction` each; 0 for none. */
  private readonly positionFields: Uint16Array;
  private readonly fieldsPerProduction: number;
  private readonly extendedLists = new Map<number, number>();
  /** Kinds of named types, and of tokens. */
  private readonly namedKinds = new Map<string, number>();
  private readonly tokenKinds = new Map<string, number>();

  constructor(language: TreeSitterLanguage, memory: ArrayBufferLike) {
    this.language = language;
    const address = getAddress(language);
    const words = new Int32Array(memory);
    const [bytes, halves] = [new Uint8Array(memory), new Uint16Array(memory)];
    const read = (offset: number) => words[(address + offset) >> 2]!;
    const sliceHalves = (offset: number, count: number) => {
      const start = read(offset) >> 1;
      return halves.slice(start, start + count);
    };
    const symbolCount = language.nodeTypeCount;
    const productionCount = read(PRODUCTION_COUNT);
    this.errorKind = symbolCount;
    this.types = [...Array.from(language.types, (type) => type ?? ''), 'ERROR'];
    this.fields = language.fields;
    this.kinds = sliceHalves(PUBLIC_SYMBOLS, symbolCount);
    this.info = bytes.slice(read(SYMBOL_INFO), read(SYMBOL_INFO) + INFO_SIZE * symbolCount);
    for (const [symbol, type] of language.types.entries()) {
      if (!this.info[INFO_SIZE * symbol]) continue;
      const kinds = this.isNamed(symbol) ? this.namedKinds : this.tokenKinds;
      if (!kinds.has(type)) kinds.set(type, this.kinds[symbol]!);
    }
    this.aliasesPerProduction = read(ALIASES_PER_PRODUCTION) & 0xffff;
    this.aliases = sliceHalves(ALIASES, productionCount * this.aliasesPerProduction);
    const slices = language.fields.length > 1 ? sliceHalves(FIELD_SLICES, 2 * productionCount) : [];
    const entries: { production: number; field: number; position: number }[] = [];
    for (let production = 0; production < slices.length / 2; production++) {
      const [first = 0, count = 0] = slices.slice(2 * production, 2 * production + 2);
      for (let entry = first; entry < first + count; entry++) {
        const at = read(FIELD_ENTRIES) + 4 * entry;
        const isInherited = bytes[at + 3] !== 0;
        if (!isInherited)
          entries.push({ production, field: halves[at >> 1]!, position: bytes[at + 2]! });
      }
    }
    this.fieldsPerProduction = 1 + Math.max(-1, ...entries.map(({ position }) => position));
    this.positionFields = new Uint16Array(productionCount * this.fieldsPerProduction);
    for (const { production, field, position } of entries.toReversed())
      this.positionFields[production * this.fieldsPerProduction + position] = field;
  }

  /** Returns the kind of a symbol. Several symbols may have one kind. */
  getKind(symbol: number): number {
    return symbol >= ERROR_REPEAT ? this.errorKind : this.kinds[symbol]!;
  }

  isNamed(symbol: number): boolean {
    return symbol === ERROR || this.info[INFO_SIZE * symbol + 1] !== 0;
  }

  /** Returns the symbol that replaces that of the child at a position; 0 if none does. */
  getAlias(production: number, position: number): number {
    if (production === 0 || position >= this.aliasesPerProduction) return 0;
    return this.aliases[production * this.aliasesPerProduction + position]!;
  }

  /** Returns the field of the child at a position; 0 if it has none. */
  getField(production: number, position: number): number {
    if (position >= this.fieldsPerProduction) return 0;
    return this.positionFields[production * this.fieldsPerProduction + position]!;
  }

  /** Returns the number of a list of supertypes with the symbol of one more hidden node, if that is a supertype. */
  addSupertype(list: number, symbol: number): number {
    if (symbol >= ERROR_REPEAT || this.info[INFO_SIZE * symbol + 2] === 0) return list;
    const key = list * ERROR + symbol;
    const known = this.extendedLists.get(key);
    if (known !== undefined) return known;
    const extended =
      this.supertypeLists.push([...this.supertypeLists[list]!, this.getKind(symbol)]) - 1;
    this.extendedLists.set(key, extended);
    return extended;
  }

  isSupertype(kind: number): boolean {
    return this.info[INFO_SIZE * kind + 2] === 1;
  }

  /** Returns the kind of a type; null if the grammar has none of this name. */
  findKind(type: string, isNamed: boolean): number | null {
    if (type === 'ERROR' && isNamed) return this.errorKind;
    const known = (isNamed ? this.namedKinds : this.tokenKinds).get(type);
    // Supertypes are hidden, so they are not among the types.
    return known ?? this.language.idForNodeType(type, isNamed);
  }

  /** Returns the number of a field; null if the grammar has none of this name. */
  findField(name: string): number | null {
    return this.language.fieldIdForName(name);
  }
}
