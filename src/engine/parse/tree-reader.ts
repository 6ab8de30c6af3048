/** Reads syntax trees from the parser's memory, since a call into WebAssembly for each node takes longer than parsing does. */
import type { Tree, Language as TreeSitterLanguage } from 'web-tree-sitter';
import { GrammarTables } from './grammar-tables.ts';
import { SyntaxTree } from './syntax-tree.ts';
import { getAddress } from './tree-address.ts';
import { growArray, HAS_ERROR, MISSING, NAMED, TreeColumns } from './tree-columns.ts';

/**
 * Layout of a `Subtree` of web-tree-sitter 0.27, from its `subtree.h`: offsets of members in bytes. A test compares the trees
 * of all languages with what the parser reports.
 */
const PADDING = 4;
const SIZE = 16;
const ERROR_COST = 32;
const CHILD_COUNT = 36;
const SYMBOL = 40;
const FLAGS = 44;
const PRODUCTION = 66;
/** Bytes of an entry in the list of children, which ends where their parent begins. */
const ENTRY_SIZE = 8;
/** Flags of a node that has its own memory. */
const HEAP = { visible: 1, named: 2, extra: 4, missing: 512 } as const;
/** Flags of a small leaf, which has only its entry. Pointers do not have the lowest bit. */
const INLINE = { leaf: 1, visible: 2, named: 4, extra: 8, missing: 32 } as const;

/** Number of nodes above which the memory of a tree is not used again. */
const MAX_KEPT_LENGTH = 1 << 18;
/** Numbers saved for a node while its children are read. */
const FRAME_SIZE = 8;

/** Reads the trees of one grammar. A tree is valid until the next one is read. */
export class TreeReader {
  readonly tables: GrammarTables;
  private readonly memory: { buffer: ArrayBufferLike };
  private columns = new TreeColumns();
  private words: Int32Array = new Int32Array();
  private halves: Uint16Array = new Uint16Array();
  private frames = new Int32Array(64 * FRAME_SIZE);
  private depth = 0;

  // The node whose children are being read.
  /** Addresses of the next entry, and of the end of the entries. */
  private entry = 0;
  private end = 0;
  /** Number of entries before the next one, without comments and other extras. */
  private position = 0;
  private production = 0;
  /** Field and supertypes of the children, if the node is hidden. */
  private field = 0;
  private supertypes = 0;
  /** Number of the node, or of the visible one around it; and its number, -1 if it is hidden. */
  private parent = -1;
  private own = -1;

  /** Field and symbol of the node of the entry before. */
  private lastField = 0;
  private lastSymbol = 0;

  /** @param memory memory of the parser that creates the trees */
  constructor(language: TreeSitterLanguage, memory: { buffer: ArrayBufferLike }) {
    this.memory = memory;
    this.tables = new GrammarTables(language, memory.buffer);
  }

  /** @param text the text from which the parser made the tree */
  read(tree: Tree, text: string): SyntaxTree {
    if (this.words.buffer !== this.memory.buffer) {
      this.words = new Int32Array(this.memory.buffer);
      this.halves = new Uint16Array(this.memory.buffer);
    }
    if (this.columns.kinds.length > MAX_KEPT_LENGTH) this.columns = new TreeColumns();
    this.columns.count = 0;
    const address = getAddress(tree);
    // The tree begins with the entry of its root.
    [this.entry, this.end, this.position] = [address, address + ENTRY_SIZE, 0];
    [this.production, this.field, this.supertypes] = [0, 0, 0];
    [this.parent, this.own, this.depth] = [-1, -1, 0];
    this.readEntries();
    return new SyntaxTree(this.columns, this.tables, text);
  }

