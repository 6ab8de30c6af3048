import type { Language } from '../languages/language.ts';
import { type DefinitionHeader, readHeader } from '../languages/layout/header.ts';
import type { SourceLines } from '../languages/layout/lines.ts';
import type { MarkupSection } from '../languages/markup.ts';
import type { QueryMatch } from './query-match.ts';
import type { SourcePosition, SyntaxNode, SyntaxTree } from './syntax-tree.ts';
import type { Matches } from './tree-query.ts';

/** Range of a source: 0-based rows, and UTF-16 columns within them. The end is exclusive. */
export interface SourceSpan {
  startRow: number;
  startColumn: number;
  endRow: number;
  endColumn: number;
}

/** Maximum length of a row that several definitions share, in UTF-16 units, since the row is read for each of them. */
const MAX_SHARED_ROW = 2_000;

/** Function, class or namespace of a source. Rows are 0-based and inclusive. */
export interface Definition {
  /** A namespace is not a chunk. It qualifies the names of its members. */
  kind: 'function' | 'class' | 'namespace';
  name: string;
  /** Prefix in the written name: `A.B` for `void A::B::f()`. Mostly empty. */
  qualifier: string;
  /** Type of a method that is defined outside of it, or type that a partial class belongs to; else empty. */
  owner: string;
  nameIndex: number;
  /** Offsets in the text, decorators included; -1 if only rows are known. */
  startIndex: number;
  endIndex: number;
  /** First row, decorators and the comment above included. */
  startRow: number;
  endRow: number;
  /** Column of the start in its row; -1 if only rows are known. */
  startColumn: number;
  /** Column of the first row where its text begins: 0, or the start if another definition ends on that row. */
  firstColumn: number;
  /** Column of the last row before which its text ends: infinite, or the start of another definition on that row. */
  lastColumn: number;
  /** Offset of the header, after any decorators; -1 if only rows are known. */
  headerIndex: number;
  headerRow: number;
  headerEndRow: number;
  /** Offset where the header ends and the body begins; -1 if unknown. */
  bodyIndex: number;
  /** False for a declaration without a body. */
  hasBody: boolean;
  doc: SourceSpan | null;
  hasErrors: boolean;
  parent: Definition | null;
  /** False for namespaces, and for definitions inside functions, which belong to the function's chunk. */
  isChunk: boolean;
  /** Part of a template; left out for definitions in code. */
  section?: MarkupSection;
}

/**
 * Returns the definitions of a source in order of their start, outer before inner. Any two of them either nest or share at
 * most one row. Where parsing failed, definitions are recognized by their header lines and the layout of the lines below.
 * @param templates definitions that are parts of templates, in order
 */
export function findDefinitions(
  language: Language,
  tree: SyntaxTree,
  matches: Matches,
  lines: SourceLines,
  templates: readonly Definition[] = [],
): Definition[] {
  const docs = new Map<number, SourceSpan>();
  for (const match of matches.get('documented') ?? []) {
    docs.set(match.get('body').startIndex, getSpan(match.get('string')));
  }
  const around = new Map<number, SyntaxNode>();
  for (const match of matches.get('decorated') ?? []) {
    around.set(match.get('definition').id, match.get('node'));
  }
  const leadingNodes = new LeadingNodes(language, matches, lines);
  const byNode = new Map<number, Definition>();
  for (const match of matches.get('definition') ?? []) {
    const node = getNode(match);
    const outer = findOutermost(node, around);
    const definition = createFromNode(language, match, outer, docs);
    if (definition.name === '') continue;
    const known = byNode.get(node.id);
    // In a list of tags, a class may also be tagged as a function, such as Zig's functions that return a type.
    const isClass = language.nodes.body !== undefined && definition.kind === 'class';
    if (known && !(isClass && known.kind === 'function')) {
      // Several patterns may match one definition, each with other captures.
      known.owner ||= definition.owner;
      known.headerEndRow = Math.min(known.headerEndRow, definition.headerEndRow);
      continue;
    }
    leadingNodes.attachTo(definition, outer);
    byNode.set(node.id, definition);
  }
  let found = [...byNode.values()];
  const errors = matches.get('error');
  if (errors) {
    const skip = (row: number) => isInLiteral(language, tree, lines, row);
    // Namespaces are left out, because their members need not be indented.
    for (const definition of found.filter(({ kind }) => kind !== 'namespace'))
      correctEnd(definition, language, lines, skip);
    found = [...found, ...recoverDefinitions(language, tree, errors, lines, found, templates)];
  }
  endBeforeTemplates(found, templates);
  found.push(...templates);
  found.sort((a, b) => a.startRow - b.startRow || a.startIndex - b.startIndex);
  const isOpen = language.nodes.reachesNext
    ? () => true
    : ({ kind, hasBody }: Definition) => kind === 'namespace' && !hasBody;
  extendToNext(found.filter(isOpen), lines.count - 1);
  const nested = nestDefinitions(found, lines);
  return language.nodes.clauses ? joinClauses(nested) : nested;
}

