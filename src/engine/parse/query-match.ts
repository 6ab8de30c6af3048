import { SyntaxNode, type SyntaxTree } from './syntax-tree.ts';

/** Match of a query pattern: its captures, by the part after the dot of `@role.part`. */
export class QueryMatch {
  /** Number of the pattern in its query. */
  readonly pattern: number;
  /** Number of the node that matches the whole pattern, and of the one where the match is found. */
  readonly root: number;
  readonly last: number;
  readonly #tree: SyntaxTree;
  readonly #parts: readonly string[];
  readonly #nodes: readonly number[];

  /** @param parts the part of each captured node */
  constructor(
    tree: SyntaxTree,
    pattern: number,
    root: number,
    last: number,
    parts: readonly string[],
    nodes: readonly number[],
  ) {
    this.#tree = tree;
    this.pattern = pattern;
    this.root = root;
    this.last = last;
    this.#parts = parts;
    this.#nodes = nodes;
  }

  find(part: string): SyntaxNode | undefined {
    const at = this.#parts.lastIndexOf(part);
    return at < 0 ? undefined : new SyntaxNode(this.#tree, this.#nodes[at] ?? 0);
  }

  /** Returns the node of a part. @throws Error if the query's pattern has no such part */
  get(part: string): SyntaxNode {
    const node = this.find(part);
    if (!node) throw new Error(`The query's pattern ${this.pattern} does not capture ${part}`);
    return node;
  }

  /** Returns the captured nodes with their parts. */
  entries(): [part: string, node: SyntaxNode][] {
    return this.#nodes.map((node, i) => [this.#parts[i] ?? '', new SyntaxNode(this.#tree, node)]);
  }

  texts(): Record<string, string> {
    return Object.fromEntries(this.entries().map(([part, { text }]) => [part, text]));
  }

  /** Returns true if this match captures all nodes that another one captures. */
  includes(other: QueryMatch): boolean {
    return other.#nodes.every((node) => this.#nodes.includes(node));
  }
}
