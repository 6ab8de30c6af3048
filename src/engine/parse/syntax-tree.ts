/** Syntax tree of a source in columns of numbers, so that reading it does not enter WebAssembly. */
import type { NodePart } from '../languages/language.ts';
import { growArray, HAS_ERROR, NAMED, type TreeColumns } from './tree-columns.ts';

/** Row (0-based), and UTF-16 column in it. */
export interface SourcePosition {
  row: number;
  column: number;
}

/** Names of a grammar's types and fields, by their numbers. */
export interface GrammarNames {
  types: readonly string[];
  fields: readonly (string | null)[];
}

/** Tree of one source. It is valid until the next source is parsed. */
export class SyntaxTree {
  readonly columns: TreeColumns;
  readonly names: GrammarNames;
  readonly text: string;
  /** Offset of each row. */
  private rowStarts: Int32Array | null = null;
  private rowCount = 0;

  /** @param text the parsed text */
  constructor(columns: TreeColumns, names: GrammarNames, text: string) {
    this.columns = columns;
    this.names = names;
    this.text = text;
  }

  get rootNode(): SyntaxNode {
    return new SyntaxNode(this, 0);
  }

  /** Returns the position of an offset. */
  locate(offset: number): SourcePosition {
    const starts = this.getRowStarts();
    let [low, high] = [1, this.rowCount];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (starts[middle]! <= offset) low = middle + 1;
      else high = middle;
    }
    return { row: low - 1, column: offset - starts[low - 1]! };
  }

  /** Returns the smallest node that contains the character at a position; at its row's line break if the column is negative. */
  findNodeAt({ row, column }: SourcePosition): SyntaxNode {
    const { nexts, starts, ends } = this.columns;
    const rowStart = this.getRowStarts()[Math.min(row, this.rowCount - 1)]!;
    const newline = this.text.indexOf('\n', rowStart);
    const at = column >= 0 ? rowStart + column : newline < 0 ? this.text.length : newline;
    let found = 0;
    for (let child = 1; child < nexts[found]!; ) {
      if (ends[child]! <= at) child = nexts[child]!;
      else if (starts[child]! > at) break;
      else found = child++;
    }
    return new SyntaxNode(this, found);
  }

  private getRowStarts(): Int32Array {
    if (this.rowStarts) return this.rowStarts;
    const { text } = this;
    let starts = new Int32Array(64 + (text.length >> 5));
    let count = 1;
    for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) {
      if (count === starts.length) starts = growArray(starts, 2 * count);
      starts[count++] = at + 1;
    }
    this.rowCount = count;
    this.rowStarts = starts;
    return starts;
  }
}

/** Node of a tree. Its `id` is its number in the columns. */
export class SyntaxNode {
  readonly tree: SyntaxTree;
  readonly id: number;

  constructor(tree: SyntaxTree, id: number) {
    this.tree = tree;
    this.id = id;
  }

  get type(): string {
    return this.tree.names.types[this.tree.columns.kinds[this.id]!]!;
  }

  get startIndex(): number {
    return this.tree.columns.starts[this.id]!;
  }

  get endIndex(): number {
    return this.tree.columns.ends[this.id]!;
  }

  get text(): string {
    return this.tree.text.slice(this.startIndex, this.endIndex);
  }

  get startPosition(): SourcePosition {
    return this.tree.locate(this.startIndex);
  }

  get endPosition(): SourcePosition {
    return this.tree.locate(this.endIndex);
  }

  get isNamed(): boolean {
    return (this.tree.columns.flags[this.id]! & NAMED) !== 0;
  }

  get hasError(): boolean {
    return (this.tree.columns.flags[this.id]! & HAS_ERROR) !== 0;
  }

  get parent(): SyntaxNode | null {
    return this.id === 0 ? null : new SyntaxNode(this.tree, this.tree.columns.parents[this.id]!);
  }

  get children(): SyntaxNode[] {
    const { nexts } = this.tree.columns;
    const children: SyntaxNode[] = [];
    for (let child = this.id + 1; child < nexts[this.id]!; child = nexts[child]!)
      children.push(new SyntaxNode(this.tree, child));
    return children;
  }

  get namedChildren(): SyntaxNode[] {
    return this.children.filter((child) => child.isNamed);
  }

  /** Returns the child in a field, or the named child at an index, negative from the end, or null. */
  getPart(part: NodePart): SyntaxNode | null {
    if (typeof part === 'number') return this.namedChildren.at(part) ?? null;
    const { nexts, fields } = this.tree.columns;
    const field = this.tree.names.fields.indexOf(part);
    for (let child = this.id + 1; child < nexts[this.id]!; child = nexts[child]!)
      if (fields[child] === field) return new SyntaxNode(this.tree, child);
    return null;
  }
}
