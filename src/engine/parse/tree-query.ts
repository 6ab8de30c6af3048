/** Finds the matches of queries in syntax trees. */
import { assertPresent } from '../../shared/assert-present.ts';
import { appendTo } from '../../shared/lists-by-key.ts';
import type { GrammarTables } from './grammar-tables.ts';
import { QueryMatch } from './query-match.ts';
import { ANY, ANY_NAMED, compileQuery, type Pattern, type Step } from './query-pattern.ts';
import { SyntaxNode, type SyntaxTree } from './syntax-tree.ts';
import { MISSING, NAMED } from './tree-columns.ts';

/** Matches of a file, by role. */
export type Matches = Map<string, QueryMatch[]>;

/**
 * Compiled query of a grammar. Its matches are those of tree-sitter's queries, but it is compiled in a few milliseconds, and
 * runs without calls into WebAssembly.
 */
export class TreeQuery {
  private readonly tables: GrammarTables;
  private readonly parts: readonly string[];
  /** Patterns that may begin at a node of a kind, by kind. */
  private readonly patternsByKind: readonly Pattern[][];
  private readonly missingPatterns: readonly Pattern[];
  private matches: Matches = new Map();
  private tree!: SyntaxTree;
  private kinds!: Uint16Array;
  private flags!: Uint8Array;
  private fields!: Uint16Array;
  private nexts!: Int32Array;
  private pattern!: Pattern;
  /** Nodes of the current pattern's steps, by depth. */
  private readonly path: number[] = [];
  private readonly captures: number[] = [];
  private readonly nodes: number[] = [];
  /** Captures of the matches of an ambiguous pattern at the current root. */
  private readonly seen = new Set<string>();
  /**
   * Other ways in which the current pattern may still match: the number of captures so far, and the first sibling that may match.
   * If several ways capture the same nodes, they count as one match, found where the last of them ends.
   */
  private readonly forkLengths: number[] = [];
  private readonly forkNodes: number[] = [];

  /** @throws Error if the query is malformed or does not fit the grammar */
  constructor(source: string, tables: GrammarTables) {
    const { patterns, parts } = compileQuery(source, tables);
    this.tables = tables;
    this.parts = parts;
    this.missingPatterns = patterns.filter(({ roots }) => roots.some(({ isMissing }) => isMissing));
    this.patternsByKind = Array.from(tables.types, (_, kind) =>
      patterns.filter(({ roots }) => roots.some((root) => this.canMatchKind(root, kind))),
    );
  }

  private canMatchKind({ kind, isMissing }: Step, other: number): boolean {
    return !isMissing && (kind < 0 ? other !== this.tables.errorKind : kind === other);
  }

  /** Returns the matches, by role. Those of a role are in the order of their last nodes. */
  findMatches(tree: SyntaxTree): Matches {
    const { count, kinds, flags, fields, nexts } = tree.columns;
    this.tree = tree;
    [this.kinds, this.flags, this.fields, this.nexts] = [kinds, flags, fields, nexts];
    this.matches = new Map();
    for (let node = 0; node < count; node++) {
      const patterns = this.patternsByKind[kinds[node]!]!;
      for (let i = 0; i < patterns.length; i++) this.matchPattern(patterns[i]!, node);
      if ((flags[node]! & MISSING) !== 0)
        for (const pattern of this.missingPatterns) this.matchPattern(pattern, node);
    }
    for (const found of this.matches.values()) found.sort(compareMatches);
    return this.matches;
  }

  private matchPattern(pattern: Pattern, node: number): void {
    this.pattern = pattern;
    if (pattern.isAmbiguous) this.seen.clear();
    const { roots } = pattern;
    for (let i = 0; i < roots.length; i++) {
      if (!this.canTake(roots[i]!, node)) continue;
      this.path[0] = node;
      this.take(roots[i]!, node);
    }
  }

  /** Takes a step to a node, and continues with the steps after it. */
  private take(step: Step, node: number): void {
    const { captures, nodes } = this;
    const { next } = step;
    const { length } = captures;
    for (let i = 0; i < step.captures.length; i++) {
      captures.push(step.captures[i]!);
      nodes.push(node);
    }
    if (step.isOptional) this.takeOptional(step, node);
    else for (let i = 0; i < next.length; i++) this.continue(step, node, next[i]!);
    captures.length = length;
    nodes.length = length;
  }

  private continue(step: Step, node: number, following: Step | null): void {
    if (following === null) this.add(node);
    else this.search(following, this.getFirst(step, node, following), step);
  }

  /** Returns the first node to which a step may be taken after another. */
  private getFirst(step: Step, node: number, following: Step): number {
    return following.depth > step.depth ? node + 1 : this.nexts[this.path[following.depth]!]!;
  }

  /** Continues after a step with steps of which the first ones can be left out. A match that leaves out more counts only if it captures something else. */
  private takeOptional(step: Step, node: number): void {
    const found = this.getFound();
    const first = found.length;
    const forks = this.forkNodes.length;
    for (const following of step.next) {
      const before = found.length;
      this.continue(step, node, following);
      if (before > first) this.dropIncluded(found, first, before);
      if (following === null) continue;
      const from = this.getFirst(step, node, following);
      if (from < this.nexts[this.path[following.depth - 1]!]!) this.addFork(from);
    }
    this.dropForks(forks);
  }

