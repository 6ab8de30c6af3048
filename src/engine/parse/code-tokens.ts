/** What the names in a file are: classes, functions, what is called, parameters, properties. For its colours alone. */
import type { Node, Query } from 'web-tree-sitter';
import { type CodeTokens, TOKEN_KINDS } from '../../shared/code-tokens.ts';
import { getOrAdd } from '../../shared/get-or-add.ts';
import type { Language } from '../languages/language.ts';
import { loadQuery, parsed } from './grammar.ts';

const KINDS = new Map<string, number>(TOKEN_KINDS.map((kind, at) => [kind, at]));

const tokenizers = new Map<Language, ReturnType<typeof loadQuery>>();

/** @throws LocusError `not-found` when the grammar cannot be loaded; anything else is the parser failing on this text */
export async function codeTokens(language: Language, text: string): Promise<CodeTokens> {
  const { parser, query } = await getOrAdd(tokenizers, language, () =>
    loadQuery(language, language.tokens),
  );
  return parsed(language, parser, text, (tree) => encoded(namesIn(query, tree.rootNode, text)));
}

interface Captured {
  node: Node;
  as: string;
  pattern: number;
}

/** A function with its parameters, in a function. Offsets are in UTF-16 units. */
interface Scope {
  end: number;
  outer: Scope | null;
  parameters: Set<string>;
}

/** Names with their kinds, in order; names of other kinds, and of none, are left out. */
function namesIn(query: Query, root: Node, text: string): { node: Node; kind: number }[] {
  const { names, scopes } = captured(query, root);
  const textOf = ({ startIndex, endIndex }: Node) => text.slice(startIndex, endIndex);
  const around = scopeFinder(scopes);
  const placed = names.map((name) => ({ ...name, scope: around(name.node) }));
  for (const { as, node, scope } of placed) {
    if (as === 'parameter') scope?.parameters.add(textOf(node));
  }
  return placed.flatMap(({ as, node, scope }) => {
    const isUse = as === 'name' && isParameter(textOf(node), scope);
    const kind = KINDS.get(isUse ? 'parameter' : as);
    return kind === undefined ? [] : [{ node, kind }];
  });
}

function captured(query: Query, root: Node): { names: Captured[]; scopes: Node[] } {
  const names = new Map<number, Captured>();
  const scopes: Node[] = [];
  for (const { name: as, node, patternIndex: pattern } of query.captures(root)) {
    if (as === 'scope') {
      scopes.push(node);
      continue;
    }
    const known = names.get(node.startIndex);
    if (!known || pattern < known.pattern) names.set(node.startIndex, { node, as, pattern });
  }
  const sorted = [...names.values()].sort((a, b) => a.node.startIndex - b.node.startIndex);
  return { names: sorted, scopes };
}

function scopeFinder(scopes: readonly Node[]): (node: Node) => Scope | null {
  let next = 0;
  let innermost: Scope | null = null;
  return ({ startIndex: at }) => {
    for (let node = scopes[next]; node && node.startIndex <= at; node = scopes[++next]) {
      innermost = openAt(innermost, node.startIndex);
      innermost = { end: node.endIndex, outer: innermost, parameters: new Set() };
    }
    innermost = openAt(innermost, at);
    return innermost;
  };
}

function openAt(innermost: Scope | null, offset: number): Scope | null {
  let scope = innermost;
  while (scope && scope.end <= offset) scope = scope.outer;
  return scope;
}

function isParameter(name: string, innermost: Scope | null): boolean {
  for (let scope = innermost; scope; scope = scope.outer) {
    if (scope.parameters.has(name)) return true;
  }
  return false;
}

function encoded(names: readonly { node: Node; kind: number }[]): CodeTokens {
  const tokens: CodeTokens = [];
  let before = { row: 0, column: 0 };
  for (const { node, kind } of names) {
    const { row, column } = node.startPosition;
    // Names that go on over lines are none that an editor could colour.
    if (node.endPosition.row !== row) continue;
    const sameLine = row === before.row;
    const length = node.endIndex - node.startIndex;
    tokens.push(row - before.row, sameLine ? column - before.column : column, length, kind, 0);
    before = { row, column };
  }
  return tokens;
}