  /** Reads all nodes in order, with a stack of its own, because sources may be nested deeply. */
  private readEntries(): void {
    const { words, halves, columns } = this;
    // Offset in bytes where the white space before the next node begins. A UTF-16 unit has two bytes.
    let at = 0;
    for (;;) {
      if (this.entry === this.end) {
        if (this.own >= 0) columns.nexts[this.own] = columns.count;
        if (this.depth === 0) return;
        this.restore();
        continue;
      }
      const word = words[this.entry >> 2]!;
      if ((word & INLINE.leaf) !== 0) {
        const lengths = words[(this.entry >> 2) + 1]!;
        const start = at + ((lengths >> 16) & 0xff);
        at = start + (lengths >>> 24);
        this.add((word >> 8) & 0xff, readInlineFlags(word), start, at);
        this.entry += ENTRY_SIZE;
        continue;
      }
      const bits = halves[(word + FLAGS) >> 1]!;
      const hasErrors = words[(word + ERROR_COST) >> 2]! > 0;
      const start = at + words[(word + PADDING) >> 2]!;
      const end = start + words[(word + SIZE) >> 2]!;
      const childCount = words[(word + CHILD_COUNT) >> 2]!;
      const node = this.add(
        halves[(word + SYMBOL) >> 1]!,
        readHeapFlags(bits) | (hasErrors ? HAS_ERROR : 0),
        start,
        end,
      );
      this.entry += ENTRY_SIZE;
      if (childCount === 0) at = end;
      else this.enter(word, childCount, node);
    }
  }

  /** Adds the node of the current entry, if it is visible. Returns its number, else -1. */
  private add(symbol: number, bits: number, start: number, end: number): number {
    const { columns, tables } = this;
    let kind = symbol;
    let flags = bits;
    this.lastField = this.field;
    if ((bits & EXTRA) === 0) {
      const { production, position } = this;
      if (production !== 0) {
        const alias = tables.getAlias(production, position);
        if (alias !== 0) {
          kind = alias;
          flags = (flags & ~NAMED) | VISIBLE | (tables.isNamed(alias) ? NAMED : 0);
        }
      }
      this.lastField = tables.getField(production, position) || this.field;
      this.position = position + 1;
    }
    this.lastSymbol = kind;
    if ((flags & VISIBLE) === 0) return -1;
    columns.reserve();
    const node = columns.count++;
    columns.kinds[node] = tables.getKind(kind);
    columns.flags[node] = flags & (NAMED | MISSING | HAS_ERROR);
    columns.fields[node] = this.lastField;
    columns.supertypes[node] = this.supertypes;
    columns.starts[node] = start >> 1;
    columns.ends[node] = end >> 1;
    columns.parents[node] = this.parent;
    columns.nexts[node] = node + 1;
    return node;
  }

  /** Saves the current node, and continues with the children of the one that was added last. */
  private enter(address: number, childCount: number, node: number): void {
    if (this.depth * FRAME_SIZE === this.frames.length)
      this.frames = growArray(this.frames, 2 * this.frames.length);
    const { frames } = this;
    let f = this.depth++ * FRAME_SIZE;
    frames[f++] = this.entry;
    frames[f++] = this.end;
    frames[f++] = this.position;
    frames[f++] = this.production;
    frames[f++] = this.field;
    frames[f++] = this.supertypes;
    frames[f++] = this.parent;
    frames[f] = this.own;
    const isVisible = node >= 0;
    this.field = isVisible ? 0 : this.lastField;
    this.supertypes = isVisible ? 0 : this.tables.addSupertype(this.supertypes, this.lastSymbol);
    if (isVisible) this.parent = node;
    this.own = node;
    this.end = address;
    this.entry = address - childCount * ENTRY_SIZE;
    this.position = 0;
    this.production = this.halves[(address + PRODUCTION) >> 1]!;
  }

  private restore(): void {
    const { frames } = this;
    let f = --this.depth * FRAME_SIZE;
    this.entry = frames[f++]!;
    this.end = frames[f++]!;
    this.position = frames[f++]!;
    this.production = frames[f++]!;
    this.field = frames[f++]!;
    this.supertypes = frames[f++]!;
    this.parent = frames[f++]!;
    this.own = frames[f]!;
  }
}

/** Flags that the columns do not keep, beside those that they do. */
const VISIBLE = 8;
const EXTRA = 16;

function readInlineFlags(word: number): number {
  return (
    ((word & INLINE.visible) !== 0 ? VISIBLE : 0) |
    ((word & INLINE.named) !== 0 ? NAMED : 0) |
    ((word & INLINE.extra) !== 0 ? EXTRA : 0) |
    ((word & INLINE.missing) !== 0 ? MISSING | HAS_ERROR : 0)
  );
}

function readHeapFlags(bits: number): number {
  return (
    ((bits & HEAP.visible) !== 0 ? VISIBLE : 0) |
    ((bits & HEAP.named) !== 0 ? NAMED : 0) |
    ((bits & HEAP.extra) !== 0 ? EXTRA : 0) |
    ((bits & HEAP.missing) !== 0 ? MISSING | HAS_ERROR : 0)
  );
}