/** Makes functions of one name that follow each other one definition, with the definitions in all of them. */
function joinClauses(definitions: readonly Definition[]): Definition[] {
  const joined = new Map<Definition, Definition>();
  const lastIn = new Map<Definition | null, Definition>();
  return definitions.filter((definition) => {
    const { kind, name, owner } = definition;
    const parent = definition.parent && (joined.get(definition.parent) ?? definition.parent);
    definition.parent = parent;
    const before = lastIn.get(parent);
    const isClause = kind === 'function' && before?.kind === kind && before.name === name;
    if (!isClause || before.owner !== owner) {
      lastIn.set(parent, definition);
      return true;
    }
    joined.set(definition, before);
    before.endRow = definition.endRow;
    before.endIndex = definition.endIndex;
    before.lastColumn = definition.lastColumn;
    before.hasErrors ||= definition.hasErrors;
    return false;
  });
}

function getNode(match: QueryMatch): SyntaxNode {
  return match.find('function') ?? match.find('class') ?? match.get('namespace');
}

export function splitName({ names }: Language, written: string): string[] {
  return names.splitName?.(written) ?? [written];
}

/** Extends each definition, such as a namespace without a body, to the next of them, or to the last row. */
function extendToNext(definitions: readonly Definition[], lastRow: number): void {
  let end = lastRow;
  for (const definition of definitions.toReversed()) {
    definition.endRow = Math.max(end, definition.startRow);
    definition.endIndex = -1;
    end = definition.startRow - 1;
  }
}

/** Returns the outermost node wrapped around a definition, such as its decorators or `export`. */
function findOutermost(node: SyntaxNode, around: ReadonlyMap<number, SyntaxNode>): SyntaxNode {
  let outer = node;
  for (let next = around.get(outer.id); next; next = around.get(outer.id)) outer = next;
  return outer;
}

