/**
 * The texts of chunks: what the encoder and the lexical index see. They are the forms the encoder was trained on.
 *
 * - function: its lines; a comment above its header comes after that, where others have their docstrings
 * - method: the headers of its classes, then its lines
 * - class: the headers of the classes around it, its own header with decorators, docstring and statements, the
 *   constructor in full, the first line of every other definition in it
 * - module: the lines outside any definition, runs of blank lines as one
 *
 * Lines have no trailing white space and no tabs, and are indented by 4 for each class around them, however the
 * source does it.
 */
import type { Language } from '../languages/language.ts';
import type { Lines } from '../languages/layout/lines.ts';
import { classAround, type Definition, type Span } from './definitions.ts';

/** Bounds the memory a chunk takes, in UTF-16 units. Far above what any encoder reads. */
export const MAX_TEXT = 20_000;
const INDENT = 4;

export interface ChunkText {
  text: string;
  signatureEnd: number;
  doc: [number, number] | null;
}

export interface Source {
  language: Language;
  lines: Lines;
  /** By row, the index of the innermost chunk. */
  owner: Int32Array;
}

function begin({ lines }: Source, definition: Definition) {
  const text = new TextBuilder(lines, definition.doc);
  const depth = addClassHeaders(text, definition);
  text.place(lines.indent(definition.headerRow), depth);
  return { text, depth, signatureEnd: addOwnHeader(text, definition) };
}

export function functionText(source: Source, definition: Definition): ChunkText {
  const { text, signatureEnd } = begin(source, definition);
  text.addRows(definition.headerEndRow + 1, definition.endRow);
  return text.finish(signatureEnd);
}

interface ClassParts {
  /** First and last rows of what stands directly in the class's body, in order, without comments. */
  members: readonly [number, number][];
  children: readonly Definition[];
}

/** @param chunk the class's index among the chunks */
export function classText(
  source: Source,
  definition: Definition,
  chunk: number,
  { members, children }: ClassParts,
): ChunkText {
  const { language, lines, owner } = source;
  const { text, depth, signatureEnd } = begin(source, definition);
  let next = definition.headerEndRow + 1;
  for (const [first, last] of members) {
    for (next = Math.max(next, first); next <= last && next <= definition.endRow; next++) {
      if (owner[next] === chunk) text.addRow(next);
    }
  }
  const { constructors: names } = language.names;
  const ofName = names === 'named as their class' ? [definition.name] : names;
  const constructors = children.filter((child) => ofName.includes(child.name));
  for (const child of constructors) {
    text.place(lines.indent(child.headerRow), depth + 1);
    text.addRows(child.startRow, child.endRow);
  }
  for (const child of children) {
    if (constructors.includes(child)) continue;
    text.place(lines.indent(child.headerRow), depth + 1);
    text.addLine(language.text.declaration(lines.normal(child.headerRow).trimStart()));
  }
  return text.finish(signatureEnd);
}

export function moduleText(lines: Lines, owner: Int32Array, doc: Span | null): ChunkText {
  const text = new TextBuilder(lines, doc);
  for (let row = 0; row < lines.count; row++) {
    if (owner[row] === 0) text.addRow(row, true);
  }
  return text.finish(0);
}

/** Adds a definition's header, then the comment that stands on rows above it; returns where the header ends. */
function addOwnHeader(text: TextBuilder, definition: Definition): number {
  const { startRow, headerRow, headerEndRow, doc } = definition;
  if (!doc || doc.endRow >= headerRow) {
    text.addRows(startRow, headerEndRow);
    return text.length;
  }
  text.addRows(startRow, doc.startRow - 1);
  text.addRows(doc.endRow + 1, headerEndRow);
  const signatureEnd = text.length;
  text.addRows(doc.startRow, doc.endRow);
  return signatureEnd;
}

/** Adds the headers of the classes around a definition, outermost first; returns how many there are. */
function addClassHeaders(text: TextBuilder, definition: Definition): number {
  const around: Definition[] = [];
  for (let at = classAround(definition); at; at = classAround(at)) around.push(at);
  for (const [depth, outer] of around.reverse().entries()) {
    text.place(text.lines.indent(outer.headerRow), depth);
    text.addRows(outer.headerRow, outer.headerEndRow);
  }
  return around.length;
}

/** Collects lines up to the ceiling, and notes where the docstring lands. */
class TextBuilder {
  readonly lines: Lines;
  length = 0;
  private readonly parts: string[] = [];
  private readonly docSpan: Span | null;
  private docStart = -1;
  private docEnd = -1;
  private removed = 0;
  private added = '';

  constructor(lines: Lines, docSpan: Span | null) {
    this.lines = lines;
    this.docSpan = docSpan;
  }

  /** Moves the following rows from column `from` to the indentation of `depth` classes. */
  place(from: number, depth: number): void {
    this.removed = from;
    this.added = ' '.repeat(depth * INDENT);
  }

  addRows(first: number, last: number): void {
    for (let row = first; row <= last; row++) this.addRow(row);
  }

  addRow(row: number, squeeze = false): void {
    const line = this.lines.normal(row);
    if (line === '') {
      if (!squeeze || (this.length > 0 && this.parts.at(-1) !== '')) this.add('');
      return;
    }
    let cut = 0;
    while (cut < this.removed && line.charCodeAt(cut) === 32) cut++;
    const start = this.add(this.added + line.slice(cut));
    if (this.docSpan && start >= 0)
      this.noteDoc(this.docSpan, row, start + this.added.length - cut);
  }

  addLine(line: string): void {
    this.add(this.added + line);
  }

  finish(signatureEnd: number): ChunkText {
    const text = this.parts.join('\n').trimEnd();
    const found = this.docStart >= 0 && this.docEnd > this.docStart && this.docEnd <= text.length;
    return {
      text,
      signatureEnd: Math.min(signatureEnd, text.length),
      doc: found ? [this.docStart, this.docEnd] : null,
    };
  }

  /** Adds a line; returns where it starts, or -1 once the ceiling is reached. */
  private add(line: string): number {
    const start = this.parts.length === 0 ? 0 : this.length + 1;
    if (start >= MAX_TEXT) return -1;
    const kept = line.slice(0, MAX_TEXT - start);
    this.parts.push(kept);
    this.length = start + kept.length;
    return start;
  }

  /** `origin` is where the row's first column would be in the text. */
  private noteDoc(doc: Span, row: number, origin: number): void {
    if (row === doc.startRow) this.docStart = origin + this.lines.column(row, doc.startColumn);
    if (row === doc.endRow) this.docEnd = origin + this.lines.column(row, doc.endColumn);
  }
}
