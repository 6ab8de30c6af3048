/**
 * Builds the texts of chunks, which the encoder and the lexical index read. The encoder was trained on these forms.
 *
 * - function: its lines; a comment above the header is moved below it, where other languages have their docstrings
 * - method: the headers of its classes, then its lines
 * - class: the headers of the classes around it, its own header with decorators, its docstring and statements, the
 *   constructor in full, and the first line of every other definition in it
 * - module: the lines outside any definition, with runs of blank lines as one
 *
 * Lines have no trailing white space and no tabs. They are indented by 4 columns for each class around them, whatever
 * indentation the source uses.
 */
import type { Language } from '../languages/language.ts';
import type { SourceLines } from '../languages/layout/lines.ts';
import { type Definition, findEnclosingClass, type SourceSpan } from './definitions.ts';

/** Maximum length of a chunk's text in UTF-16 units, which bounds its memory. Far above what any encoder reads. */
export const MAX_CHUNK_TEXT = 20_000;
const INDENT = 4;

export interface ChunkText {
  text: string;
  signatureEnd: number;
  doc: [number, number] | null;
}

export interface ChunkSource {
  language: Language;
  lines: SourceLines;
  /** Index of the innermost chunk, by row. */
  owner: Int32Array;
}

function startText({ lines }: ChunkSource, definition: Definition) {
  const text = new TextBuilder(lines, definition.doc);
  const depth = addClassHeaders(text, definition);
  text.reindent(lines.getIndent(definition.headerRow), depth);
  return { text, depth, signatureEnd: addOwnHeader(text, definition) };
}

/** Builds the text of a function. @param chunk the function's index among the chunks */
export function buildFunctionText(
  source: ChunkSource,
  definition: Definition,
  chunk: number,
): ChunkText {
  const { text, signatureEnd } = startText(source, definition);
  const { headerEndRow, endRow, section } = definition;
  if (section?.isOpen) {
    for (let row = headerEndRow + 1; row <= endRow; row++)
      if (source.owner[row] === chunk) text.addRow(row, true);
  } else text.addRows(headerEndRow + 1, endRow, definition);
  return text.finish(signatureEnd);
}

interface ClassContents {
  /** First and last rows of the direct members of the class's body, in order, without comments. */
  members: readonly [number, number][];
  children: readonly Definition[];
}

/** Builds the text of a class. @param chunk the class's index among the chunks */
export function buildClassText(
  source: ChunkSource,
  definition: Definition,
  chunk: number,
  { members, children }: ClassContents,
): ChunkText {
  const { language, lines, owner } = source;
  const { text, depth, signatureEnd } = startText(source, definition);
  let next = definition.headerEndRow + 1;
  for (const [first, last] of members) {
    for (next = Math.max(next, first); next <= last && next <= definition.endRow; next++) {
      if (owner[next] === chunk) text.addRow(next);
    }
  }
  const { constructors: names } = language.names;
  const constructorNames = names === 'named as their class' ? [definition.name] : names;
  const constructors = children.filter((child) => constructorNames.includes(child.name));
  for (const child of constructors) {
    text.reindent(lines.getIndent(child.headerRow), depth + 1);
    text.addRows(child.startRow, child.endRow, child);
  }
  for (const child of children) {
    if (constructors.includes(child)) continue;
    text.reindent(lines.getIndent(child.headerRow), depth + 1);
    const { line, cut } = cutToDefinition(lines, child.headerRow, child);
    text.addLine(language.text.outlineHeader(line.slice(cut).trimStart()));
  }
  return text.finish(signatureEnd);
}

export function buildModuleText(
  lines: SourceLines,
  owner: Int32Array,
  doc: SourceSpan | null,
): ChunkText {
  const text = new TextBuilder(lines, doc);
  for (let row = 0; row < lines.count; row++) {
    if (owner[row] === 0) text.addRow(row, true);
  }
  return text.finish(0);
}

/** Adds a definition's header, then the comment on the rows above it. Returns the end of the header. */
function addOwnHeader(text: TextBuilder, definition: Definition): number {
  const { startRow, headerRow, headerEndRow, doc } = definition;
  if (!doc || doc.endRow >= headerRow) {
    text.addRows(startRow, headerEndRow, definition);
    return text.length;
  }
  text.addRows(startRow, doc.startRow - 1, definition);
  text.addRows(doc.endRow + 1, headerEndRow, definition);
  const signatureEnd = text.length;
  text.addRows(doc.startRow, doc.endRow, definition);
  return signatureEnd;
}