function createFromNode(
  language: Language,
  match: QueryMatch,
  outer: SyntaxNode,
  docs: Map<number, SourceSpan>,
): Definition {
  const { decorators, comment, body: bodyField } = language.nodes;
  const node = getNode(match);
  const header = (decorators && findFirstToken(node, [...decorators, ...comment])) ?? node;
  const name = match.get('name');
  const body = match.find('body') ?? ((bodyField && node.getPart(bodyField)) || undefined);
  const fallback = bodyField === undefined ? getLastRow(node) : getLastRow(name);
  // In some grammars, the body is the node after the definition's, and a comment above the next definition is the end of this one.
  const whole = body && body.endIndex > outer.endIndex ? body : node;
  const code = bodyField === undefined ? null : findCodeBeforeComments(whole, comment, header);
  const last = code ?? whole;
  const kinds = ['function', 'class', 'namespace'] as const;
  const parts = splitName(language, name.text);
  const owner = match.find('owner');
  const end = match.find('end') ?? body;
  return {
    kind: kinds.find((kind) => match.find(kind)) ?? 'function',
    name: parts.at(-1) ?? '',
    qualifier: parts.slice(0, -1).join('.'),
    owner: owner ? splitName(language, owner.text).join('.') : '',
    nameIndex: name.startIndex,
    startIndex: outer.startIndex,
    endIndex: code ? code.endIndex : Math.max(outer.endIndex, whole.endIndex),
    startRow: outer.startPosition.row,
    endRow: getLastRow(last),
    startColumn: outer.startPosition.column,
    firstColumn: 0,
    lastColumn: Number.POSITIVE_INFINITY,
    headerIndex: header.startIndex,
    headerRow: header.startPosition.row,
    headerEndRow: end?.startPosition.row ?? fallback,
    bodyIndex: end?.startIndex ?? -1,
    doc: (body && docs.get(body.startIndex)) ?? null,
    hasBody: body !== undefined,
    hasErrors: node.hasError,
    parent: null,
    isChunk: true,
  };
}

/**
 * Returns the last node before comments at the end of a definition that are not indented deeper than its header; null if there are
 * none.
 */
function findCodeBeforeComments(
  node: SyntaxNode,
  comments: readonly string[],
  { startPosition: { row, column } }: SyntaxNode,
): SyntaxNode | null {
  const isOutside = ({ type, startPosition: start }: SyntaxNode) =>
    comments.includes(type) && start.row > row && start.column <= column;
  let found = false;
  for (let last = node; ; ) {
    const code = last.children.findLast((child) => !isOutside(child));
    found ||= code !== last.children.at(-1);
    if (!code) return found ? last : null;
    last = code;
  }
}

/** Returns the first token of a node that is in none of the types; null if all are. */
function findFirstToken(node: SyntaxNode, except: readonly string[]): SyntaxNode | null {
  const { children } = node;
  if (children.length === 0) return node;
  for (const child of children) {
    const token = except.includes(child.type) ? null : findFirstToken(child, except);
    if (token) return token;
  }
  return null;
}

/** Comments and attributes right before a definition, on its row or the rows above, which belong to it. */
class LeadingNodes {
  /** Nodes by the position of what follows: `row:column` on the row where the node ends, else the `row` below. */
  readonly #byNext = new Map<string, SyntaxNode>();
  readonly #comments: readonly string[];
  readonly #lines: SourceLines;

  constructor({ nodes }: Language, matches: Matches, lines: SourceLines) {
    this.#comments = nodes.comment;
    this.#lines = lines;
    const before = (matches.get('before') ?? []).map((match) => match.get('node'));
    for (const node of before.sort((a, b) => a.startIndex - b.startIndex)) {
      const { row, column } = node.startPosition;
      // A comment at the end of a line of code describes that line.
      if (this.#isFirst(node) || this.#byNext.has(`${row}:${column}`))
        this.#byNext.set(this.#next(node), node);
    }
  }

  /** Includes the nodes before a definition in it. The second argument is the outermost node around the definition. */
  attachTo(definition: Definition, { startPosition }: SyntaxNode): void {
    let [first, last]: (SyntaxNode | null)[] = [null, null];
    for (let node = this.#before(startPosition); node; node = this.#before(node.startPosition)) {
      definition.startRow = node.startPosition.row;
      definition.startColumn = node.startPosition.column;
      definition.startIndex = node.startIndex;
      if (!this.#comments.includes(node.type) || !this.#isFirst(node)) continue;
      first = node;
      last ??= node;
    }
    if (first && last) definition.doc ??= { ...getSpan(first), ...this.#endOf(last) };
  }

  #isFirst({ startPosition: { row, column } }: SyntaxNode): boolean {
    return this.#lines.getRow(row).search(/\S/) === column;
  }

  #before({ row, column }: SourcePosition): SyntaxNode | undefined {
    return this.#byNext.get(`${row}:${column}`) ?? this.#byNext.get(`${row}`);
  }

  /** Returns the key for whatever follows the node. Code on the node's last row takes precedence over the row below. */
  #next(node: SyntaxNode): string {
    const { endRow, endColumn } = this.#endOf(node);
    const rest = this.#lines.getRow(endRow).slice(endColumn).search(/\S/);
    return rest < 0 ? `${endRow + 1}` : `${endRow}:${endColumn + rest}`;
  }