  /** Takes a step to each sibling that matches, from `from` on. */
  private search(step: Step, from: number, previous: Step): void {
    const { nexts, path } = this;
    const { depth } = step;
    const end = nexts[path[depth - 1]!]!;
    const before = path[depth]!;
    const isNext = step.isImmediate && previous.kind === ANY && !previous.isMissing;
    const isAmbiguous = this.pattern.isAmbiguous && step.isRepeatable;
    for (let node = from; node < end; node = nexts[node]!) {
      if (this.canTake(step, node)) {
        path[depth] = node;
        const forks = this.forkNodes.length;
        if (isAmbiguous && this.canMatchLater(step, nexts[node]!, end)) this.addFork(nexts[node]!);
        this.take(step, node);
        if (isAmbiguous) this.dropForks(forks);
        if (!step.isRepeatable) break;
      }
      if (isNext || (step.isImmediate && (this.flags[node]! & NAMED) !== 0)) break;
    }
    path[depth] = before;
  }

  private canTake(step: Step, node: number): boolean {
    const { kind, field } = step;
    if (field !== 0 && this.fields[node] !== field) return false;
    if (kind >= 0) {
      if (this.kinds[node] !== kind) return false;
    } else if (kind === ANY_NAMED) {
      if ((this.flags[node]! & NAMED) === 0 || this.kinds[node] === this.tables.errorKind)
        return false;
    }
    return step.isPlain || this.meetsConditions(step, node);
  }

  private meetsConditions(step: Step, node: number): boolean {
    if (step.isMissing && (this.flags[node]! & MISSING) === 0) return false;
    if (step.kind === ANY && !step.isMissing && this.kinds[node] === this.tables.errorKind)
      return false;
    if (step.supertype >= 0 && !this.hasSupertype(node, step.supertype)) return false;
    if (step.isLast && this.hasNamedAfter(node)) return false;
    return step.absent.length === 0 || !this.hasField(node, step.absent);
  }

  private hasSupertype(node: number, supertype: number): boolean {
    const list = this.tables.supertypeLists[this.tree.columns.supertypes[node]!]!;
    return list.includes(supertype);
  }

  /** Returns true if a sibling from `from` on may match a step too. */
  private canMatchLater({ field }: Step, from: number, end: number): boolean {
    if (field === 0) return from < end;
    for (let node = from; node < end; node = this.nexts[node]!)
      if (this.fields[node] === field) return true;
    return false;
  }

  private hasNamedAfter(node: number): boolean {
    const end = node === 0 ? 0 : this.nexts[this.tree.columns.parents[node]!]!;
    for (let sibling = this.nexts[node]!; sibling < end; sibling = this.nexts[sibling]!)
      if ((this.flags[sibling]! & NAMED) !== 0) return true;
    return false;
  }

  private hasField(node: number, fields: readonly number[]): boolean {
    for (let child = node + 1; child < this.nexts[node]!; child = this.nexts[child]!)
      if (fields.includes(this.fields[child]!)) return true;
    return false;
  }

  private getFound(): QueryMatch[] {
    const { role } = this.pattern;
    return this.matches.get(role) ?? this.matches.set(role, []).get(role)!;
  }

  /** Adds the current match, unless its predicates exclude it or the pattern captured the same before. */
  private add(last: number): void {
    const { pattern, captures, nodes } = this;
    if (pattern.isAmbiguous) {
      const key = nodes.join();
      if (this.seen.has(key)) return;
      this.seen.add(key);
    }
    if (pattern.predicates.length > 0 && !this.passesPredicates()) return;
    const end = this.forkNodes.length > 0 ? this.findEnd(last) : last;
    const shape = findShape(pattern, captures, this.parts);
    appendTo(
      this.matches,
      pattern.role,
      new QueryMatch(this.tree, pattern.number, this.path[0]!, end, shape, nodes.slice()),
    );
  }

  private passesPredicates(): boolean {
    const { captures, nodes, tree } = this;
    const getTexts = (capture: number) =>
      nodes
        .filter((_, i) => captures[i] === capture)
        .map((node) => new SyntaxNode(tree, node).text);
    return this.pattern.predicates.every((passes) => passes(getTexts));
  }

  private addFork(node: number): void {
    this.forkLengths.push(this.captures.length);
    this.forkNodes.push(node);
  }

  private dropForks(length: number): void {
    this.forkLengths.length = length;
    this.forkNodes.length = length;
  }

  /** Returns the node where the last of the ways ends that capture the same as the current match, which ends at a node. */
  private findEnd(node: number): number {
    let last = node;
    for (const [i, start] of this.forkNodes.entries()) {
      if (this.forkLengths[i] !== this.captures.length) continue;
      const end = this.nexts[this.tree.columns.parents[start]!]!;
      for (let sibling = start; sibling < end; sibling = this.nexts[sibling]!)
        last = Math.max(last, sibling);
    }
    return last;
  }

  /** Drops the matches from `from` on that capture no other nodes than one of those from `first` on. */
  private dropIncluded(found: QueryMatch[], first: number, from: number): void {
    const others = found.slice(first, from);
    const added = found.splice(from);
    found.push(...added.filter((match) => !others.some((other) => other.includes(match))));
  }
}

/** Returns the parts of the current captures, as one array for all matches of a pattern with the same captures. */
function findShape(
  pattern: Pattern,
  captures: readonly number[],
  parts: readonly string[],
): readonly string[] {
  const known = pattern.shapes.find(
    (shape) =>
      shape.captures.length === captures.length &&
      shape.captures.every((capture, i) => capture === captures[i]),
  );
  if (known) return known.parts;
  const shape = {
    captures: captures.slice(),
    parts: captures.map((capture) => assertPresent(parts[capture], 'part of a capture')),
  };
  pattern.shapes.push(shape);
  return shape.parts;
}

function compareMatches(a: QueryMatch, b: QueryMatch): number {
  return a.last - b.last || a.root - b.root || a.pattern - b.pattern;
}
