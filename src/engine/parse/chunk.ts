/** From a source text to its chunks and facts. */
import type { Tree } from 'web-tree-sitter';
import { MODULE_NAME } from '../../shared/address.ts';
import { type Definition, definitionsOf, lastRow, type Span } from './definitions.ts';
import { factsOf } from './facts.ts';
import type { Grammar, Matches } from './grammar.ts';
import { Lines } from './lines.ts';
import { type ChunkText, classText, functionText, moduleText, type Source } from './text.ts';
import type { ParsedChunk, ParsedFile } from './types.ts';

/** A parsed file before its words are counted. */
export type ChunkedSource = Omit<ParsedFile, 'termCounts'>;

/**
 * Cuts a source into chunks and extracts its facts. Pure: the result depends on the language and the text only.
 * Every line belongs to exactly one innermost chunk. Sources with syntax errors keep the definitions that are sound.
 */
export function chunkSource(grammar: Grammar, text: string): ChunkedSource {
  return grammar.read(text, (tree, matches) => chunked(grammar, text, tree, matches));
}

/** A source as one module chunk of plain text: for files the parser cannot cope with. */
export function plainSource(text: string, tabWidth: number): ChunkedSource {
  const lines = new Lines(text, tabWidth);
  const source = { lines, owner: new Int32Array(lines.count) } as Source;
  return {
    chunks: [moduleChunk(lines, moduleText(source, null))],
    facts: { imports: [], bindings: [], references: [] },
    lines: lines.count,
    errors: 1,
  };
}

function chunked(grammar: Grammar, text: string, tree: Tree, matches: Matches): ChunkedSource {
  const { language } = grammar;
  const lines = new Lines(text, language.tabWidth);
  const definitions = definitionsOf(language, tree, matches, lines);
  const ofChunks = definitions.filter((definition) => definition.chunk);
  const chunkOf = new Map(ofChunks.map((definition, i) => [definition, i + 1]));
  const owner = new Int32Array(lines.count);
  for (const [definition, chunk] of chunkOf) {
    owner.fill(chunk, definition.startRow, definition.endRow + 1);
  }
  const source: Source = { language, lines, owner };
  const members = membersOf(language.nodes.comment, matches, owner);
  const children = childrenOf(ofChunks);
  const chunks = [moduleChunk(lines, moduleText(source, moduleDoc(tree, matches)))];
  const counts = new Map<string, number>();
  for (const [definition, index] of chunkOf) {
    const made =
      definition.kind === 'class'
        ? classText(
            source,
            definition,
            index,
            members.get(index) ?? [],
            children.get(definition) ?? [],
          )
        : functionText(source, definition);
    const parent = definition.parent ? chunkOf.get(definition.parent)! : -1;
    const prefix = parent < 0 ? '' : `${chunks[parent]!.qualifiedName}.`;
    const qualifiedName = prefix + definition.name;
    const ordinal = counts.get(qualifiedName) ?? 0;
    counts.set(qualifiedName, ordinal + 1);
    chunks.push({
      qualifiedName,
      ordinal,
      name: definition.name,
      kind: definition.kind === 'class' ? 'class' : parent < 0 ? 'function' : 'method',
      startLine: definition.startRow + 1,
      endLine: definition.endRow + 1,
      parent,
      ...made,
    });
  }
  const facts = factsOf({ language, text, matches, owner, definitions, ofChunks, chunks });
  return { chunks, facts, lines: lines.count, errors: countErrors(matches) };
}

function moduleChunk(lines: Lines, made: ChunkText): ParsedChunk {
  return {
    qualifiedName: MODULE_NAME,
    ordinal: 0,
    name: MODULE_NAME,
    kind: 'module',
    startLine: 1,
    endLine: lines.count,
    parent: -1,
    ...made,
  };
}

function moduleDoc(tree: Tree, matches: Matches): Span | null {
  const match = matches.get('documented')?.find(({ body }) => body!.id === tree.rootNode.id);
  if (!match) return null;
  const { startPosition: start, endPosition: end } = match.string!;
  return { startRow: start.row, startColumn: start.column, endRow: end.row, endColumn: end.column };
}

/** Rows of what stands directly in each class's body, by the class's chunk. */
function membersOf(
  comment: string,
  matches: Matches,
  owner: Int32Array,
): Map<number, [number, number][]> {
  const members = new Map<number, [number, number][]>();
  for (const { node } of matches.get('member') ?? []) {
    if (node!.type === comment) continue;
    const first = node!.startPosition.row;
    const chunk = owner[first]!;
    const list = members.get(chunk);
    if (list) list.push([first, lastRow(node!)]);
    else members.set(chunk, [[first, lastRow(node!)]]);
  }
  return members;
}

function childrenOf(definitions: readonly Definition[]): Map<Definition, Definition[]> {
  const children = new Map<Definition, Definition[]>();
  for (const definition of definitions) {
    if (!definition.parent) continue;
    const list = children.get(definition.parent);
    if (list) list.push(definition);
    else children.set(definition.parent, [definition]);
  }
  return children;
}

/** Errors that are not inside other errors. */
function countErrors(matches: Matches): number {
  const nodes = (matches.get('error') ?? []).map(({ node }) => node!);
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
