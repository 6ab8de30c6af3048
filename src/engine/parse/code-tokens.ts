/** Classifies the names in a file (classes, functions, calls, parameters, properties) for syntax coloring. */
import type { Node, Query } from 'web-tree-sitter';
import { type CodeTokens, TOKEN_KINDS } from '../../shared/code-tokens.ts';
import { getOrAdd } from '../../shared/get-or-add.ts';
import type { Language } from '../languages/language.ts';
import { loadQuery, parseSource } from './grammar.ts';

const KIND_NUMBERS = new Map<string, number>(TOKEN_KINDS.map((kind, at) => [kind, at]));

const tokenizers = new Map<Language, ReturnType<typeof loadQuery>>();

/**
 * Returns the kinds of the names in a text.
 * @throws LocusError `not-found` if the grammar cannot be loaded; any other error means that the parser failed on this text
 */
export async function readCodeTokens(language: Language, text: string): Promise<CodeTokens> {
  const { parser, query } = await getOrAdd(tokenizers, language, () =>
    loadQuery(language, language.tokens),
  );
  return parseSource(language, parser, text, (tree) =>
    encodeTokens(findNames(query, tree.rootNode, text)),
  );
}

interface Captured {
  node: Node;
  as: string;
  pattern: number;
}

/** Function with its parameters, and the scope around it. Offsets are in UTF-16 units. */
interface Scope {
  end: number;
  outer: Scope | null;
  parameters: Set<string>;
}

/** Returns names with their kinds, in order. Names of other kinds are left out. */
function findNames(query: Query, root: Node, text: string): { node: Node; kind: number }[] {
  const { names, scopes } = collectCaptures(query, root);
  const textOf = ({ startIndex, endIndex }: Node) => text.slice(startIndex, endIndex);
  const around = createScopeFinder(scopes);
  const scoped = names.map((name) => ({ ...name, scope: around(name.node) }));
  for (const { as, node, scope } of scoped) {
    if (as === 'parameter') scope?.parameters.add(textOf(node));
  }
  return scoped.flatMap(({ as, node, scope }) => {
    const isUse = as === 'name' && isParameter(textOf(node), scope);
    const kind = KIND_NUMBERS.get(isUse ? 'parameter' : as);
    return kind === undefined ? [] : [{ node, kind }];
  });
}

function collectCaptures(query: Query, root: Node): { names: Captured[]; scopes: Node[] } {
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

function createScopeFinder(scopes: readonly Node[]): (node: Node) => Scope | null {
  let next = 0;
  let innermost: Scope | null = null;
  return ({ startIndex: at }) => {
    for (let node = scopes[next]; node && node.startIndex <= at; node = scopes[++next]) {
      innermost = findOpenScope(innermost, node.startIndex);
      innermost = { end: node.endIndex, outer: innermost, parameters: new Set() };
    }
    innermost = findOpenScope(innermost, at);
    return innermost;
  };
}

function findOpenScope(innermost: Scope | null, offset: number): Scope | null {
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

function encodeTokens(names: readonly { node: Node; kind: number }[]): CodeTokens {
  const tokens: CodeTokens = [];
  let before = { row: 0, column: 0 };
  for (const { node, kind } of names) {
    const { row, column } = node.startPosition;
    // Editors cannot color a token that spans several lines.
    if (node.endPosition.row !== row) continue;
    const sameLine = row === before.row;
    const length = node.endIndex - node.startIndex;
    tokens.push(row - before.row, sameLine ? column - before.column : column, length, kind, 0);
    before = { row, column };
  }
  return tokens;
}