  /** Returns the end without a final line break, which some grammars include in a comment. */
  #endOf(node: SyntaxNode): Pick<SourceSpan, 'endRow' | 'endColumn'> {
    const { endRow, endColumn } = getSpan(node);
    const row = getLastRow(node);
    return { endRow: row, endColumn: row < endRow ? this.#lines.getRow(row).length : endColumn };
  }
}

/** Ends definitions above the next part of a template, which only unfinished code includes. */
function endBeforeTemplates(
  definitions: readonly Definition[],
  templates: readonly Definition[],
): void {
  if (templates.length === 0) return;
  const inOrder = definitions.toSorted((a, b) => a.startRow - b.startRow);
  let next = 0;
  for (const definition of inOrder) {
    while ((templates[next]?.startRow ?? Number.POSITIVE_INFINITY) <= definition.startRow) next++;
    const limit = templates[next]?.startRow ?? Number.POSITIVE_INFINITY;
    if (definition.endRow < limit) continue;
    definition.endRow = limit - 1;
    definition.endIndex = -1;
    definition.headerEndRow = Math.min(definition.headerEndRow, definition.endRow);
  }
}

/** Corrects an end by the layout: after a syntax error, a node may lack its body or include the code that follows. */
function correctEnd(
  definition: Definition,
  { layout }: Language,
  lines: SourceLines,
  skip: (row: number) => boolean,
): void {
  const end = layout.findBlockEnd(lines, definition.headerRow, definition.headerEndRow, skip);
  if (end < 0 || end === definition.endRow || (end < definition.endRow && !definition.hasErrors))
    return;
  definition.endRow = end;
  definition.endIndex = -1;
}

function recoverDefinitions(
  language: Language,
  tree: SyntaxTree,
  errors: QueryMatch[],
  lines: SourceLines,
  known: Definition[],
  templates: readonly Definition[],
): Definition[] {
  const seen = new Set(known.map((definition) => definition.headerRow));
  for (const { startRow, endRow } of templates.filter(({ section }) => !section?.isOpen))
    for (let row = startRow; row <= endRow; row++) seen.add(row);
  const found: Definition[] = [];
  const nodes = errors.map((error) => error.get('node'));
  const stretches = nodes.map((node): [number, number] => [
    node.startPosition.row,
    getLastRow(node),
  ]);
  // The parser may stop before the end.
  const lastChild = tree.rootNode.children.at(-1);
  if (lastChild) stretches.push([getLastRow(lastChild) + 1, lines.count - 1]);
  for (const [start, end] of stretches) {
    for (let row = start; row <= end && row < lines.count; row++) {
      if (seen.has(row)) continue;
      seen.add(row);
      const header = readHeader(language, lines.getRow(row), 0);
      if (header && !isInLiteral(language, tree, lines, row)) {
        found.push(createFromHeader(header, row, language, lines));
      }
    }
  }
  return found;
}

function createFromHeader(
  { kind, name, owner }: DefinitionHeader,
  row: number,
  { layout }: Language,
  lines: SourceLines,
): Definition {
  return {
    kind,
    name,
    qualifier: '',
    owner,
    nameIndex: -1,
    startIndex: -1,
    endIndex: -1,
    headerIndex: -1,
    startRow: row,
    endRow: Math.max(
      row,
      layout.findBlockEnd(lines, row, row, () => false),
    ),
    startColumn: -1,
    firstColumn: 0,
    lastColumn: Number.POSITIVE_INFINITY,
    headerRow: row,
    headerEndRow: row,
    bodyIndex: -1,
    hasBody: true,
    doc: null,
    hasErrors: true,
    parent: null,
    isChunk: true,
  };
}

