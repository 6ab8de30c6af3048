import { MODULE_NAME } from '../../shared/address.ts';
import { assertPresent } from '../../shared/assert-present.ts';
import { appendTo } from '../../shared/lists-by-key.ts';
import type { Language } from '../languages/language.ts';
import { SourceLines } from '../languages/layout/lines.ts';
import type { Markup } from '../languages/markup.ts';
import { ChunkOwners } from './chunk-owners.ts';
import {
  type Definition,
  findDefinitions,
  findEnclosingClass,
  getLastRow,
  getSpan,
} from './definitions.ts';
import { collectFacts } from './facts.ts';
import type { Grammar } from './grammar.ts';
import { createSectionDefinitions } from './markup-definitions.ts';
import type { SyntaxTree } from './syntax-tree.ts';
import {
  buildClassText,
  buildFunctionText,
  buildModuleText,
  type ChunkSource,
  type ChunkText,
} from './text.ts';
import type { Matches } from './tree-query.ts';
import type { ParsedChunk, ParsedFile } from './types.ts';

/** Parsed file before its terms are counted. */
export type ChunkedSource = Omit<ParsedFile, 'termCounts' | 'generated'>;

/**
 * Cuts a source into chunks and extracts its facts. Every line belongs to one innermost chunk, or to several definitions that
 * share it. In a source with syntax errors, intact definitions are kept.
 */
export function chunkSource(grammar: Grammar, text: string): ChunkedSource {
  const markup = grammar.language.markup?.read(text);
  const tree = grammar.parse(text, markup);
  const matches = grammar.findMatches(grammar.language.queries, tree);
  return cutIntoChunks(grammar, markup?.text ?? text, tree, matches, markup ?? null);
}

/** Makes a source one module chunk of plain text, for files that cannot be parsed. */
export function chunkPlainText(text: string, tabWidth: number): ChunkedSource {
  const lines = new SourceLines(text, tabWidth);
  return {
    chunks: [createModuleChunk(lines, buildModuleText(lines, new Int32Array(lines.count), null))],
    facts: { imports: [], bindings: [], references: [] },
    lines: lines.count,
    errors: 1,
  };
}

function cutIntoChunks(
  grammar: Grammar,
  text: string,
  tree: SyntaxTree,
  matches: Matches,
  markup: Markup | null,
): ChunkedSource {
  const { language } = grammar;
  const lines = new SourceLines(text, language.layout.tabWidth);
  const templates = createSectionDefinitions(markup?.sections ?? [], tree);
  const definitions = findDefinitions(language, tree, matches, lines, templates);
  const chunkDefinitions = definitions.filter((definition) => definition.isChunk);
  const chunkOf = new Map(chunkDefinitions.map((definition, i) => [definition, i + 1]));
  const owners = new ChunkOwners(lines.count, chunkOf);
  const owner = owners.byRow;
  const source: ChunkSource = { language, lines, owner };
  const members = groupMembers(language.nodes.comment, matches, owner);
  const children = Map.groupBy(chunkDefinitions, findEnclosingClass);
  const ofModule = matches
    .get('documented')
    ?.find((one) => one.get('body').id === tree.rootNode.id);
  const doc = ofModule ? getSpan(ofModule.get('string')) : null;
  const chunks = [createModuleChunk(lines, buildModuleText(lines, owner, doc))];
  const counts = new Map<string, number>();
  const tests = findTests(language, text, definitions, matches);
  const aliases = findInnerNames(definitions);
  for (const [definition, index] of chunkOf) {
    const parts = {
      members: members.get(index) ?? getAllRows(language, definition),
      children: children.get(definition) ?? [],
    };
    const chunkText =
      definition.kind === 'class'
        ? buildClassText(source, definition, index, parts)
        : buildFunctionText(source, definition, index);
    const class_ = findEnclosingClass(definition);
    const parent = class_ ? assertPresent(chunkOf.get(class_), 'parent of a chunk') : -1;
    const qualifiedName = getQualifiedName(definition);
    const ordinal = counts.get(qualifiedName) ?? 0;
    counts.set(qualifiedName, ordinal + 1);
    chunks.push({
      qualifiedName,
      ordinal,
      name: definition.name,
      kind: getChunkKind(definition),
      ...(tests.has(definition) && { isTest: true }),
      ...(aliases.has(definition) && { alias: aliases.get(definition) }),
      ...(markup?.cells && { cell: findCell(markup.cells, definition, tree) }),
      startLine: definition.startRow + 1,
      endLine: definition.endRow + 1,
      parent,
      ...chunkText,
    });
  }
  const facts = collectFacts({
    language,
    text,
    matches,
    owners,
    definitions,
    chunkDefinitions,
    chunks,
  });
  return { chunks, facts, lines: lines.count, errors: countErrors(matches) };
}

