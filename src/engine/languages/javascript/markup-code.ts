import type { Markup } from '../markup.ts';
import { findCodeEnd } from './code-end.ts';
import { buildSections, type NameAt, type TemplatePiece } from './template-parts.ts';

const SPACE = 32;
/** Start of an expression that would be something else as a statement. */
const NO_STATEMENT = /^(?:\{|(?:async[ \t]{1,8})?function\b|class\b)/;
const NAME = /[\p{L}_$][\p{L}\p{N}_$]*(?![\p{L}\p{N}_$]|[ \t]{0,8}:)/gu;
const DEFAULT_VALUE = /=[^,}\]]*/g;

/** Code of a component that is being collected. Each expression of a template becomes a statement at its position. */
export class MarkupCode {
  readonly text: string;
  readonly locals: NameAt[] = [];
  readonly components: NameAt[] = [];
  readonly tagStarts: number[] = [];
  readonly #code: Uint16Array;

  constructor(text: string) {
    this.text = text;
    this.#code = new Uint16Array(text.length).fill(SPACE);
    for (const break_ of ['\n', '\r'])
      for (let at = text.indexOf(break_); at >= 0; at = text.indexOf(break_, at + 1))
        this.#code[at] = break_.charCodeAt(0);
  }

  /** Keeps code at its position. */
  keep(start: number, end: number): void {
    for (let at = start; at < end; at++) this.#code[at] = this.text.charCodeAt(at);
  }

  /** Writes code of no more than the text's length at an offset. Line breaks of the text stay. */
  put(at: number, code: string): void {
    for (let i = 0; i < code.length; i++)
      if (at + i >= 0 && this.text[at + i] !== '\n' && this.text[at + i] !== '\r')
        this.#code[at + i] = code.charCodeAt(i);
  }

  /** Adds a name as a statement. The character before it becomes its separator. */
  addName(at: number, name: string): void {
    this.put(at - 1, ';');
    this.put(at, name);
  }

  /** Adds an expression as a statement, unless its brackets do not match. The characters around it become separators. */
  addExpression(start: number, end: number): void {
    let from = start;
    while (from < end && /\s/.test(this.text.charAt(from))) from++;
    if (this.text.startsWith('...', from)) from += 3;
    if (from >= end || findCodeEnd(this.text, from, end) !== end) return;
    this.keep(from, end);
    const isStatement = !NO_STATEMENT.test(this.text.slice(from, Math.min(end, from + 20)));
    if (!isStatement && this.#code[start - 2] === SPACE) this.put(start - 2, ';');
    this.put(start - 1, isStatement ? ';' : '(');
    this.put(end, isStatement ? ';' : ')');
  }

  /** Adds the names that a pattern binds: `item`, `(item, i)`, `{ a, b: c }`. */
  addLocals(start: number, end: number): void {
    const pattern = this.text.slice(start, end).replace(DEFAULT_VALUE, '');
    for (const [name] of pattern.matchAll(NAME)) this.locals.push({ at: start, name });
  }

  addTagStart(at: number): void {
    let start = at;
    while (start > 0 && (this.text[start - 1] === ' ' || this.text[start - 1] === '\t')) start--;
    if (start === 0 || this.text[start - 1] === '\n') this.tagStarts.push(at);
  }

  /** @param pieces templates, in order */
  finish(pieces: readonly TemplatePiece[]): Markup {
    const { buffer, byteOffset, byteLength } = this.#code;
    const code = Buffer.from(buffer, byteOffset, byteLength).toString('utf16le');
    return { code, text: this.text, sections: buildSections(this, pieces) };
  }
}