function isInLiteral(
  language: Language,
  tree: SyntaxTree,
  lines: SourceLines,
  row: number,
): boolean {
  const column = lines.getRow(row).search(/\S/);
  const node = tree.findNodeAt({ row, column });
  const types = [node.type, node.parent?.type];
  return types.some((type) => type !== undefined && language.nodes.literals.includes(type));
}

/** Sets parents, and corrects definitions that overlap without nesting, which only happens in broken sources. */
function nestDefinitions(definitions: Definition[], lines: SourceLines): Definition[] {
  const kept: Definition[] = [];
  const open: Definition[] = [];
  for (const definition of definitions) {
    let parent = open.at(-1) ?? null;
    while (parent && endsBefore(parent, definition, lines)) {
      open.pop();
      parent = open.at(-1) ?? null;
    }
    if (parent) {
      // The row is too long to be shared, and stays with the earlier definition.
      if (isBehind(parent, definition) && parent.endRow === definition.startRow) continue;
      if (parent.startRow === definition.startRow && parent.firstColumn > 0)
        definition.firstColumn = definition.startColumn;
      definition.endRow = Math.min(definition.endRow, parent.endRow);
      definition.headerEndRow = Math.min(definition.headerEndRow, definition.endRow);
    }
    if (definition.doc && definition.doc.endRow > definition.endRow) definition.doc = null;
    const holder = parent?.section?.isOpen ? null : parent;
    definition.parent = holder;
    definition.isChunk = definition.kind !== 'namespace' && canHoldChunks(holder);
    kept.push(definition);
    open.push(definition);
  }
  return kept;
}

/** Returns true if the direct members of a definition can be chunks. */
function canHoldChunks(parent: Definition | null): boolean {
  if (!parent) return true;
  return parent.kind === 'namespace'
    ? canHoldChunks(parent.parent)
    : parent.isChunk && parent.kind === 'class';
}

/** Returns the class around a definition, skipping namespaces; null if none exists. */
export function findEnclosingClass({ parent }: Definition): Definition | null {
  return parent?.kind === 'namespace' ? findEnclosingClass(parent) : parent;
}

/**
 * Returns true if `outer` ends before `next` begins. If both are on a row, they share it, but a row on which `outer` only has
 * brackets is `next`'s.
 */
function endsBefore(outer: Definition, next: Definition, lines: SourceLines): boolean {
  if (outer.endRow < next.startRow) return true;
  if (!isBehind(outer, next) || outer.endRow !== next.startRow) return false;
  const row = lines.getRow(next.startRow);
  const hasOnlyBrackets = !/\w/.test(row.slice(0, next.startColumn));
  if (outer.headerEndRow < next.startRow && hasOnlyBrackets) {
    outer.endRow = next.startRow - 1;
    return true;
  }
  if (row.length > MAX_SHARED_ROW) return false;
  outer.lastColumn = Math.min(outer.lastColumn, next.startColumn);
  next.firstColumn = next.startColumn;
  return true;
}

function isBehind(outer: Definition, next: Definition): boolean {
  return outer.endIndex >= 0 && next.startIndex >= outer.endIndex;
}

/** Returns the last row in which a node has a character. */
export function getLastRow(node: SyntaxNode): number {
  const { row, column } = node.endPosition;
  return column === 0 && row > node.startPosition.row ? row - 1 : row;
}

export function getSpan(node: SyntaxNode): SourceSpan {
  const { startPosition: start, endPosition: end } = node;
  return { startRow: start.row, startColumn: start.column, endRow: end.row, endColumn: end.column };
}