/** Returns the number of the last cell that begins before a definition does, or on its first row if only that is known. */
function findCell(
  cells: readonly number[],
  { startIndex, startRow }: Definition,
  tree: SyntaxTree,
): number {
  const isBefore = (cell: number) =>
    startIndex >= 0 ? cell <= startIndex : tree.locate(cell).row <= startRow;
  return 1 + cells.findLastIndex((cell) => Number.isFinite(cell) && isBefore(cell));
}

/** Returns the names of functions whose body is that of the definition around them: `OrderRow` in `Row = memo(function OrderRow() {})`. */
function findInnerNames(definitions: readonly Definition[]): ReadonlyMap<Definition, string> {
  const names = new Map<Definition, string>();
  for (const { parent, bodyIndex, name } of definitions)
    if (parent?.isChunk && bodyIndex >= 0 && parent.bodyIndex === bodyIndex && parent.name !== name)
      names.set(parent, name);
  return names;
}

/** Returns the definitions that are test code or run only as a script, with those in them. */
function findTests(
  { isTest }: Language,
  text: string,
  definitions: readonly Definition[],
  matches: Matches,
): ReadonlySet<Definition> {
  const tests = new Set<Definition>();
  const blocks = (matches.get('testing') ?? []).map((match) => match.get('node'));
  for (const definition of definitions) {
    const { startIndex, headerIndex, nameIndex, name, parent } = definition;
    const isInBlock = blocks.some(
      (block) => block.startIndex <= startIndex && startIndex < block.endIndex,
    );
    const before = text.slice(startIndex, headerIndex);
    const header = text.slice(headerIndex, text.indexOf('\n', nameIndex));
    if (
      (parent && tests.has(parent)) ||
      isInBlock ||
      (startIndex >= 0 && isTest?.({ before, header, name }))
    )
      tests.add(definition);
  }
  return tests;
}

function getQualifiedName({ kind, parent, qualifier, owner, name }: Definition): string {
  const around = parent && getQualifiedName(parent);
  // A partial class has the name of the class it belongs to.
  const type = kind === 'function' ? owner : '';
  return [...[around, qualifier, type].filter(Boolean), name].join('.');
}

function getChunkKind(definition: Definition): ParsedChunk['kind'] {
  if (definition.kind === 'class') return 'class';
  return definition.owner !== '' || definition.qualifier !== '' || findEnclosingClass(definition)
    ? 'method'
    : 'function';
}

function createModuleChunk(lines: SourceLines, chunkText: ChunkText): ParsedChunk {
  return {
    qualifiedName: MODULE_NAME,
    ordinal: 0,
    name: MODULE_NAME,
    kind: 'module',
    startLine: 1,
    endLine: lines.count,
    parent: -1,
    ...chunkText,
  };
}

function groupMembers(
  comments: readonly string[],
  matches: Matches,
  owner: Int32Array,
): Map<number, [number, number][]> {
  const members = new Map<number, [number, number][]>();
  for (const match of matches.get('member') ?? []) {
    const node = match.get('node');
    if (comments.includes(node.type)) continue;
    const first = node.startPosition.row;
    appendTo(members, owner[first] ?? 0, [first, getLastRow(node)]);
  }
  return members;
}

/** Returns the rows of a class in a language without queries for members. */
function getAllRows({ nodes }: Language, { headerEndRow, endRow }: Definition): [number, number][] {
  return nodes.body === undefined ? [] : [[headerEndRow + 1, endRow]];
}

function countErrors(matches: Matches): number {
  const nodes = (matches.get('error') ?? []).map((match) => match.get('node'));
  nodes.sort((a, b) => a.startIndex - b.startIndex || b.endIndex - a.endIndex);
  let count = 0;
  let end = -1;
  for (const node of nodes) {
    if (node.startIndex < end) continue;
    count++;
    end = Math.max(end, node.endIndex);
  }
  return count;
}