/** Adds the headers of the classes around a definition, outermost first. Returns their number. */
function addClassHeaders(text: TextBuilder, definition: Definition): number {
  const around: Definition[] = [];
  for (let at = findEnclosingClass(definition); at; at = findEnclosingClass(at)) around.push(at);
  for (const [depth, outer] of around.reverse().entries()) {
    text.reindent(text.lines.getIndent(outer.headerRow), depth);
    text.addRows(outer.headerRow, outer.headerEndRow, outer);
  }
  return around.length;
}

/** Returns a row without what other definitions have on it: its end is cut off, and `cut` columns at its start are to be cut. */
function cutToDefinition(
  lines: SourceLines,
  row: number,
  { startRow, firstColumn, endRow, lastColumn }: Definition,
): { line: string; cut: number } {
  const line = lines.getNormalRow(row);
  const isCut = row === endRow && Number.isFinite(lastColumn);
  return {
    line: isCut ? line.slice(0, lines.getColumn(row, lastColumn)).trimEnd() : line,
    cut: row === startRow && firstColumn > 0 ? lines.getColumn(row, firstColumn) : 0,
  };
}

/** Collects lines up to the maximum length, and records the position of the docstring. */
class TextBuilder {
  readonly lines: SourceLines;
  length = 0;
  private readonly addedLines: string[] = [];
  private readonly docSpan: SourceSpan | null;
  private docStart = -1;
  private docEnd = -1;
  private removedIndent = 0;
  private indent = '';

  constructor(lines: SourceLines, docSpan: SourceSpan | null) {
    this.lines = lines;
    this.docSpan = docSpan;
  }

  /** Moves the following rows from column `from` to the indentation of `depth` classes. */
  reindent(from: number, depth: number): void {
    this.removedIndent = from;
    this.indent = ' '.repeat(depth * INDENT);
  }

  addRows(first: number, last: number, definition: Definition): void {
    for (let row = first; row <= last; row++)
      this.addCutRow(row, cutToDefinition(this.lines, row, definition));
  }

  addRow(row: number, squeeze = false): void {
    const line = this.lines.getNormalRow(row);
    const isSqueezed = squeeze && (this.length === 0 || this.addedLines.at(-1) === '');
    if (line !== '' || !isSqueezed) this.addCutRow(row, { line, cut: 0 });
  }

  private addCutRow(row: number, { line, cut: start }: { line: string; cut: number }): void {
    if (line === '') {
      this.add('');
      return;
    }
    let cut = start;
    while (cut < this.removedIndent && line.charCodeAt(cut) === 32) cut++;
    const at = this.add(this.indent + line.slice(cut));
    if (this.docSpan && at >= 0) this.recordDoc(this.docSpan, row, at + this.indent.length - cut);
  }

  addLine(line: string): void {
    this.add(this.indent + line);
  }

  finish(signatureEnd: number): ChunkText {
    const text = this.addedLines.join('\n').trimEnd();
    const hasDoc = this.docStart >= 0 && this.docEnd > this.docStart && this.docEnd <= text.length;
    return {
      text,
      signatureEnd: Math.min(signatureEnd, text.length),
      doc: hasDoc ? [this.docStart, this.docEnd] : null,
    };
  }

  /** Adds a line. Returns its start, or -1 once the maximum length is reached. */
  private add(line: string): number {
    const start = this.addedLines.length === 0 ? 0 : this.length + 1;
    if (start >= MAX_CHUNK_TEXT) return -1;
    const kept = line.slice(0, MAX_CHUNK_TEXT - start);
    this.addedLines.push(kept);
    this.length = start + kept.length;
    return start;
  }

  /** Records where the docstring starts or ends. `origin` is the offset of the row's column 0 in the text. */
  private recordDoc(doc: SourceSpan, row: number, origin: number): void {
    if (row === doc.startRow) this.docStart = origin + this.lines.getColumn(row, doc.startColumn);
    if (row === doc.endRow) this.docEnd = origin + this.lines.getColumn(row, doc.endColumn);
  }
}
