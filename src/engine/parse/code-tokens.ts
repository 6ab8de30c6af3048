/** Classifies the names in a file (classes, functions, calls, parameters, properties) for syntax coloring. */
import { type CodeTokens, TOKEN_KINDS } from '../../shared/code-tokens.ts';
import type { Language } from '../languages/language.ts';
import { loadGrammar } from './grammar.ts';
import type { SyntaxNode } from './syntax-tree.ts';
import type { Matches } from './tree-query.ts';

const KIND_NUMBERS = new Map<string, number>(TOKEN_KINDS.map((kind, at) => [kind, at]));

/**
 * Returns the kinds of the names in a text.
 * @throws LocusError `not-found` if the grammar cannot be loaded; any other error means that the parser failed on this text
 */
export async function readCodeTokens(language: Language, text: string): Promise<CodeTokens> {
  const grammar = await loadGrammar(language);
  const markup = language.markup?.read(text);
  const matches = grammar.findMatches(language.tokens, grammar.parse(text, markup));
  return encodeTokens(findNames(matches, markup?.text ?? text));
}

interface Captured {
  node: SyntaxNode;
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
function findNames(matches: Matches, text: string): { node: SyntaxNode; kind: number }[] {
  const { names, scopes } = collectCaptures(matches);
  const textOf = ({ startIndex, endIndex }: SyntaxNode) => text.slice(startIndex, endIndex);
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

function collectCaptures(matches: Matches): { names: Captured[]; scopes: SyntaxNode[] } {
  const names = new Map<number, Captured>();
  const scopes: SyntaxNode[] = [];
  for (const match of [...matches.values()].flat()) {
    for (const [as, node] of match.entries()) {
      if (as === 'scope') {
        scopes.push(node);
        continue;
      }
      const known = names.get(node.startIndex);
      if (!known || match.pattern < known.pattern)
        names.set(node.startIndex, { node, as, pattern: match.pattern });
    }
  }
  scopes.sort((a, b) => a.id - b.id);
  const sorted = [...names.values()].sort((a, b) => a.node.startIndex - b.node.startIndex);
  return { names: sorted, scopes };
}

function createScopeFinder(scopes: readonly SyntaxNode[]): (node: SyntaxNode) => Scope | null {
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

function encodeTokens(names: readonly { node: SyntaxNode; kind: number }[]): CodeTokens {
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
